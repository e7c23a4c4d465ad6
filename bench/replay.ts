/**
 * `npm run bench:replay -- [DIRECTORY]`: edits that real models wrote for real work, made by our own tools. Reads the
 * corpora of the directory, by default `TOOLWRIGHT_CORPORA` or `../shared/corpora` (its README has source and licence).
 * Each edit is refused with a reason, right, or wrong: then the exit code is 1. `--verbose` shows the reasons.
 */

import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { gunzipSync } from "node:zlib";
import * as z from "zod/mini";
import type { JsonObject } from "../src/base/json.ts";
import { testTool } from "../src/testing/test-tool.ts";
import { applyPatch } from "../src/tools/apply-patch.ts";
import { editFile } from "../src/tools/edit-file.ts";
import type { Tool } from "../src/tools/tool.ts";
import { printTable } from "./figures.ts";

const blockSchema = z.object({ old: z.string(), new: z.string() });
const caseSchema = z.object({
  id: z.string(),
  path: z.string(),
  before: z.string(),
  edits: z.array(blockSchema),
  after: z.string(),
});
type ReplayCase = z.infer<typeof caseSchema>;
type Outcome = { verdict: "right" | "refused" | "wrong"; why: string };

const [named] = process.argv.slice(2).filter((word) => !word.startsWith("--"));
const root = join(import.meta.dirname, "..");
const directory = named ?? process.env["TOOLWRIGHT_CORPORA"] ?? join(root, "..", "shared", "corpora");
const cases = await readCases(resolve(directory, "aider-edits.jsonl.gz"));

const ways: readonly { name: string; tool: Tool; input: (one: ReplayCase) => JsonObject }[] = [
  { name: "edit_file", tool: editFile, input: ({ path, edits }) => ({ path, edits }) },
  { name: "apply_patch", tool: applyPatch, input: (one) => ({ patch: patchOf(one) }) },
];
const rows: string[][] = [];
for (const { name, tool, input } of ways) {
  const outcomes: Outcome[] = [];
  for (const one of cases) {
    const outcome = await replay(one, tool, input(one));
    outcomes.push(outcome);
    if (outcome.verdict !== "right" && process.argv.includes("--verbose"))
      console.log(`${one.id} ${name} ${outcome.verdict}: ${outcome.why}`);
  }
  const count = (wanted: Outcome["verdict"]): number =>
    outcomes.filter(({ verdict }) => verdict === wanted).length;
  rows.push([name, String(cases.length), ...(["right", "refused", "wrong"] as const).map(count).map(String)]);
  if (count("wrong") > 0) process.exitCode = 1;
}
printTable([["tool", "edits", "right", "refused", "wrong"], ...rows]);

async function readCases(path: string): Promise<ReplayCase[]> {
  const lines = gunzipSync(await readFile(path))
    .toString("utf8")
    .trimEnd()
    .split("\n");
  return lines.map((line) => caseSchema.parse(JSON.parse(line)));
}

async function replay(one: ReplayCase, tool: Tool, input: JsonObject): Promise<Outcome> {
  const call = await testTool(tool, {
    input,
    files: { [one.path]: one.before },
    mode: "accept-edits",
    answer: "allow",
  });
  const now = call.files[one.path];
  if (call.outcome !== "ok") return { verdict: "refused", why: call.text };
  return isRight(one, now) ? { verdict: "right", why: "" } : { verdict: "wrong", why: "it is another text" };
}

/**
 * Its author may have changed more than the blocks say: then the text that they give where they fit exactly counts.
 * White space at the ends of lines does not: unchanged lines keep that of the file, whatever the model wrote there.
 */
function isRight({ before, edits, after }: ReplayCase, now: string | undefined): boolean {
  let literal: string | undefined = before;
  for (const { old, new: fresh } of edits)
    literal = literal?.includes(old) ? literal.replace(old, () => fresh) : undefined;
  return [after, literal].some((right) => right !== undefined && bare(right) === bare(now ?? ""));
}

function bare(text: string): string {
  return text.replaceAll(/[ \t]+$/gmu, "");
}

function patchOf({ path, edits }: ReplayCase): string {
  const hunks = edits.flatMap(({ old, new: fresh }) => ["@@", ...marked("-", old), ...marked("+", fresh)]);
  return ["*** Begin Patch", `*** Update File: ${path}`, ...hunks, "*** End Patch"].join("\n");
}

function marked(mark: string, text: string): string[] {
  if (text === "") return [];
  const lines = text.replace(/\n$/u, "").split("\n");
  return lines.map((line) => mark + line);
}
