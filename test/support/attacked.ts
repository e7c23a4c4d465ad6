/** A session on a workspace under attack, with secrets beside it; its model makes the calls that the test chooses. */

import { lstatSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { JsonObject } from "../../src/base/json.ts";
import type { Entry } from "../../src/protocol/facts.ts";
import { scriptedModel, type ScriptedAnswer } from "../../src/providers/scripted-model.ts";
import { testSession, type TestSession, type TestSessionOptions } from "../../src/testing/session.ts";
import { workspaceAt } from "./workspace-at.ts";

/** A tool and its arguments. */
export type Asked = readonly [tool: string, input: JsonObject];
export type Told = { outcome: string; words: string; token: string | undefined };

export type Attacked = Pick<TestSession, "session" | "facts"> & {
  /** Contains the workspace `root`, and `root-evil/x` and `outside`, which both contain the word "secret". */
  place: string;
  root: string;
  at: (path: string) => string;
  /** Makes all calls in one answer of the model; resolves to their results in the same order. */
  calls: (all: readonly Asked[], answer?: "allow" | "deny") => Promise<Told[]>;
  call: (tool: string, input: JsonObject, answer?: "allow" | "deny") => Promise<Told>;
};

export async function temporaryPlace(): Promise<string> {
  const place = await realpath(await mkdtemp(join(tmpdir(), "toolwright-attacked-")));
  onTestFinished(() => rm(place, { recursive: true, force: true }));
  await mkdir(join(place, "root"));
  await mkdir(join(place, "root-evil"));
  await writeFile(join(place, "outside"), "secret");
  await writeFile(join(place, "root-evil/x"), "secret");
  return place;
}

export async function attacked(options: TestSessionOptions = {}, known?: string): Promise<Attacked> {
  const place = known ?? (await temporaryPlace());
  const root = join(place, "root");
  let next: ScriptedAnswer = [];
  const model = scriptedModel(() => {
    const now = next;
    next = [];
    return now.length > 0 ? now : [{ say: "Done." }];
  });
  const limits = { maxRounds: 1000, maxCalls: 100_000 };
  const workspace = workspaceAt(root);
  const { session, facts, ask, close } = await testSession(model, {
    mode: "auto",
    workspace,
    ...limits,
    ...options,
  });
  onTestFinished(close);
  const calls: Attacked["calls"] = async (all, answer = "allow") => {
    const from = facts().length;
    next = all.map(([call, input]) => ({ call, with: input }));
    await ask("go", answer);
    return toldOf(facts().slice(from));
  };
  const call: Attacked["call"] = async (tool, input, answer) => {
    const [told] = await calls([[tool, input]], answer);
    if (told === undefined) throw new Error(`${tool} had no result`);
    return told;
  };
  return { session, facts, place, root, at: (path) => join(root, path), calls, call };
}

function toldOf(facts: readonly Entry[]): Told[] {
  const results = new Map(
    facts.flatMap((fact) => (fact.type === "result" ? [[fact.callId, fact] as const] : [])),
  );
  return facts.flatMap((fact) => {
    const result = fact.type === "call" ? results.get(fact.call.id) : undefined;
    if (result === undefined) return [];
    const words = result.content.map((part) => (part.type === "text" ? part.text : "<image>")).join("\n");
    const token = result.metadata?.["token"];
    return [{ outcome: result.outcome, words, token: typeof token === "string" ? token : undefined }];
  });
}

const envelope = (...lines: string[]): Asked => [
  "apply_patch",
  { patch: ["*** Begin Patch", ...lines, "*** End Patch", ""].join("\n") },
];

/** A path with git's patch prefix; absolute paths have none. */
const led = (lead: string, path: string): string => (path.startsWith("/") ? path : `${lead}/${path}`);

const unified = (...lines: string[]): Asked => ["apply_patch", { patch: [...lines, ""].join("\n") }];

/** All calls that read one path, including one for a file's last line. */
export const readingCalls = (path: string): Asked[] => [
  ["read_file", { path }],
  ["read_file", { path, from: 1, to: 2 }],
  ["list_files", { path }],
  ["list_files", { path, pattern: "**" }],
  ["search_workspace", { pattern: "secret|root|sh|.", path }],
  ["search_workspace", { pattern: "s", path, glob: "**" }],
];

/** All calls that edit a file containing `old`. */
const editingCalls = (path: string, old: string): Asked[] => [
  ["edit_file", { path, old, new: "changed" }],
  ["edit_file", { path, edits: [{ old, new: "changed" }] }],
  envelope(`*** Update File: ${path}`, "@@", `-${old}`, "+changed"),
  unified(`--- ${led("a", path)}`, `+++ ${led("b", path)}`, "@@ -1 +1 @@", `-${old}`, "+changed"),
  ["preview_edit_file", { path, old, new: "changed" }],
];

/** All calls that replace, create, remove or move: every way a change can name a path. `moved` contains "moved". */
const writingCalls = (path: string, { old, moved }: { old: string; moved: string }): Asked[] => [
  ["write_file", { path, content: "changed" }],
  ["preview_write_file", { path, content: "changed" }],
  envelope(`*** Add File: ${path}`, "+changed"),
  envelope(`*** Delete File: ${path}`),
  envelope(`*** Update File: ${moved}`, `*** Move to: ${path}`, "@@", "-moved", "+changed"),
  envelope(`*** Update File: ${path}`, "*** Move to: taken-out", "@@", `-${old}`, "+changed"),
  unified("--- /dev/null", `+++ ${led("b", path)}`, "@@ -0,0 +1 @@", "+changed"),
  unified(`--- ${led("a", path)}`, "+++ /dev/null", "@@ -1 +0,0 @@", `-${old}`),
  unified(
    `diff --git a/${moved} b/${path}`,
    "similarity index 100%",
    `rename from ${moved}`,
    `rename to ${path}`,
  ),
  unified(
    `diff --git a/${moved} b/${path}`,
    "similarity index 100%",
    `copy from ${moved}`,
    `copy to ${path}`,
  ),
];

/** Every call that could change something at a path. */
export const changingCalls = (path: string, files: { old: string; moved: string }): Asked[] => [
  ...editingCalls(path, files.old),
  ...writingCalls(path, files),
];

/** Snapshot of a directory: kind, mode, size, and the content of short files. Opens only regular files. */
export function everythingIn(directory: string): Record<string, string> {
  const paths = readdirSync(directory, { recursive: true, encoding: "utf8" }).toSorted();
  return Object.fromEntries(paths.map((path) => [path, standing(join(directory, path))]));
}

function standing(path: string): string {
  const stats = lstatSync(path);
  if (stats.isSymbolicLink()) return `link ${readlinkSync(path)}`;
  const about = `${stats.mode.toString(8)} ${stats.isDirectory() ? "" : stats.size}`;
  return stats.isFile() && stats.size < 1e6 ? `${about} ${readFileSync(path, "latin1")}` : about;
}
