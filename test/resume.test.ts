/** A long session reopens quickly, even after a crash in the middle of a request (SAFETY.md, section 7). */

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Entry, Fact } from "../src/protocol/facts.ts";
import { scriptedModel } from "../src/providers/scripted-model.ts";
import type { Store } from "../src/session/store.ts";
import { storeAt } from "../src/session/testing/store-at.ts";
import { processorMsUntil } from "../src/testing/processor-time.ts";
import { testSession, type TestSession } from "../src/testing/session.ts";
import { temporaryWorkspace } from "../src/testing/workspace.ts";

const most = 10_000;
const words = (at: number, count: number): string => `word${at} of a longer text. `.repeat(count);

/** A round with reasoning, a read, a command and their results; every fourth ends its request. */
function round(at: number): Fact[] {
  const called = (callId: string, name: string): Fact => ({
    type: "call",
    call: { id: callId, name, input: { path: "a", command: "ls" }, source: "native" },
  });
  const ran = (callId: string, does: "read" | "execute", lines: number): Fact[] => [
    { type: "decision", callId, verdict: "allow", because: "it only reads", risk: "none", trace: [] },
    { type: "call-start", callId, title: callId, does },
    { type: "result", callId, outcome: "ok", content: [{ type: "text", text: words(at, lines) }] },
  ];
  const usage = { inputTokens: 1000 + at, outputTokens: 100 };
  const answer: Fact[] = [
    { type: "reasoning", block: 2 * at + 1, text: words(at, 20) },
    { type: "text", block: 2 * at + 2, by: "model", text: words(at, 10) },
    called(`read${at}`, "read_file"),
    called(`run${at}`, "run_command"),
    { type: "answer-end", reason: "tool-calls", model: "m", usage },
    ...ran(`read${at}`, "read", 150),
    ...ran(`run${at}`, "execute", 40),
  ];
  if (at % 4 !== 3) return answer;
  const end: Fact = { type: "turn-end", stopped: "done", changed: [], verified: [], text: "Done." };
  return [...answer, end, ...request(at)];
}

const request = (at: number): Fact[] => [
  { type: "user-message", content: [{ type: "text", text: words(at, 20) }] },
  { type: "turn-start", model: "m", mode: "auto" },
];

/** Fills a session that breaks off in its last request, while a command is running. */
async function fill(store: Store, session: string, workspace: string): Promise<void> {
  const facts: Fact[] = [{ type: "session-start", session, workspace, version: "0" }, ...request(0)];
  for (let at = 0; facts.length < most; at += 1) facts.push(...round(at));
  facts.length = facts.findLastIndex((fact) => fact.type === "call-start" && fact.does === "execute") + 1;
  let turn = 0;
  const entries = facts.map((fact, at): Entry => {
    if (fact.type === "user-message") turn += 1;
    return { ...fact, v: 1, seq: at + 1, at: 1000 + at, turn };
  });
  await store.create({ id: session, workspace, createdAt: 1000 });
  await store.append(session, await store.claim(session), entries);
}

test("SAFETY 7: a crashed session of 10,000 facts reopens complete in less than a second of CPU time", async () => {
  const place = await mkdtemp(join(tmpdir(), "toolwright-resume-"));
  const workspace = await temporaryWorkspace({});
  const store = await storeAt(join(place, "sessions.db"));
  const tries = ["first", "second", "third", "fourth", "fifth"];
  const costs: number[] = [];
  const sessions: TestSession[] = [];
  for (const id of tries) {
    await fill(store, id, workspace.root);
    const before = (await store.get(id))?.facts ?? 0;
    expect(before).toBeGreaterThan(most - 20);
    const model = scriptedModel([[{ say: "Over." }]]);
    const open = async () => sessions.push(await testSession(model, { store, workspace, resume: id }));
    costs.push(await processorMsUntil(open));
    const added = await store.read(id, before);
    expect(added.map(({ type }) => type)).toEqual(["turn-resumed", "result"]);
    expect(added.at(-1)).toMatchObject({ outcome: "interrupted" });
    await sessions.at(-1)?.close();
  }
  // The first runs include compilation.
  expect(Math.min(...costs)).toBeLessThan(1000);
  await store.close();
  await workspace.remove();
  await rm(place, { recursive: true });
});
