/** A session created with its first message: both exist, or neither. */

import { expect, onTestFinished, test } from "vitest";
import { scriptedModel } from "../providers/scripted-model.ts";
import { testGateway, type TestGateway } from "../testing/gateway.ts";

async function stage(): Promise<TestGateway> {
  const gateway = await testGateway(scriptedModel(() => [{ say: "Fine." }]));
  onTestFinished(async () => {
    await gateway.close();
    await gateway.test.remove();
  });
  return gateway;
}

test("a session created with a message works on it", async () => {
  const gateway = await stage();
  const content = [{ type: "text", text: "Say something." }];
  const made = await gateway.ask("POST", "/sessions", { title: "Words", content });
  expect(made).toMatchObject({ status: 201, body: { title: "Words", turns: 1 } });
  const sessions = async () => (await gateway.ask("GET", "/sessions")).body;
  await expect.poll(sessions).toMatchObject({ sessions: [{ title: "Words", standing: "idle", answers: 1 }] });
});

test.each([
  ["no parts", []],
  ["only white space", [{ type: "text", text: " \n" }]],
  ["an unknown command", [{ type: "text", text: "/nosuch" }]],
  ["an invalid image", [{ type: "image", mediaType: "image/png", data: "AAAA" }]],
])("a session whose first message is refused (%s) is not created", async (_, content) => {
  const gateway = await stage();
  const made = await gateway.ask("POST", "/sessions", { content });
  expect(made).toEqual({
    status: 409,
    body: { error: { code: "refused", message: expect.stringMatching(/\.$/u) } },
  });
  expect(await gateway.ask("GET", "/sessions")).toEqual({ status: 200, body: { sessions: [], more: false } });
  expect(gateway.test.host.figures()).toMatchObject({ open: 0 });
});

test("a malformed message is refused with its field before a session is created", async () => {
  const gateway = await stage();
  const made = await gateway.ask("POST", "/sessions", { content: [{ type: "text" }] });
  expect(made).toMatchObject({
    status: 400,
    body: { error: { message: expect.stringContaining("content[0]") } },
  });
  expect((await gateway.ask("GET", "/sessions")).body).toEqual({ sessions: [], more: false });
});

test("a first message with an image may be larger than one without", async () => {
  const gateway = await stage();
  const long = "x".repeat(5 * 1024 * 1024);
  const words = await gateway.ask("POST", "/sessions", { content: [{ type: "text", text: long }] });
  expect(words.status).toBe(413);
  const picture = { type: "image", mediaType: "image/png", data: long };
  const pictured = await gateway.ask("POST", "/sessions", { content: [picture] });
  expect(pictured).toMatchObject({ status: 409, body: { error: { code: "refused" } } });
});
