/** Sessions in checkouts of their own, over a whole host with a real git. */

import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { orThrow } from "../base/expected.ts";
import { type ModelScript, scriptedModel } from "../providers/scripted-model.ts";
import { testRepository } from "../session/checkouts/testing/repository.ts";
import { followUntil, testHost, type TestHost, type TestHostOptions } from "../testing/host.ts";
import { text } from "../tools/tool.ts";

async function stage(script: ModelScript, options: TestHostOptions = {}): Promise<TestHost> {
  const made = await testHost(scriptedModel(script), { mode: "accept-edits", ...options });
  onTestFinished(async () => {
    await made.close();
    await made.remove();
  });
  return made;
}

const writing = (path: string, content: string) => [{ call: "write_file", with: { path, content } }];

async function sent({ host }: TestHost, id: string, words: string): Promise<void> {
  const after = (await host.row(id))?.facts ?? 0;
  const ended = followUntil(host, id, ({ type }) => type === "turn-end", { after });
  expect(await host.command(id, { type: "send", content: text(words) })).toEqual({ ok: true });
  await ended;
}

test("a session works in a checkout of its own, and its work becomes a patch", async () => {
  const repository = testRepository({ "packages/shop/a.txt": "a\n" });
  const made = await stage([writing("b.txt", "b\n"), [{ say: "Written." }]]);
  const source = { repository: repository.address, ref: "main", subdirectory: "packages/shop" };
  const { id, workspace } = orThrow(await made.host.create(source));
  expect(workspace).toBe(join(made.root, "checkouts", id, "shop", "packages", "shop"));
  await sent(made, id, "write");
  expect(readFileSync(join(workspace, "b.txt"), "utf8")).toBe("b\n");
  const { patch, base } = orThrow(await made.host.outcome(id, { as: "patch" }));
  expect(base).toBe(repository.git("rev-parse", "HEAD"));
  expect(patch).toContain("+++ b/packages/shop/b.txt\n@@ -0,0 +1 @@\n+b\n");
  const [start] = await made.host.facts(id, 0, 1);
  expect(start).toMatchObject({ type: "session-start", workspace, checkout: { ...source, commit: base } });
});

test("what a session may not name is refused, and makes no session", async () => {
  const repository = testRepository({ "a.txt": "a\n" });
  const made = await stage([]);
  const { address } = repository;
  for (const [which, words] of [
    [{ repository: address, workspace: made.workspace }, /Name a workspace or a repository, not both/u],
    [{ ref: "main" }, /goes with a repository/u],
    [{ repository: "ssh://git.example/a" }, /over ssh are not fetched here/u],
    [{ repository: address, ref: "none" }, /cannot be fetched/u],
    [{ repository: address, model: "" }, /model/u],
  ] as const)
    expect(await made.host.create(which)).toEqual({ ok: false, problem: expect.stringMatching(words) });
  expect((await made.host.rows({ limit: 9 })).sessions).toEqual([]);
  const other = orThrow(await made.host.create({ repository: address }));
  expect(await made.host.create({ workspace: other.workspace })).toEqual({
    ok: false,
    problem: expect.stringMatching(/is the checkout of a session/u),
  });
  orThrow(await made.host.remove(other.id));
  expect(readdirSync(join(made.root, "checkouts"))).toEqual([]);
  const { id } = orThrow(await made.host.create({}));
  expect(await made.host.outcome(id, { as: "branch" })).toEqual({
    ok: false,
    problem: expect.stringMatching(/works in a directory/u),
  });
});

test("the checkout goes with its session, unless a copy of the session works in it", async () => {
  const repository = testRepository({ "a.txt": "a\n" });
  const made = await stage([[{ say: "One." }]]);
  const { id, workspace } = orThrow(await made.host.create({ repository: repository.address }));
  await sent(made, id, "say one");
  const copy = orThrow(await made.host.fork(id));
  expect(orThrow(await made.host.remove(id))).toBeUndefined();
  expect(existsSync(workspace)).toBe(true);
  expect(orThrow(await made.host.remove(copy.id))).toBeUndefined();
  expect(readdirSync(join(made.root, "checkouts"))).toEqual([]);
});

test("a copy of a session that works in the same checkout goes on where the other one left it, in turns", async () => {
  const repository = testRepository({ "a.txt": "a\n" });
  const names = ["b.txt", "c.txt", "d.txt"];
  const script: ModelScript = names.flatMap((name) => [writing(name, "x\n"), [{ say: "Written." }]]);
  const made = await stage(script, { restMs: 0 });
  const { id, workspace } = orThrow(await made.host.create({ repository: repository.address }));
  await sent(made, id, "b");
  const copy = orThrow(await made.host.fork(id));
  await sent(made, copy.id, "c");
  await sent(made, id, "d");
  expect(readdirSync(workspace).filter((name) => name !== ".git")).toEqual(["a.txt", ...names]);
  for (const one of [id, copy.id]) {
    const facts = await made.host.facts(one, 0, 99);
    expect(facts.filter(({ type }) => type === "warning")).toEqual([]);
  }
});

test("a checkout that is gone is made again with all work that was stored, and the model is told", async () => {
  const repository = testRepository({ "a.txt": "a\n" });
  const script: ModelScript = [
    writing("b.txt", "b\n"),
    [{ say: "Written." }],
    [{ call: "read_file", with: { path: "b.txt" } }],
    [{ say: "Read." }],
  ];
  const made = await stage(script, { restMs: 0 });
  const { id, workspace } = orThrow(await made.host.create({ repository: repository.address }));
  await sent(made, id, "write");
  await expect.poll(() => made.host.figures().open).toBe(0);
  rmSync(join(made.root, "checkouts"), { recursive: true });
  rmSync(join(made.root, "state", "repositories"), { recursive: true });
  await sent(made, id, "read");
  expect(readFileSync(join(workspace, "b.txt"), "utf8")).toBe("b\n");
  const facts = await made.host.facts(id, 0, 99);
  const told = facts.filter((fact) => fact.type === "nudge" || fact.type === "warning");
  expect(told).toMatchObject([
    {
      type: "warning",
      text: expect.stringMatching(
        /^The workspace was made again from commit [\da-f]{12}, as it was stored\. Files/u,
      ),
    },
    { type: "nudge", text: expect.stringMatching(/Look at a file before you rely on it\.$/u) },
  ]);
  expect(facts.filter((fact) => fact.type === "result").at(-1)).toMatchObject({ outcome: "ok" });
});

test("what could not be stored is named when the checkout is made again", async () => {
  const repository = testRepository({ "a.txt": "a\n" });
  const made = await stage([writing("b.txt", "b\n"), [{ say: "Written." }], [{ say: "Gone." }]], {
    restMs: 0,
  });
  const { id, workspace } = orThrow(await made.host.create({ repository: repository.address }));
  writeFileSync(join(workspace, ".git", "HEAD"), "ref: refs/heads/none\n");
  await sent(made, id, "write");
  await expect.poll(() => made.host.figures().open).toBe(0);
  expect((await made.host.facts(id, 0, 99)).filter(({ type }) => type === "work-kept")).toMatchObject([
    { problem: expect.stringContaining("no commit is checked out") },
  ]);
  rmSync(join(made.root, "checkouts"), { recursive: true });
  await sent(made, id, "look");
  const [warning] = (await made.host.facts(id, 0, 99)).filter(({ type }) => type === "warning");
  expect(warning).toMatchObject({
    text: expect.stringContaining("What was changed after that is missing: b.txt."),
  });
});

test("the longest unused checkout makes room, and is made again when its session goes on", async () => {
  const repository = testRepository({ "a.txt": "a\n" });
  const script: ModelScript = [writing("b.txt", "b\n"), [{ say: "One." }], [{ say: "Two." }]];
  const made = await stage(script, { restMs: 0, checkouts: { most: 1, restMs: 0 } });
  const first = orThrow(await made.host.create({ repository: repository.address }));
  expect(await made.host.create({ repository: repository.address })).toEqual({
    ok: false,
    problem: expect.stringMatching(
      /^This machine has as many checkouts as it may have \(1\), and all are in use/u,
    ),
  });
  await sent(made, first.id, "write");
  await expect.poll(() => made.host.figures().open).toBe(0);
  const second = orThrow(await made.host.create({ repository: repository.address }));
  expect([existsSync(first.workspace), existsSync(second.workspace)]).toEqual([false, true]);
  await expect.poll(() => made.host.figures().open).toBe(0);
  await sent(made, first.id, "go on");
  expect(readFileSync(join(first.workspace, "b.txt"), "utf8")).toBe("b\n");
  expect(existsSync(second.workspace)).toBe(false);
});

test("a session that is carried elsewhere has no repository to make anything from", async () => {
  const repository = testRepository({ "a.txt": "a\n" });
  const made = await stage([[{ say: "One." }]]);
  const { id } = orThrow(await made.host.create({ repository: repository.address }));
  await sent(made, id, "say one");
  const lines: string[] = [];
  for await (const line of made.host.export(id)) lines.push(line);
  orThrow(await made.host.remove(id));
  async function* bytes() {
    yield Buffer.from(lines.join(""));
  }
  const imported = orThrow(await made.host.import(bytes()));
  const [start] = await made.host.facts(imported.id, 0, 1);
  expect(start).toMatchObject({ type: "session-start", workspace: made.workspace });
  expect(start).not.toHaveProperty("checkout.repository");
});
