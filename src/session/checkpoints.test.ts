import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { expect, test } from "vitest";
import { factVersion, type ChangedFile, type Fact } from "../protocol/facts.ts";
import { emptyState, step, type SessionState } from "../protocol/fold.ts";
import { undoTurn, type UndoFiles } from "./checkpoints.ts";
import { sha256 } from "../base/crypto.ts";

type Content = string | null;

const bytesOf = (content: Content): Uint8Array | null =>
  content === null ? null : new TextEncoder().encode(content);
const textOf = (bytes: Uint8Array | null): Content => bytes && new TextDecoder().decode(bytes);

/** A workspace and its session: changes reach the disk and the log as the agent makes them. */
class Workspace {
  readonly disk = new Map<string, string>();
  readonly blobs = new Map<string, Uint8Array>();
  readonly writes: string[] = [];
  broken: string | undefined;
  state: SessionState = emptyState();
  #calls = 0;
  #turn = 0;

  say(...facts: Fact[]): void {
    for (const fact of facts) {
      if (fact.type === "user-message") this.#turn += 1;
      this.state = step(this.state, {
        ...fact,
        v: factVersion,
        seq: this.state.seq + 1,
        at: 1,
        turn: this.#turn,
      });
    }
  }

  turn(...changes: [string, Content][]): void {
    this.say({ type: "user-message", content: [] });
    for (const [path, after] of changes) this.change([[path, after]]);
    this.end();
  }

  end(): void {
    this.say({ type: "turn-end", stopped: "done", changed: [], verified: [], text: "" });
  }

  change(files: [string, Content][], crash?: "before the write" | "after the write"): void {
    const callId = `c${(this.#calls += 1)}`;
    const changes = files.map(([path, after]) => this.#describe(path, after));
    this.say({ type: "call", call: { id: callId, name: "n", input: {}, source: "native" } });
    this.say({ type: "call-start", callId, title: "t", does: "change", changes });
    if (crash !== "before the write") for (const [path, after] of files) this.put(path, after);
    if (crash) this.say({ type: "result", callId, outcome: "interrupted", content: [] });
    else
      this.say(
        { type: "change-applied", callId, changes },
        { type: "result", callId, outcome: "ok", content: [] },
      );
  }

  put(path: string, content: Content): void {
    if (content === null) this.disk.delete(path);
    else this.disk.set(path, content);
  }

  async undo(turn?: number) {
    const undone = await undoTurn({
      state: this.state,
      ...(turn === undefined ? {} : { turn }),
      getBlob: async (hash) => this.blobs.get(hash),
      files: this.#files(),
    });
    if (undone.ok) this.say({ type: "changes-undone", ...undone.value });
    return undone;
  }

  #describe(path: string, after: Content): ChangedFile {
    const before = bytesOf(this.disk.get(path) ?? null);
    if (before) this.blobs.set(sha256(before), before);
    return {
      path,
      before: hashOf(textOf(before)),
      after: hashOf(after),
      added: after?.length ?? 0,
      removed: before?.length ?? 0,
    };
  }

  #files(): UndoFiles {
    const touch = async (path: string, content: Content) => {
      if (path === this.broken)
        return { ok: false as const, problem: `Cannot write ${path}: permission is denied` };
      this.writes.push(path);
      this.put(path, content);
      return { ok: true as const, value: undefined };
    };
    return {
      read: async (path) => ({ ok: true, value: bytesOf(this.disk.get(path) ?? null) }),
      write: (path, bytes) => touch(path, textOf(bytes)),
      remove: (path) => touch(path, null),
    };
  }
}

const hashOf = (content: Content): string | null => {
  const bytes = bytesOf(content);
  return bytes && sha256(bytes);
};

const path = fc.constantFrom("a", "b", "src/c");
const content = fc.option(fc.constantFrom("", "one", "two", "three"));
const turns = fc.array(fc.array(fc.tuple(path, content), { maxLength: 5 }), { minLength: 1, maxLength: 4 });

test("A40: turns taken back one by one, newest first, lead back through every earlier state of the files", async () => {
  await fc.assert(
    fc.asyncProperty(turns, async (planned) => {
      const workspace = new Workspace();
      workspace.put("a", "original");
      const states = planned.map((changes) => {
        const before = Object.fromEntries(workspace.disk);
        workspace.turn(...changes);
        // Not by order: a file that was deleted and written again is the same file.
        return { before, hasChanged: !isDeepStrictEqual(before, Object.fromEntries(workspace.disk)) };
      });
      for (const { before } of states.filter(({ hasChanged }) => hasChanged).toReversed()) {
        expect(await workspace.undo()).toMatchObject({ ok: true });
        expect(Object.fromEntries(workspace.disk)).toEqual(before);
      }
    }),
  );
});

test("A40: the first before-image of a path counts, created files go, deleted ones come back, and the way is described", async () => {
  const workspace = new Workspace();
  workspace.put("old", "1");
  workspace.put("gone", "g");
  workspace.turn(
    ["old", "22"],
    ["old", "333"],
    ["new", "n"],
    ["gone", null],
    ["passing", "p"],
    ["passing", null],
  );
  expect(await workspace.undo()).toEqual({
    ok: true,
    value: {
      undoneTurn: 1,
      changes: [
        { path: "old", before: hashOf("333"), after: hashOf("1"), added: 3, removed: 5 },
        { path: "new", before: hashOf("n"), after: null, added: 0, removed: 1 },
        { path: "gone", before: null, after: hashOf("g"), added: 1, removed: 0 },
      ],
    },
  });
  expect(Object.fromEntries(workspace.disk)).toEqual({ old: "1", gone: "g" });
});

test("later work is never destroyed: one changed file stops the whole undo before anything is written", async () => {
  const workspace = new Workspace();
  workspace.put("a", "1");
  workspace.turn(["a", "2"], ["b", "2"], ["c", "2"]);
  workspace.put("b", "mine");
  workspace.put("c", null);
  expect(await workspace.undo()).toEqual({
    ok: false,
    problem: "b changed since; nothing was taken back. Undo the later changes first.",
    paths: ["b"],
  });
  expect(workspace.writes).toEqual([]);
  expect(Object.fromEntries(workspace.disk)).toEqual({ a: "2", b: "mine" });
});

test("an earlier turn is taken back while later ones stay, unless they touched the same files", async () => {
  const workspace = new Workspace();
  workspace.turn(["a", "1"], ["b", "1"]);
  workspace.turn(["b", "2"]);
  workspace.turn(["c", "3"]);
  expect(await workspace.undo(1)).toMatchObject({ ok: false, paths: ["b"] });
  expect(await workspace.undo(2)).toMatchObject({ ok: true });
  expect(await workspace.undo(1)).toMatchObject({ ok: true, value: { undoneTurn: 1 } });
  expect(Object.fromEntries(workspace.disk)).toEqual({ c: "3" });
});

test("there must be something to take back, and a request that is over", async () => {
  const workspace = new Workspace();
  const problem = async (turn?: number) => {
    const undone = await workspace.undo(turn);
    return undone.ok ? undefined : undone.problem;
  };
  expect(await problem()).toBe("There are no changes to take back.");
  workspace.turn();
  workspace.turn(["a", "1"]);
  expect(await problem(1)).toBe("Request 1 changed no files.");
  expect(await problem(7)).toBe("There is no request 7.");
  expect(await problem(2)).toBeUndefined();
  expect(await problem(2)).toBe("The changes of request 2 were taken back already.");
  expect(await problem()).toBe("There are no changes to take back.");
  workspace.say({ type: "user-message", content: [] });
  workspace.change([["a", "2"]]);
  expect(await problem()).toBe(
    "The request is not over. Finish or interrupt it before taking its changes back.",
  );
});

test("a before-image that is gone is said before anything is written", async () => {
  const workspace = new Workspace();
  workspace.put("a", "1");
  workspace.turn(["b", "2"], ["a", "2"]);
  workspace.blobs.clear();
  expect(await workspace.undo()).toEqual({
    ok: false,
    problem: "The earlier content of a is no longer stored; nothing was changed.",
    paths: ["a"],
  });
  expect(workspace.writes).toEqual([]);
});

test("an undo that was cut short is simply asked for again", async () => {
  const workspace = new Workspace();
  for (const file of ["a", "b"]) workspace.put(file, "1");
  workspace.turn(["a", "2"], ["b", "2"]);
  workspace.broken = "b";
  expect(await workspace.undo()).toEqual({
    ok: false,
    problem: "Cannot write b: permission is denied",
    paths: ["b"],
  });
  workspace.broken = undefined;
  expect(await workspace.undo()).toMatchObject({ ok: true });
  expect(workspace.writes).toEqual(["a", "b"]);
  expect(Object.fromEntries(workspace.disk)).toEqual({ a: "1", b: "1" });
});

test("a change that a crash cut off is taken back too, whether it had reached the disk or not", async () => {
  for (const crash of ["before the write", "after the write"] as const) {
    const workspace = new Workspace();
    workspace.put("a", "1");
    workspace.say({ type: "user-message", content: [] });
    workspace.change([["a", "2"]]);
    workspace.change(
      [
        ["a", "3"],
        ["b", "3"],
      ],
      crash,
    );
    workspace.end();
    expect(await workspace.undo()).toMatchObject({ ok: true });
    expect(Object.fromEntries(workspace.disk)).toEqual({ a: "1" });
  }
});
