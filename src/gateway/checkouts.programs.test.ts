/** Sessions in checkouts, over HTTP. */

import { expect, onTestFinished, test } from "vitest";
import { scriptedModel } from "../providers/scripted-model.ts";
import { testRepository } from "../session/checkouts/testing/repository.ts";
import { testGateway } from "../testing/gateway.ts";

test("a session is made from a repository, and its work is taken as a patch or a pushed branch", async () => {
  const repository = testRepository({ "a.txt": "a\n" });
  const script = [[{ call: "write_file", with: { path: "b.txt", content: "b\n" } }], [{ say: "Done." }]];
  const gateway = await testGateway(scriptedModel(script));
  onTestFinished(async () => {
    await gateway.close();
    await gateway.test.remove();
  });
  const content = [{ type: "text", text: "write" }];
  const which = { repository: repository.address, ref: "main", mode: "accept-edits", content };
  const { status, body } = await gateway.ask("POST", "/sessions", which);
  expect(status).toBe(201);
  const path = `/sessions/${String(Reflect.get(Object(body), "id"))}`;
  const standing = async () => (await gateway.ask("GET", path)).body;
  await expect.poll(standing).toMatchObject({ standing: "idle", answers: 2 });
  expect(await gateway.ask("POST", `${path}/outcome`, { as: "patch" })).toMatchObject({
    status: 200,
    body: { patch: expect.stringContaining("+b\n") },
  });
  expect(await gateway.ask("POST", `${path}/outcome`, { as: "push", to: "work" })).toMatchObject({
    status: 200,
    body: { branch: "work" },
  });
  expect(repository.bare("ls-tree", "--name-only", "work")).toBe("a.txt\nb.txt");
  const facts = await gateway.ask("GET", `${path}/facts`);
  expect(JSON.stringify(facts.body)).toContain('"type":"work-delivered","as":"push","branch":"work"');
  expect(await gateway.ask("POST", `${path}/outcome`, { as: "gift" })).toMatchObject({ status: 400 });
  expect(await gateway.ask("POST", "/sessions/none/outcome", { as: "patch" })).toMatchObject({ status: 404 });
  expect(await gateway.ask("DELETE", path)).toMatchObject({ status: 204 });
  const refused = await gateway.ask("POST", "/sessions", { repository: "https://ann:s3cret@git.example/a" });
  expect(refused).toMatchObject({ status: 400 });
  expect(JSON.stringify(refused.body)).not.toContain("s3cret");
});
