/** Judges an answer to a probe task: carries out its calls and the right ones, and compares the outcomes. */

import { mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { countOf } from "../../base/amounts.ts";
import { sha256 } from "../../base/crypto.ts";
import { type Expected, refuse } from "../../base/expected.ts";
import type { JsonObject } from "../../base/json.ts";
import { bytesOfImage, type Change } from "../../base/safe-fs/image.ts";
import { openTree } from "../../base/safe-fs/open-tree.ts";
import type { Tree } from "../../base/safe-fs/tree.ts";
import type { ToolCall } from "../../protocol/messages.ts";
import type { EndReason } from "../../protocol/model-events.ts";
import { findTool } from "../../tools/index.ts";
import { Terminals } from "../../tools/terminal/terminals.ts";
import type { ToolResult, ToolContext } from "../../tools/tool.ts";
import type { ProbeTask } from "./tasks.ts";

/** A model's answer to a task. */
export type ProbeAnswer = { calls: readonly ToolCall[]; text: string; reason: EndReason };

/** What is wrong with the answer, in one line; `undefined` if it is right. */
export async function grade(task: ProbeTask, heard: ProbeAnswer): Promise<string | undefined> {
  const unread = heard.calls.find(({ problem }) => problem !== undefined);
  if (unread?.problem !== undefined) return `its call could not be read: ${unread.problem}`;
  const { right } = task;
  if ("says" in right) return gradeWords(right.says, heard);
  const { calls, text, reason } = heard;
  if (reason === "length") return "its answer was cut off at the length limit";
  if (calls.length !== right.calls.length)
    return `it made ${inWords(calls.length)}, not ${right.calls.length}${quotedAnswer(text)}`;
  return withFiles(task, async (workspace) => {
    const wanted = new Map<string, number>();
    for (const one of right.calls) {
      const outcome = await carryOut(one, task, workspace);
      if (!outcome.ok) throw new Error(`The right answer of "${task.name}" is refused: ${outcome.problem}`);
      wanted.set(outcome.value, (wanted.get(outcome.value) ?? 0) + 1);
    }
    for (const one of calls) {
      const outcome = await carryOut(one, task, workspace);
      if (!outcome.ok) return outcome.problem;
      const left = wanted.get(outcome.value) ?? 0;
      if (left === 0) return `its call was another one: ${one.name} ${brief(one.input)}`;
      wanted.set(outcome.value, left - 1);
    }
    return undefined;
  });
}

function gradeWords(says: string, { calls, text }: ProbeAnswer): string | undefined {
  const [call] = calls;
  if (call) return `it called ${call.name} where no call was needed`;
  return text.includes(says) ? undefined : `it did not say ${JSON.stringify(says)}${quotedAnswer(text)}`;
}

const inWords = (count: number): string => (count === 0 ? "no call" : countOf(count, "call"));

const quotedAnswer = (text: string): string => (text.trim() === "" ? "" : `; it said ${brief(text.trim())}`);

const mostShown = 200;
function brief(value: unknown): string {
  const words = JSON.stringify(value);
  return words.length <= mostShown ? words : `${words.slice(0, mostShown).toWellFormed()}…`;
}

/** Creates a workspace with the task's files and removes it after the work. */
async function withFiles<T>({ files = {} }: ProbeTask, work: (workspace: string) => Promise<T>): Promise<T> {
  const workspace = await realpath(await mkdtemp(join(tmpdir(), "toolwright-probe-")));
  try {
    for (const [name, text] of Object.entries(files)) await writeFile(join(workspace, name), text);
    return await work(workspace);
  } finally {
    await rm(workspace, { recursive: true, force: true });
  }
}

/** The outcome of a call as comparable text. Changes are planned, never made. */
async function carryOut(
  { name, input }: { name: string; input: JsonObject },
  { tools }: ProbeTask,
  workspace: string,
): Promise<Expected<string>> {
  const tool = findTool(tools, name);
  if (!tool.ok) return tool;
  const prepared = tool.value.prepare(input);
  if (!prepared.ok) return refuse(firstLine(prepared.problem));
  const files = openTree(workspace);
  if (!files.ok) return files;
  try {
    const produced = await prepared.value.run(contextIn(files.value));
    if (produced.outcome !== "ok") return refuse(firstLine(wordsOf(produced)));
    const changes = produced.changes && (await Promise.all(produced.changes.map(resultOf)));
    return { ok: true, value: JSON.stringify([tool.value.name, changes ?? sameEnds(wordsOf(produced))]) };
  } finally {
    files.value.close();
  }
}

const resultOf = async ({ path, after }: Change): Promise<[string, string | null]> => [
  path,
  after && lastLineEnd(utf8(await bytesOfImage(after))),
];

const contextIn = (files: Tree): ToolContext => ({
  workspace: files.root,
  files,
  withheld: () => Promise.resolve(undefined),
  terminals: new Terminals(),
  signal: new AbortController().signal,
  environment: {},
  contain: () => Promise.resolve(refuse("No command is run while a model is measured.")),
  output: () => undefined,
  keep: async (bytes) => sha256(bytes),
  seen: () => undefined,
  result: () => Promise.resolve(refuse("Nothing was left out while a model is measured.")),
  staged: () => Promise.resolve(refuse("Nothing is staged while a model is measured.")),
});

const wordsOf = ({ content }: ToolResult): string =>
  content.map((part) => (part.type === "text" ? part.text : "")).join("");

/** Some dialects cannot express whether a text ends with a line break. */
const lastLineEnd = (text: string): string => text.replace(/\n$/, "");
const sameEnds = (json: string): string =>
  JSON.stringify(
    JSON.parse(json, (_, value: unknown) => (typeof value === "string" ? lastLineEnd(value) : value)),
  );

const utf8 = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

const firstLine = (words: string): string => words.split("\n", 1)[0] ?? "";
