/** The editor's tools in the sessions of a real gateway, as the extension lends them. */

import { expect, onTestFinished, test } from "vitest";
import { WebSocket } from "ws";
import { connect, type Entry } from "../../../../../src/client.ts";
import type { Mode } from "../../../../../src/protocol/facts.ts";
import { type ScriptedAnswer, scriptedModel } from "../../../../../src/providers/scripted-model.ts";
import { testGateway } from "../../../../../src/testing/gateway.ts";
import type { EditorPowers } from "../../common/tools/editor-powers.ts";
import { testEditor } from "../../common/tools/testing/powers.ts";
import { startToolServer } from "./tool-server.ts";

type Stage = { mode: Mode; files?: Record<string, string>; powers?: Partial<EditorPowers> };

async function stage(script: readonly ScriptedAnswer[], { mode, files = {}, powers }: Stage) {
  const editor = testEditor(powers);
  const model = scriptedModel(script);
  const gateway = await testGateway(model, { mode, files });
  const server = await startToolServer(editor, { version: "0", log: () => undefined });
  const client = connect({ url: gateway.url, token: gateway.token, WebSocket });
  const live = client.live();
  onTestFinished(async () => {
    live.close();
    await gateway.close();
    await server.close();
    await gateway.test.remove();
  });
  const { workspace } = gateway.test;
  const lend = (more: { withoutTools?: string[] } = {}) =>
    client.lendToolServers({ workspace, servers: { editor: { ...server.lent, ...more } } });
  return { editor, model, client, live, lend };
}

test("the problems that an edit makes in the editor are in its result, before the model's next answer", async () => {
  const { editor, model, client, live, lend } = await stage(
    [
      [{ call: "edit_file", with: { path: "a.flow", edits: [{ old: "1", new: "one" }] } }],
      [{ say: "Broken, as the editor says." }],
    ],
    { mode: "accept-edits", files: { "a.flow": "one = 1\n" } },
  );
  await lend();
  const problem = { severity: "error", line: 1, column: 7, message: "No number.", source: "ts" } as const;
  const { id } = await client.create({ content: [{ type: "text", text: "Break it." }] });
  const facts: Entry[] = [];
  for await (const event of live.follow(id, { person: true })) {
    if ("seq" in event) facts.push(event);
    if (event.type === "call-start") editor.finds([{ path: "a.flow", problems: [problem] }]);
    if (event.type === "turn-end") break;
  }
  expect(editor.looks).toEqual([["a.flow"], ["a.flow"]]);
  const result = facts.find(({ type }) => type === "result");
  expect(JSON.stringify(result)).toContain("a.flow:1:7 error: No number. (ts)");
  expect(JSON.stringify(model.prompts[1]?.messages)).toContain("No number.");
});

const tool = "mcp__editor__run_in_my_terminal";
const endless: ScriptedAnswer = [{ call: tool, with: { command: "tail -f log" } }];

test("a command for the user's own terminal is asked about in the mode trusted, each time, and ends when the request is interrupted", async () => {
  const { promise: interrupted, resolve } = Promise.withResolvers<string>();
  const begun: string[] = [];
  const { client, live, lend } = await stage([endless, endless, [{ say: "Over." }]], {
    mode: "trusted",
    powers: {
      async runInTerminal({ command, signal }) {
        begun.push(command);
        const isSecond = begun.length === 2;
        if (!isSecond) return { ok: true, value: { type: "ended", exit: 0, output: "one" } };
        await new Promise((done) => signal.addEventListener("abort", done, { once: true }));
        resolve(command);
        return { ok: true, value: { type: "interrupted", output: "" } };
      },
    },
  });
  await lend();
  const { id } = await client.create({ content: [{ type: "text", text: "Look at the log." }] });
  const asked: unknown[] = [];
  let starts = 0;
  for await (const event of live.follow(id, { person: true })) {
    if (event.type === "approval-asked") {
      asked.push([event.scopes, event.because, event.preview]);
      const answer = { type: "answer-approval", callId: event.callId, by: "test" } as const;
      await live.command(id, { ...answer, answer: "allow", scope: "once" });
    }
    if (event.type === "call-start" && (starts += 1) === 2) await expect.poll(() => begun.length).toBe(2);
    if (event.type === "call-start" && starts === 2) await live.command(id, { type: "interrupt" });
    if (event.type === "turn-end") break;
  }
  expect(await interrupted).toBe("tail -f log");
  const question = [
    ["once"],
    "it runs in your own terminal: outside of the sandbox, and undo does not cover what it changes",
    expect.stringContaining("tail -f log"),
  ];
  expect(asked).toEqual([question, question]);
});

test("a user who lends no terminal has sessions that do not know of the tool", async () => {
  const { model, client, live, lend } = await stage([[{ say: "One." }], [{ say: "Two." }]], { mode: "ask" });
  await lend({ withoutTools: ["run_in_my_terminal"] });
  const { id } = await client.create({ content: [{ type: "text", text: "Go." }] });
  for await (const event of live.follow(id, { person: true })) if (event.type === "turn-end") break;
  await lend();
  await live.command(id, { type: "send", content: [{ type: "text", text: "Again." }] });
  for await (const event of live.follow(id, { person: true }))
    if (event.type === "turn-end" && event.turn === 2) break;
  const known = model.prompts.map(({ tools }) => tools.some(({ name }) => name === tool));
  expect(known).toEqual([false, true]);
});
