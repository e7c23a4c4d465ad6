import { expect, test } from "vitest";
import { sha256 } from "../../base/crypto.ts";
import type { Fact } from "../../protocol/facts.ts";
import { checkpointId } from "../../protocol/fold-changes.ts";
import { step } from "../../protocol/fold.ts";
import { emptyState } from "../../protocol/session-state.ts";
import { mostBundleLineBytes } from "../bounds.ts";
import { openMemoryStore } from "../sqlite/memory-store.ts";
import { WrappedStore } from "../testing/wrapped-store.ts";
import { endLine } from "./bundle.ts";
import { putBundle } from "./put.ts";
import { readBundle } from "./read-bundle.ts";
import {
  callFact,
  done,
  exportText,
  fullSession,
  importStore,
  isProtected,
  mustRead,
  readText,
  request,
  stamp,
  start,
  storeWith,
} from "./testing/bundles.ts";

/** A bundle with a valid last line, whatever else it contains: as an attacker would write it. */
function signed(lines: readonly string[], counts = { facts: 0, blobs: 0, images: 0 }): string {
  const body = lines.map((line) => `${line}\n`).join("");
  return `${body}${endLine(counts, sha256(Buffer.from(body)))}\n`;
}
const head = '{"toolwright":"session","format":1,"id":"s","workspace":"/w","createdAt":1}';
const factOf = (entry: object): string => `{"fact":${JSON.stringify(entry)}}`;
const first = factOf({ ...start, v: 1, seq: 1, at: 1, turn: 0 });

test.each([
  ["nothing", "", "not a session that Toolwright exported"],
  ["another program's file", '{"name":"x"}\n{"a":1}\n', "not a session that Toolwright exported"],
  ["a later format", signed([head.replace('"format":1', '"format":9')]), "newer version of Toolwright"],
  ["a head without an id", signed([head.replace('"id":"s",', "")]), "damaged"],
  ["no facts", signed([head]), "does not begin as a session does"],
  ["wrong counts", signed([head, first], { facts: 7, blobs: 0, images: 0 }), "damaged"],
  [
    "a fact of a later version",
    signed([head, first, factOf({ ...request, v: 2, seq: 2, at: 1, turn: 1 })], {
      facts: 2,
      blobs: 0,
      images: 0,
    }),
    "newer version of Toolwright",
  ],
  [
    "a gap",
    signed([head, first, factOf({ ...request, v: 1, seq: 3, at: 1, turn: 1 })], {
      facts: 2,
      blobs: 0,
      images: 0,
    }),
    "fact 2 in it does not follow",
  ],
  [
    "a second session start",
    signed([head, first, factOf({ ...start, v: 1, seq: 2, at: 1, turn: 0 })], {
      facts: 2,
      blobs: 0,
      images: 0,
    }),
    "begins another session",
  ],
  [
    "an invalid fact",
    signed([head, first, '{"fact":[1,2]}'], { facts: 2, blobs: 0, images: 0 }),
    "fact 2 in it does not follow",
  ],
  [
    "a blob under a wrong hash",
    signed([
      head,
      first,
      JSON.stringify({ blob: sha256(Buffer.from("x")), base64: "eA" }).replace("eA", "eQ"),
    ]),
    "is not what its name says",
  ],
  [
    "deeply nested facts",
    signed([head, first, `{"fact":{"x":${'{"$blob":'.repeat(20_000)}1${"}".repeat(20_000)}}}`], {
      facts: 2,
      blobs: 0,
      images: 0,
    }),
    "fact",
  ],
])("refused: %s", async (_, text, words) => {
  const bundle = await readText(text);
  expect(bundle).toMatchObject({ ok: false, problem: expect.stringContaining(words) });
});

test("a file without line ends is refused as soon as it exceeds the limit of a line", async () => {
  const block = new Uint8Array(1024 * 1024);
  let given = 0;
  async function* endless(): AsyncGenerator<Uint8Array, void> {
    for (;;) {
      given += block.length;
      yield block;
    }
  }
  const bundle = await readBundle(endless());
  expect(bundle).toMatchObject({ ok: false, problem: expect.stringContaining("larger than") });
  expect(given).toBeLessThanOrEqual(mostBundleLineBytes + 2 * block.length);
});

test("unknown fields of a fact and unknown facts of a later version are kept unchanged", async () => {
  const later = { ...request, v: 1, seq: 2, at: 1, turn: 1, mood: "calm" };
  const unknown = { type: "dreamt", of: "sheep", v: 1, seq: 3, at: 1, turn: 1 };
  const end = { ...done, v: 1, seq: 4, at: 1, turn: 1 };
  const text = signed([head, first, ...[later, unknown, end].map(factOf)], { facts: 4, blobs: 0, images: 0 });
  expect(await exportText(await importStore(text))).toBe(text);
});

test("imported approvals grant nothing here, and imported staged changes have expired", async () => {
  const entries = stamp([
    start,
    request,
    callFact("c", "run_command"),
    { type: "answer-end", reason: "tool-calls", model: "m" },
    {
      type: "approval-asked",
      callId: "c",
      title: "Run x",
      because: "it may",
      risk: "high",
      preview: "x",
      grant: "x",
      covers: { type: "tool", tool: "run_command" },
    },
    { type: "approval-answered", callId: "c", answer: "allow", scope: "session", by: "them" },
    { type: "change-staged", callId: "c", token: "t", changes: [], expiresAt: 9e15 },
    { type: "result", callId: "c", outcome: "ok", content: [] },
    done,
  ]);
  const store = await storeWith(entries);
  expect(entries.reduce(step, emptyState()).grants).toHaveLength(1);
  const other = await importStore(await exportText(store), {
    id: "s",
    workspace: "/w",
    isProtected,
  });
  const state = (await other.read("s", 0)).reduce(step, emptyState());
  expect(state.grants).toEqual([]);
  expect(state.staged.get("t")?.expiresAt).toBe(1006);
});

test("an open request is closed by the import: an allowed call that had not started never runs", async () => {
  const entries = stamp([
    start,
    { type: "message-queued", id: "q", content: [{ type: "text", text: "and then?" }], when: "next" },
    request,
    callFact("c"),
    callFact("d", "run_command"),
    { type: "answer-end", reason: "tool-calls", model: "m" },
    { type: "decision", callId: "d", verdict: "allow", because: "they said so", risk: "none", trace: [] },
    { type: "call-start", callId: "c", title: "Write", does: "change" },
  ]);
  const other = await importStore(await exportText(await storeWith(entries)));
  const read = await other.read("s", 0);
  const state = read.reduce(step, emptyState());
  expect({ status: state.status, open: [...state.open], queue: state.queue }).toEqual({
    status: "idle",
    open: [],
    queue: [],
  });
  const outcomes = read.flatMap((entry) => (entry.type === "result" ? [[entry.callId, entry.outcome]] : []));
  expect(outcomes).toEqual([
    ["c", "interrupted"],
    ["d", "cancelled"],
  ]);
  expect(read.at(-1)).toMatchObject({ type: "turn-end", text: expect.stringMatching(/\S/u) }); // E5
});

test.each(["../b", "/b", "a/../../b", "a//b", "./b", "a\0b", ""])(
  "a change of a path outside the workspace, or not in normal form, is refused: %j",
  async (path) => {
    const change = { path, before: null, after: "h", added: 1, removed: 0 };
    const facts: Fact[] = [
      { type: "change-applied", callId: "c", changes: [change] },
      { type: "changes-undone", undoneTurn: 1, changes: [change] },
      { type: "change-staged", callId: "c", token: "t", changes: [change], expiresAt: 1 },
    ];
    for (const fact of facts) {
      const text = await exportText(await storeWith(stamp([start, request, callFact("c"), fact, done])));
      expect(await readText(text)).toMatchObject({
        ok: false,
        problem: expect.stringContaining("outside the workspace"),
      });
    }
  },
);

test("an imported content for a protected path is not available to undo, nor as a blob", async () => {
  const hook = Buffer.from("#!/bin/sh\necho mine now\n");
  const change = {
    path: ".git/hooks/post-checkout",
    before: sha256(hook),
    after: null,
    added: 0,
    removed: 2,
  };
  const entries = stamp([
    start,
    request,
    callFact("c"),
    { type: "change-applied", callId: "c", changes: [change] },
    done,
  ]);
  const store = await storeWith(entries);
  await store.keepImage("s", checkpointId(entries.reduce(step, emptyState()), 1), hook);
  const bundle = await mustRead(await exportText(store));
  bundle.blobs.set(sha256(hook), hook);
  const other = openMemoryStore();
  await putBundle(other, bundle, { id: "s", workspace: "/w", isProtected });
  expect([await other.image("s", sha256(hook)), await other.getBlob(sha256(hook))]).toEqual([
    undefined,
    undefined,
  ]);
});

class FullStore extends WrappedStore {
  override async append(): Promise<void> {
    throw new Error("the disk is full");
  }
}

test("a bundle that cannot be stored whole leaves nothing of the session", async () => {
  const bundle = await mustRead(await exportText(await fullSession()));
  const store = new FullStore();
  await expect(putBundle(store, bundle, { id: "s", workspace: "/w", isProtected })).rejects.toThrow(
    "the disk is full",
  );
  expect(await store.list()).toEqual([]);
});

test("an imported session that was in the mode trusted is not in it here, whether its request was open or not", async () => {
  const began: Fact[] = [start, request, { type: "turn-start", model: "m", mode: "trusted" }];
  for (const [facts, closed] of [
    [began, true],
    [[...began, done], false],
    [[start, { type: "mode-set", mode: "trusted", by: "user" }], false],
  ] as const) {
    const bundle = await mustRead(await exportText(await storeWith(stamp(facts))));
    const store = openMemoryStore();
    expect(await putBundle(store, bundle, { id: "here", workspace: "/here", isProtected })).toEqual({
      closed,
    });
    const entries = await store.read("here", 0);
    expect(entries.at(-1)).toMatchObject({ type: "mode-set", mode: "ask", by: "toolwright" });
    expect(entries.reduce(step, emptyState()).mode).toBe("ask");
  }
});
