import { expect, test } from "vitest";
import type { ChangedFile, Entry, Fact } from "./facts.ts";
import { checkpointId, checkpointOf, checkpointsOf, laterTurns, trailsOf } from "./fold-changes.ts";
import { step } from "./fold.ts";
import { emptyState, type SessionState } from "./session-state.ts";

function fold(...facts: Fact[]): SessionState {
  const state = emptyState();
  let turn = 0;
  for (const [index, fact] of facts.entries()) {
    if (fact.type === "user-message") turn += 1;
    const entry: Entry = { v: 1, seq: index + 1, at: 1000 + index, turn, ...fact };
    step(state, entry);
  }
  return state;
}

let calls = 0;
function turn(...changes: ChangedFile[]): Fact[] {
  const callId = `c${(calls += 1)}`;
  return [
    { type: "user-message", content: [] },
    { type: "call", call: { id: callId, name: "n", input: {}, source: "native" } },
    { type: "change-applied", callId, changes },
    { type: "result", callId, outcome: "ok", content: [] },
    { type: "turn-end", stopped: "done", changed: [], verified: [], text: "" },
  ];
}

const file = (
  path: string,
  before: string | null,
  after: string | null,
  more: Partial<ChangedFile> = {},
): ChangedFile => ({
  path,
  before,
  after,
  added: 1,
  removed: 2,
  ...more,
});
const undone = (undoneTurn: number, changes: ChangedFile[], more: object = {}): Fact => ({
  type: "changes-undone",
  undoneTurn,
  changes,
  ...more,
});
const statuses = (state: SessionState): unknown =>
  checkpointsOf(state).map(({ status, files }) => [status, ...files.map((each) => each.status)]);

test("A40: a checkpoint is pending, kept, undone or partial, depending on its files", () => {
  const made = turn(file("a", "1", "2"), file("b", null, "2"));
  const backA = file("a", "2", "1");
  const keep = (paths?: string[]): Fact => ({
    type: "changes-kept",
    keptTurn: 1,
    ...(paths ? { paths } : {}),
  });
  expect(statuses(fold(...made))).toEqual([["pending", "pending", "pending"]]);
  expect(statuses(fold(...made, undone(1, [backA])))).toEqual([["partial", "undone", "pending"]]);
  expect(statuses(fold(...made, undone(1, [backA, file("b", "2", null)])))).toEqual([
    ["undone", "undone", "undone"],
  ]);
  expect(statuses(fold(...made, keep()))).toEqual([["kept", "kept", "kept"]]);
  expect(statuses(fold(...made, keep(["b"])))).toEqual([["partial", "pending", "kept"]]);
  const parts = [
    undone(1, [file("a", "2", "2x")], { rest: [{ path: "a", hash: "2x" }] }),
    undone(1, [file("a", "2x", "1")]),
  ];
  expect(statuses(fold(...made, ...parts.slice(0, 1)))).toEqual([["partial", "partial", "pending"]]);
  expect(statuses(fold(...made, ...parts))).toEqual([["partial", "undone", "pending"]]);
  const again = [
    undone(1, [file("a", "1", "2x")], { again: true }),
    undone(1, [file("a", "2x", "2")], { again: true }),
  ];
  expect(statuses(fold(...made, ...parts, ...again.slice(0, 1)))).toEqual([
    ["partial", "partial", "pending"],
  ]);
  expect(statuses(fold(...made, ...parts, ...again))).toEqual([["pending", "pending", "pending"]]);
});

test("facts about unknown turns and files change nothing", () => {
  const made = turn(file("a", "1", "2"));
  const strange: Fact[] = [
    undone(7, [file("a", "2", "1")]),
    undone(1, [file("z", "2", "1")], { rest: [{ path: "y", hash: "1" }] }),
    undone(1, [file("z", "2", "1")], { again: true }),
    { type: "changes-kept", keptTurn: 7 },
    { type: "changes-kept", keptTurn: 1, paths: ["z"] },
  ];
  expect(statuses(fold(...made, ...strange))).toEqual([["pending", "pending"]]);
});

test("a mode first recorded by a later change also applies to the file's earlier states", () => {
  const mode = (was: number, is: number): Partial<ChangedFile> => ({
    was: { kind: "file", mode: was },
    is: { kind: "file", mode: is },
  });
  const [trail] = trailsOf(
    fold(...turn(file("a", "1", "2"), file("a", "2", "2", mode(0o644, 0o755)), file("a", "2", "3"))).changes,
    1,
  );
  expect(trail).toMatchObject({
    before: { kind: "file", hash: "1", mode: 0o644 },
    left: [{ kind: "file", hash: "3", mode: 0o755 }],
  });
  const gone = fold(
    ...turn(file("a", "1", "2"), file("a", "2", null, { was: { kind: "file", mode: 0o600 } })),
  );
  expect(trailsOf(gone.changes, 1)).toMatchObject([{ before: { hash: "1", mode: 0o600 }, left: [null] }]);
  expect(checkpointOf(fold(...turn(file("a", "1", "1", mode(0o644, 0o755)))), 1)?.files).toMatchObject([
    { action: "modified", mode: { before: 0o644, after: 0o755 } },
  ]);
});

test("a file created and deleted again, or restored, within a turn is no change", () => {
  const state = fold(
    ...turn(file("a", null, "1"), file("a", "1", null), file("b", "1", "2"), file("b", "2", "1")),
  );
  expect(trailsOf(state.changes, 1)).toEqual([]);
  expect(checkpointOf(state, 1)).toMatchObject({ status: "pending", files: [], added: 0 });
});

test("a call interrupted by a crash leaves two possible file states, and a later fact settles them", () => {
  const start: Fact[] = [
    { type: "user-message", content: [] },
    { type: "call", call: { id: "x", name: "n", input: {}, source: "native" } },
    { type: "call-start", callId: "x", title: "t", does: "change", changes: [file("a", "1", "2")] },
  ];
  const over: Fact = { type: "result", callId: "x", outcome: "interrupted", content: [] };
  const lefts = (state: SessionState): unknown =>
    trailsOf(state.changes, 1).map(({ left }) => left.map((one) => one?.hash));
  expect(lefts(fold(...start, over))).toEqual([["1", "2"]]);
  expect(lefts(fold(...start, { ...over, outcome: "failed" }))).toEqual([]);
  const settled: Fact = { type: "change-applied", callId: "x", changes: [] };
  expect(lefts(fold(...start, settled, over))).toEqual([]);
});

test("later turns are those whose changes of the path are still in effect", () => {
  const state = fold(
    ...turn(file("a", "1", "2")),
    ...turn(file("a", "2", "3")),
    ...turn(file("a", "3", "4"), file("b", "1", "2")),
    ...turn(file("a", "4", "5"), file("a", "5", "4")),
    undone(3, [file("a", "4", "3")]),
  );
  expect(laterTurns(state.changes, 1, "a")).toEqual([2]);
  expect(laterTurns(state.changes, 1, "b")).toEqual([3]);
  expect(laterTurns(state.changes, 3, "a")).toEqual([]);
});

test("A7: a checkpoint's id derives from session, turn and time, and exists before any change", () => {
  const state = fold(
    { type: "session-start", session: "s", workspace: "/w", version: "1" },
    { type: "user-message", content: [] },
  );
  expect(checkpointId(state, 1)).toMatch(/^ckpt_1001_[0-9a-f]{8}$/);
  expect(checkpointOf(state, 1)?.id).toBe(checkpointId(state, 1));
  expect(checkpointId({ ...state, session: "other" }, 1)).not.toBe(checkpointId(state, 1));
  expect(checkpointOf(state, 2)).toBeUndefined();
});
