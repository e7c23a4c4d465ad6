import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { JsonObject } from "../base/json.ts";
import { hermes } from "../dialects/hermes.ts";
import type { Command } from "../protocol/commands.ts";
import type { Entry } from "../protocol/facts.ts";
import type { Message } from "../protocol/messages.ts";
import type { Prompt } from "../providers/provider.ts";
import { scriptedModel } from "../providers/scripted-model.ts";
import { asText } from "../providers/taught-model.ts";
import { openMemoryStore } from "../session/sqlite/memory-store.ts";
import type { StreamedBlock } from "../session/store.ts";
import { wholeLog } from "../session/testing/log-arbitrary.ts";
import { scale } from "../testing/scale.ts";
import { testSession, type TestSession } from "../testing/session.ts";
import { temporaryWorkspace, type TemporaryWorkspace } from "../testing/workspace.ts";
import { defineTool, ok } from "../tools/tool.ts";
import { wires } from "../wires/index.ts";

let workspace: TemporaryWorkspace;
beforeAll(async () => void (workspace = await temporaryWorkspace({})));
afterAll(() => workspace.remove());

/** Reopens a session whose log a crash cut off, with the open block that the next fact would have closed. */
async function reopened(entries: readonly Entry[], open: StreamedBlock | undefined) {
  const store = openMemoryStore();
  await store.create({ id: "s", workspace: workspace.root, createdAt: 0 });
  const epoch = await store.claim("s");
  await store.append("s", epoch, entries);
  if (open) await store.keepOpenBlock("s", epoch, open);
  const model = scriptedModel(() => [{ say: "Done." }]);
  return { ...(await testSession(model, { store, workspace, resume: "s" })), model };
}

const crashed = fc.tuple(wholeLog, fc.nat(), fc.nat()).map(([log, place, length]) => {
  const entries = log.slice(0, 1 + (place % log.length));
  const next = log[entries.length];
  const isBlock = next?.type === "reasoning" || (next?.type === "text" && next.by === "model");
  const open: StreamedBlock | undefined = isBlock
    ? { block: next.block, kind: next.type, text: next.text.slice(0, length % (next.text.length + 1)) }
    : undefined;
  return { entries, open };
});

const request: Command = { type: "send", content: [{ type: "text", text: "And now?" }] };

/** Resumes an open turn (or interrupts it), answers its questions, and sends one more request. */
async function goOn({ session }: TestSession, interrupt: boolean): Promise<void> {
  if (session.state.status === "running") await session.command({ type: interrupt ? "interrupt" : "go-on" });
  await session.idle();
  if (session.state.status === "running") await session.command({ type: "interrupt" });
  await session.command(request);
  await session.idle();
}

/** One result per call, right after its answer; user and assistant alternate; the last message is not the model's. */
function expectValid(messages: readonly Message[]): void {
  const open = new Set<string>();
  let last: Message["role"] | "none" = "none";
  for (const message of messages) {
    if (message.role === "tool")
      expect([message.callId, open.delete(message.callId)]).toEqual([message.callId, true]);
    else expect([...open]).toEqual([]);
    if (message.role === "user") expect(["none", "assistant", "tool"]).toContain(last);
    if (message.role === "assistant") {
      expect(["user", "tool"]).toContain(last);
      expect(message.content.some(says)).toBe(true);
      for (const part of message.content) if (part.type === "call") open.add(part.call.id);
    }
    last = message.role;
  }
  expect([...open]).toEqual([]);
  expect(["user", "tool"]).toContain(last);
}

const says = (part: { type: string; text?: string }): boolean =>
  part.type === "call" || (part.type === "text" && part.text?.trim() !== "");

/** Encodes for a provider, then decodes as a server would. */
function throughWire(prompt: Prompt, name: keyof typeof wires): Message[] {
  const wire = wires[name];
  const model = name === "gemini" ? "gemini-3-pro" : "m";
  const body: JsonObject = wire.encodeAsk({ model, ...prompt, tools: [...prompt.tools] }, { streamed: true });
  return wire.decodeAsk(JSON.parse(JSON.stringify(body)), { model, streamed: true }).ask.messages;
}

test("after any crash, however the session continues, its prompts are valid on every wire and as text", async () => {
  await fc.assert(
    fc.asyncProperty(crashed, fc.boolean(), async ({ entries, open }, interrupt) => {
      const opened = await reopened(entries, open);
      await goOn(opened, interrupt);
      expect(opened.model.prompts.length).toBeGreaterThan(0);
      for (const prompt of opened.model.prompts) {
        expectValid(prompt.messages);
        for (const name of Object.keys(wires) as (keyof typeof wires)[])
          expectValid(throughWire(prompt, name));
        const roles = asText(prompt, hermes).messages.map((message) => message.role);
        expect(roles).toEqual(roles.map((_, at) => (at % 2 === 0 ? "user" : "assistant")));
        expect(roles.at(-1)).toBe("user");
      }
      await opened.close();
    }),
    { numRuns: 50 * scale },
  );
});

test("a tool whose name providers reject is offered and called under a valid name", async () => {
  const odd = defineTool({
    name: `mcp server.${"list/".repeat(20)}`,
    summary: "Lists.",
    does: "read",
    input: {},
    title: () => "List",
    run: async () => ok("two things"),
  });
  const called = `mcp_server_${"list_".repeat(20)}`.slice(0, 64);
  const model = scriptedModel([[{ call: called, with: {} }], [{ say: "Two." }]]);
  const opened = await testSession(model, { workspace, tools: [odd] });
  await opened.ask("List.");
  await opened.close();
  expect(model.prompts[0]?.tools.map(({ name }) => name)).toEqual([called]);
  expect(model.prompts[1]?.messages.at(-1)).toMatchObject({ role: "tool", name: called, isError: false });
});
