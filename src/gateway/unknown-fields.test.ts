/** Unknown fields are refused by name, since ignoring one would do something other than what was requested. */

import { expect, onTestFinished, test } from "vitest";
import { scriptedModel } from "../providers/scripted-model.ts";
import { testGateway, type TestGateway } from "../testing/gateway.ts";
import { readFrame } from "./frame.ts";

async function stage(): Promise<TestGateway> {
  const gateway = await testGateway(scriptedModel([]));
  onTestFinished(async () => {
    await gateway.close();
    await gateway.test.remove();
  });
  return gateway;
}

const refusal = (field: string) => ({
  status: 400,
  body: { error: { code: "bad-request", message: `There is no field "${field}" here.` } },
});

test("a misspelled field is refused instead of creating a session with defaults", async () => {
  const gateway = await stage();
  expect(await gateway.ask("POST", "/sessions", { worksapce: "/tmp" })).toEqual(refusal("worksapce"));
  expect(await gateway.ask("POST", "/sessions", { Mode: "plan" })).toEqual(refusal("Mode"));
  expect((await gateway.ask("GET", "/sessions")).body).toEqual({ sessions: [], more: false });
  expect(await gateway.ask("GET", "/sessions?limt=1")).toEqual(refusal("limt"));
  expect(await gateway.ask("POST", "/sessions?workspace=/tmp", {})).toEqual(refusal("workspace"));
  expect((await gateway.ask("GET", "/health/alive?now=1")).status).toBe(200);
});

test("a misspelled field of undo is refused over HTTP and a socket", async () => {
  const gateway = await stage();
  const id = await gateway.newSession();
  const command = { type: "undo", path: ["a.txt"] };
  expect(await gateway.ask("POST", `/sessions/${id}/commands`, command)).toEqual(refusal("path"));
  const frame = { type: "command", id: "1", session: id, command };
  expect(readFrame(JSON.stringify(frame))).toEqual({
    ok: false,
    problem: 'There is no field "command.path" here.',
  });
  expect(readFrame(JSON.stringify({ ...frame, command: { type: "undo", paths: ["a.txt"] } })).ok).toBe(true);
});

test("an unknown field in a part of a message is dropped, and the message is accepted", () => {
  const content = [{ type: "text", text: "Hi.", mood: "good" }];
  const frame = { type: "command", id: "1", session: "s", command: { type: "send", content } };
  expect(readFrame(JSON.stringify(frame))).toMatchObject({
    ok: true,
    value: { command: { content: [{ type: "text", text: "Hi." }] } },
  });
});
