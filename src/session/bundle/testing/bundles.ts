/** Sessions and bundles for the tests of writing and reading bundles. */

import { sha256 } from "../../../base/crypto.ts";
import type { Entry, Fact } from "../../../protocol/facts.ts";
import { checkpointId } from "../../../protocol/fold-changes.ts";
import { step } from "../../../protocol/fold.ts";
import { emptyState } from "../../../protocol/session-state.ts";
import { openMemoryStore } from "../../sqlite/memory-store.ts";
import type { Store } from "../../store.ts";
import { bundleLines } from "../bundle.ts";
import { putBundle } from "../put.ts";
import { type Bundle, readBundle } from "../read-bundle.ts";

const info = { id: "s", workspace: "/w", createdAt: 1 };

export const isProtected = (path: string): boolean => path.startsWith(".git/");

export const stamp = (facts: readonly Fact[], turn = 1): Entry[] =>
  facts.map((fact, at) => ({ ...fact, v: 1, seq: at + 1, at: 1000 + at, turn: at === 0 ? 0 : turn }));

export async function storeWith(entries: readonly Entry[]): Promise<Store> {
  const store = openMemoryStore();
  await store.create(info);
  await store.append("s", await store.claim("s"), entries);
  return store;
}

export async function exportText(store: Store, id = "s"): Promise<string> {
  const summary = await store.get(id);
  if (!summary) throw new Error(`There is no ${id}.`);
  let text = "";
  for await (const line of bundleLines(store, summary, { leftOut: 0, keepOut: undefined })) text += line;
  return text;
}

async function* cutInto(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array, void> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

export const readText = (text: string | Uint8Array, size = 100) =>
  readBundle(cutInto(typeof text === "string" ? Buffer.from(text) : text, size));

export async function mustRead(text: string): Promise<Bundle> {
  const bundle = await readText(text);
  if (!bundle.ok) throw new Error(bundle.problem);
  return bundle.value;
}

export async function importStore(
  text: string,
  home = { id: "s", workspace: "/w", isProtected },
): Promise<Store> {
  const store = openMemoryStore();
  await putBundle(store, await mustRead(text), home);
  return store;
}

export const start: Fact = { type: "session-start", session: "s", workspace: "/w", version: "1" };
export const request: Fact = { type: "user-message", content: [{ type: "text", text: "go" }] };
export const callFact = (id: string, tool = "change_it"): Fact => ({
  type: "call",
  call: { id, name: tool, input: {}, source: "native" },
});
export const done: Fact = { type: "turn-end", stopped: "done", changed: [], verified: [], text: "." };

/** A session with one of everything a bundle carries: a long text, a whole output, before-images. */
export async function fullSession(): Promise<Store> {
  const [before, after] = ["before\n", "after\n"].map((text) => Buffer.from(text));
  const output = Buffer.from("all of it\n".repeat(2000));
  const change = {
    path: "a.txt",
    before: sha256(before ?? output),
    after: sha256(after ?? output),
    added: 1,
    removed: 1,
  };
  const entries = stamp([
    start,
    request,
    { type: "text", block: 1, text: "long ".repeat(10_000), by: "model" },
    callFact("c"),
    {
      type: "answer-end",
      reason: "tool-calls",
      model: "m",
      usage: { inputTokens: 1, outputTokens: 2 },
      cost: 0.5,
    },
    { type: "call-start", callId: "c", title: "Write", does: "change", changes: [change] },
    { type: "change-applied", callId: "c", changes: [change] },
    {
      type: "result",
      callId: "c",
      outcome: "ok",
      content: [{ type: "text", text: "ok" }],
      full: { blob: sha256(output), bytes: output.length },
    },
    done,
  ]);
  const store = await storeWith(entries);
  await store.putBlob(output);
  const owner = checkpointId(entries.reduce(step, emptyState()), 1);
  for (const bytes of [before, after]) if (bytes) await store.keepImage("s", owner, bytes);
  return store;
}
