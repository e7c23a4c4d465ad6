/** Test helper: a workspace of real files and its session, with changes made and recorded as the agent does it. */

import {
  chmodSync,
  lstatSync,
  mkdtempSync,
  realpathSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { applyChanges } from "../../../base/safe-fs/apply.ts";
import { bytesOfImage, type Change, fileImage, type Image } from "../../../base/safe-fs/image.ts";
import { openTree } from "../../../base/safe-fs/open-tree.ts";
import type { Tree } from "../../../base/safe-fs/tree.ts";
import type { Entry, Fact } from "../../../protocol/facts.ts";
import { checkpointId } from "../../../protocol/fold-changes.ts";
import { SessionLog } from "../../log.ts";
import { recoverFiles } from "../../recover-files.ts";
import { openMemoryStore } from "../../sqlite/memory-store.ts";
import type { Store } from "../../store.ts";
import {
  type CheckpointContext,
  keep,
  prune,
  redo,
  undo,
  type Undone,
  type UndoRequest,
} from "../checkpoints.ts";
import type { Which } from "../choose.ts";
import { describeChange, presentAt } from "../images.ts";

/** The state wanted at a path: text, nothing, or something with a kind and mode. */
export type WantedState =
  | string
  | null
  | { text: string; mode: number }
  | { link: string }
  | { directory: number };

type Crash = "before the intent" | "after the intent" | "after the writes";

export class ChangedWorkspace {
  readonly root: string;
  readonly store: Store;
  files: Tree;
  log: SessionLog;
  #calls = 0;

  static async open(store: Store = openMemoryStore()): Promise<ChangedWorkspace> {
    process.umask(0o022); // snapshots show modes
    const root = realpathSync(mkdtempSync(join(tmpdir(), "toolwright-")));
    const session = "s1";
    await store.create({ id: session, workspace: root, createdAt: 1 });
    const log = await logOf(store);
    await log.append({ type: "session-start", session, workspace: root, version: "1" });
    return new ChangedWorkspace({ root, store, log });
  }

  private constructor(parts: { root: string; store: Store; log: SessionLog }) {
    this.root = parts.root;
    this.store = parts.store;
    this.log = parts.log;
    this.files = treeAt(parts.root);
  }

  async close(): Promise<void> {
    this.files.close();
    // Only root may empty a directory that is read-only.
    for (const [path, was] of Object.entries(this.snapshot()))
      if (was.startsWith("directory")) chmodSync(join(this.root, path), 0o755);
    rmSync(this.root, { recursive: true, force: true });
  }

  get context(): CheckpointContext {
    return { state: this.log.state, files: this.files, store: this.store };
  }

  /** Simulates someone else's work: none of it is recorded. */
  put(path: string, wanted: WantedState): void {
    const place = join(this.root, path);
    if (typeof wanted === "object" && wanted !== null && "directory" in wanted) {
      mkdirSync(place, { recursive: true });
      return chmodSync(place, wanted.directory);
    }
    rmSync(place, { recursive: true, force: true });
    if (wanted === null) return undefined;
    mkdirSync(dirname(place), { recursive: true });
    if (typeof wanted === "string") return writeFileSync(place, wanted);
    if ("link" in wanted) return symlinkSync(wanted.link, place);
    writeFileSync(place, wanted.text);
    return chmodSync(place, wanted.mode);
  }

  /** A turn with one call per group of changes. */
  async turn(...groups: Record<string, WantedState>[]): Promise<void> {
    await this.begin();
    for (const group of groups) await this.change(group);
    await this.end();
  }

  async begin(): Promise<void> {
    await this.log.append(
      { type: "user-message", content: [] },
      { type: "turn-start", model: "m", mode: "auto" },
    );
  }

  async end(): Promise<void> {
    await this.log.append({ type: "turn-end", stopped: "done", changed: [], verified: [], text: "" });
  }

  async change(group: Record<string, WantedState>, crash?: Crash): Promise<void> {
    const callId = `c${(this.#calls += 1)}`;
    const changes: Change[] = [];
    for (const [path, wanted] of Object.entries(group)) {
      const [before, after] = [must(await presentAt(path, this.context)), imageOf(wanted)];
      if (before !== null || after !== null) changes.push({ path, before, after });
    }
    if (changes.length === 0) return;
    const { state } = this.log;
    const owner = checkpointId(state, state.turn);
    for (const { before } of changes)
      if (before && before.kind !== "directory")
        await this.store.keepImage(state.session, owner, await bytesOfImage(before));
    const files = await Promise.all(
      changes.map(({ path, before, after }) => describeChange(path, before, after)),
    );
    await this.log.append(
      { type: "call", call: { id: callId, name: "n", input: {}, source: "native" } },
      { type: "answer-end", reason: "tool-calls", model: "m" },
    );
    if (crash === "before the intent") return;
    await this.log.append({ type: "call-start", callId, title: "t", does: "change", changes: files });
    if (crash === "after the intent") return;
    const made = must(await applyChanges(this.files, changes, { durable: false }));
    if (crash === "after the writes") return;
    const others = made.filter((change) => !changes.includes(change));
    for (const { path, before, after } of others) files.push(await describeChange(path, before, after));
    const applied: Fact = { type: "change-applied", callId, changes: files };
    await this.log.append(applied, { type: "result", callId, outcome: "ok", content: [] });
  }

  async undo(request: UndoRequest = {}): Promise<Undone> {
    return this.#record(await undo(request, this.context));
  }

  async redo(request: Parameters<typeof redo>[0] = {}): Promise<Undone> {
    return this.#record(await redo(request, this.context));
  }

  async keep(which: Which = {}): Promise<{ ok: boolean; problem?: string }> {
    const kept = keep(which, this.context);
    if (!kept.ok) return kept;
    await this.log.append(kept.value);
    await prune(kept.value.keptTurn, this.context);
    return { ok: true };
  }

  /** Simulates a new process: reads the log again and settles what was left open, on a tree that `over` may break. */
  async reopen(over: (tree: Tree) => Tree = (tree) => tree): Promise<Entry[]> {
    this.files.close();
    this.files = treeAt(this.root);
    this.log = await logOf(this.store);
    return this.log.append(...(await recoverFiles({ ...this.context, files: over(this.files) })));
  }

  /** Everything below the root, with kinds, modes and contents. */
  snapshot(): Record<string, string> {
    const all = readdirSync(this.root, { recursive: true, encoding: "utf8" }).toSorted();
    return Object.fromEntries(all.map((path) => [path, this.#describe(join(this.root, path))]));
  }

  #describe(place: string): string {
    const stats = lstatSync(place);
    if (stats.isSymbolicLink()) return `link ${readlinkSync(place)}`;
    const mode = (stats.mode & 0o7777).toString(8);
    return stats.isDirectory() ? `directory ${mode}` : `file ${mode} ${readFileSync(place, "latin1")}`;
  }

  async #record(undone: Undone): Promise<Undone> {
    if (undone.ok) await this.log.append(undone.fact);
    return undone;
  }
}

const logOf = async (store: Store): Promise<SessionLog> =>
  SessionLog.open({ store, session: "s1", epoch: await store.claim("s1") });

const treeAt = (root: string): Tree => must(openTree(root));

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

function imageOf(wanted: WantedState): Image | null {
  if (wanted === null) return null;
  if (typeof wanted === "string") return fileImage(bytes(wanted));
  if ("link" in wanted) return { kind: "link", target: wanted.link };
  if ("directory" in wanted) return { kind: "directory", mode: wanted.directory };
  return fileImage(bytes(wanted.text), wanted.mode);
}

function must<T>(parsed: { ok: true; value: T } | { ok: false; problem: string }): T {
  if (!parsed.ok) throw new Error(parsed.problem);
  return parsed.value;
}

/** A tree that makes this many changes, one by one, and is then "killed". */
export function killedAfter(tree: Tree, count: number): Tree {
  let left = count;
  return {
    ...tree,
    async putAll(changes, options) {
      const removals = changes
        .filter(({ after }) => after === null)
        .toSorted((a, b) => (a.path < b.path ? 1 : -1));
      const others = changes
        .filter(({ after }) => after !== null)
        .toSorted((a, b) => (a.path < b.path ? -1 : 1));
      for (const change of [...removals, ...others]) {
        if (left === 0) throw new Error("killed");
        left -= 1;
        const made = await tree.putAll([change], options);
        if (!made.ok) return made;
      }
      if (left === 0) throw new Error("killed");
      return { ok: true, value: [...changes] };
    },
  };
}
