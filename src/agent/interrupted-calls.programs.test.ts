/** Tests what is left of calls that an interruption cuts short. */

import { expect, onTestFinished, test } from "vitest";
import type { Fact } from "../protocol/facts.ts";
import { textOf } from "../protocol/messages.ts";
import { scriptedModel } from "../providers/scripted-model.ts";
import { openMemoryStore } from "../session/sqlite/memory-store.ts";
import { resultsOf } from "../testing/scripted-session.ts";
import { testSession, type TestSessionOptions } from "../testing/session.ts";

const command = (words: string) => ({ call: "run_command", with: { command: words }, id: "run" });

/** A session whose command is interrupted as soon as it has printed these words. */
async function interruptedAt(words: string, run: string, options: TestSessionOptions = {}) {
  const model = scriptedModel([[command(run)], [{ say: "I see." }]]);
  const opened = await testSession(model, { mode: "auto", store: openMemoryStore(), ...options });
  onTestFinished(() => opened.close());
  const { session } = opened;
  const printed = Promise.withResolvers<void>();
  let heard = "";
  session.log.listen((event) => {
    if (event.type === "approval-asked")
      queueMicrotask(
        () =>
          void session.command({
            type: "answer-approval",
            callId: event.callId,
            answer: "allow",
            scope: "once",
            by: "test",
          }),
      );
    if (event.type !== "output-delta") return;
    heard += event.text;
    if (heard.includes(words)) printed.resolve();
  });
  await session.command({ type: "send", content: [{ type: "text", text: "go" }] });
  await printed.promise;
  expect(await session.command({ type: "interrupt" })).toEqual({ ok: true });
  const [result] = resultsOf(opened.facts());
  return { ...opened, model, result, text: textOf(result?.content ?? []) };
}

test("what a command had printed when it was interrupted is its result, for people and the model", async () => {
  const { result, text, ask, model, facts } = await interruptedAt(
    "half",
    "echo one; echo half; sleep 600; echo never",
  );
  expect(result).toMatchObject({ callId: "run", outcome: "cancelled" });
  expect(text).toContain("one\nhalf\n");
  expect(text).not.toContain("\nnever");
  expect(text).toContain("Stopped by the user while it ran: it may be half done.");
  expect(facts().at(-1)).toMatchObject({ type: "turn-end", stopped: "interrupted" });
  await ask("and?");
  const heard = model.prompts[1]?.messages.find(({ role }) => role === "tool");
  expect(textOf(heard?.content.filter((part) => part.type === "text") ?? [])).toContain("one\nhalf\n");
});

test("a long output of an interrupted command is shortened as any other, and kept whole", async () => {
  const { result, text, store } = await interruptedAt("last line", "seq 1 20000; echo last line; sleep 600");
  expect(text.length).toBeLessThan(20_000);
  expect(text).toContain("last line");
  const blob = await store.getBlob(result?.full?.blob ?? "");
  expect(Buffer.from(blob ?? []).toString("utf8")).toMatch(/^1\n2\n3\n[^]*\n20000\nlast line\n$/u);
});

test("what a command printed before its changes were asked about outlives an interruption", async () => {
  const store = openMemoryStore();
  await store.create({ id: "s", workspace: "/w", createdAt: 0 });
  const facts: Fact[] = [
    { type: "session-start", session: "s", workspace: "/w", version: "0" },
    { type: "user-message", content: [{ type: "text", text: "go" }] },
    { type: "turn-start", model: "m", mode: "ask" },
    { type: "call", call: { id: "run", name: "run_command", input: { command: "odd" }, source: "native" } },
    { type: "answer-end", reason: "tool-calls", model: "m" },
    { type: "call-start", callId: "run", title: "Run odd", does: "execute" },
    {
      type: "command-tried",
      callId: "run",
      changes: [],
      result: { outcome: "ok", content: [{ type: "text", text: "42 files" }] },
    },
    {
      type: "approval-asked",
      callId: "run",
      title: "Keep",
      preview: "",
      risk: "medium",
      because: "?",
      grant: "",
    },
  ];
  const entries = facts.map((fact, at) => ({ ...fact, v: 1, seq: at + 1, at: 1, turn: at === 0 ? 0 : 1 }));
  await store.append("s", await store.claim("s"), entries);
  const opened = await testSession(scriptedModel([]), { store, resume: "s" });
  onTestFinished(() => opened.close());
  await opened.session.command({ type: "interrupt" });
  const [result] = resultsOf(opened.facts());
  expect(result?.outcome).toBe("cancelled");
  expect(textOf(result?.content ?? [])).toMatch(/^42 files\nIt had run, and what it changed was not kept/u);
});
