import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import type { JsonObject } from "../../src/base/json.ts";
import { applyChanges } from "../../src/base/safe-fs/apply.ts";
import { snapshot } from "../../src/base/safe-fs/testing/tree.ts";
import { scale } from "../../src/testing/scale.ts";
import { findTool, tools } from "../../src/tools/index.ts";
import { searchWith } from "../../src/tools/search-workspace.ts";
import type { SearchEngine } from "../../src/tools/search/search-engine.ts";
import { searchInJavaScript } from "../../src/tools/search/search-fallback.ts";
import { findRipgrep, ripgrepAt } from "../../src/tools/search/search-ripgrep.ts";
import { runTool, type TestToolContext, testContext, wordsOf } from "../../src/tools/testing/context.ts";
import type { ToolResult } from "../../src/tools/tool.ts";
import { type Asked, attacked, temporaryPlace } from "../support/attacked.ts";
import { inside, race, secret, type Seen, swappedWorkspace } from "../support/swapped.ts";

const patch = (...lines: string[]): JsonObject => ({
  patch: ["*** Begin Patch", ...lines, "*** End Patch", ""].join("\n"),
});

/** The next call, tool by tool; new names recur, so that they are created, edited, moved and removed. */
function askedAt(at: number): Asked {
  const file = `d/deep/new-${Math.floor(at / 12) % 16}`;
  const all: readonly Asked[] = [
    ["read_file", { path: "d/x" }],
    ["read_file", { path: "d/deep/x", from: 1 }],
    ["list_files", { path: "d", depth: 3 }],
    ["list_files", { pattern: "**/*x*" }],
    ["write_file", { path: file, content: `${inside}\n` }],
    ["edit_file", { path: file, old: inside, new: `${inside} ${at}` }],
    ["edit_file", { path: "d/x", old: "what is", new: "what is" + " ".repeat(at % 2) }],
    [
      "apply_patch",
      patch(`*** Update File: ${file}`, `*** Move to: ${file}-moved`, "@@", `-${inside}`, "+x"),
    ],
    ["apply_patch", patch(`*** Delete File: ${file}`, "*** Update File: d/deep/x", "@@", "-what", "+x")],
    ["apply_patch", patch(`*** Delete File: ${file}-moved`)],
    ["apply_patch", patch("*** Add File: d/deep/added", "+x", "*** Add File: top", "+x")],
    ["apply_patch", patch("*** Delete File: d/deep/added", "*** Delete File: top")],
  ];
  return all[at % all.length] ?? ["list_files", {}];
}

/** Runs a tool and applies its changes as a session does. */
async function carriedOut([name, input]: Asked, context: TestToolContext): Promise<keyof Seen> {
  const tool = findTool(tools, name);
  if (!tool.ok) throw new Error(tool.problem);
  return cameTo(await runTool(tool.value, input, context), context);
}

async function cameTo(produced: ToolResult, context: TestToolContext): Promise<keyof Seen> {
  const { outcome, words } = wordsOf(produced);
  if (words.includes(secret)) return "escapes";
  if (outcome !== "ok") return "refused";
  const applied = await applyChanges(context.files, produced.changes ?? [], { durable: false });
  return applied.ok ? "done" : "refused";
}

const operations = 15_000 * scale;

test(`SAFETY 4, swap between check and use: no escape in ${operations} calls of the tools that read, list, write, edit and patch`, async () => {
  const { root, outside, stop } = await swappedWorkspace();
  const context = testContext(root);
  onTestFinished(() => context.files.close());
  const before = await snapshot(outside);
  const seen = await race(operations, (at) => carriedOut(askedAt(at), context));
  await stop();
  console.log(`tools: ${seen.done} done, ${seen.refused} refused, ${seen.escapes} escapes`);
  expect(await snapshot(outside)).toEqual(before);
  expect(seen.escapes).toBe(0);
  // Both sides of the swap must occur, otherwise there was no race.
  expect(Math.min(seen.done, seen.refused)).toBeGreaterThan(operations / 100);
}, 1_800_000);

test("SAFETY 4, swap between check and use: a search reveals neither outside content nor whether it matches", async () => {
  const { root, stop } = await swappedWorkspace();
  const context = testContext(root);
  onTestFinished(() => context.files.close());
  const program = await findRipgrep();
  if (program === undefined) throw new Error("there is no ripgrep");
  const engines: readonly SearchEngine[] = [ripgrepAt(program), searchInJavaScript];
  let found = 0;
  const seen = await race(400 * scale, async (at) => {
    const engine = engines[at % 4 === 0 ? 1 : 0] ?? searchInJavaScript;
    const pattern = at % 3 === 0 ? "what" : at % 3 === 1 ? secret : "^what is [A-Z]";
    const produced = await searchWith(engine, { pattern, ...(at % 2 ? { path: "d" } : {}) }, context);
    const { outcome, words } = wordsOf(produced);
    const isFound = /:1: /.test(words);
    if (/S3CR3T$/m.test(words) || (isFound && pattern !== "what")) return "escapes";
    found += Number(isFound);
    return outcome === "ok" ? "done" : "refused";
  });
  await stop();
  console.log(`searches: ${seen.done} done, ${seen.refused} refused, ${found} found something`);
  expect(seen.escapes).toBe(0);
  expect(Math.min(seen.done, seen.refused, found)).toBeGreaterThan(0);
}, 1_800_000);

test("SAFETY 4, swap between check and use: previews, undo and redo in sessions read and change nothing outside", async () => {
  const { place, outside, stop } = await swappedWorkspace();
  const before = await snapshot(outside);
  let [done, refused] = [0, 0];
  // Repeats until both have happened.
  const isEnough = (round: number): boolean => round >= 20 * scale && Math.min(done, refused) > 0;
  for (let round = 0; !isEnough(round) && round < 1000 * scale; round++) {
    const { calls, call, session } = await attacked({}, place);
    const asked = Array.from({ length: 24 }, (_, at) => askedAt(at + round * 24));
    const told = await calls([
      ...asked,
      ["preview_write_file", { path: "d/deep/new-1", content: `${round}` }],
    ]);
    const token = told.at(-1)?.token;
    if (token !== undefined) told.push(await call("apply_file_change", { token }));
    for (let again = 0; again < 8; again++)
      for (const type of ["undo", "redo"] as const) {
        const outcome = await session.command({ type });
        expect(JSON.stringify(outcome)).not.toContain(secret);
        if (outcome.ok) done++;
        else refused++;
      }
    for (const { words } of told) expect(words).not.toContain(secret);
    await session.close();
  }
  await stop();
  console.log(`undo and redo: ${done} done, ${refused} refused`);
  expect(await snapshot(outside)).toEqual(before);
  expect(Math.min(done, refused)).toBeGreaterThan(0);
}, 1_800_000);

/** Rounds with an editor's save between read and edit, between the edit's approval and its write, or with none. */
async function editedWhileSaved(rounds: number): Promise<void> {
  const { at, session, call } = await attacked({ mode: "ask" });
  let save = (): void => undefined;
  session.log.listen((event) => {
    if (event.type === "approval-asked") save();
  });
  for (let round = 0; round < rounds; round++) {
    const [read, hers, ours] = [`read ${round}\n`, `hers ${round}\n`, `ours ${round}\n`];
    writeFileSync(at("f"), read);
    await call("read_file", { path: "f" });
    const when = round % 3;
    const saveNow = (): void => writeFileSync(at("f"), hers);
    if (when === 0) saveNow();
    save = () => (when === 1 ? saveNow() : undefined);
    const told = await call("edit_file", { path: "f", old: `read ${round}`, new: `ours ${round}` });
    expect(told.outcome, `round ${round}: ${told.words}`).toBe(when === 2 ? "ok" : "failed");
    expect(readFileSync(at("f"), "utf8")).toBe(when === 2 ? ours : hers);
  }
  await session.close();
}

test("SAFETY 4, stale edit: of 1,000 saves by an editor between a read and an edit, or its approval, none is lost", async () => {
  // The scripted model keeps every prompt, so each session gets only some rounds.
  for (let sessions = 0; sessions < 20 * scale; sessions++) await editedWhileSaved(75);
}, 1_800_000);

test("SAFETY 4, two agents edit one file: with 8 sessions of 500 edits each, no successful edit is lost", async () => {
  const place = await temporaryPlace();
  const [root, shared] = [join(place, "root"), join(place, "root/shared")];
  writeFileSync(shared, "# end\n");
  const child = join(import.meta.dirname, "../support/file-child.ts");
  const count = 500 * scale;
  const writers = Array.from({ length: 8 }, (_, writer) => `writer-${writer}`);
  const outputs = await Promise.all(
    writers.map((writer) =>
      promisify(execFile)(process.execPath, [child, "edit", root, writer, String(count)], {
        maxBuffer: 2 ** 26,
      }),
    ),
  );
  const made: string[] = outputs.flatMap(({ stdout }) => JSON.parse(stdout));
  const lines = readFileSync(shared, "utf8").split("\n").slice(0, -2);
  console.log(`${made.length} of ${writers.length * count} edits were made, the others were refused`);
  expect(lines.toSorted()).toEqual(made.toSorted());
  for (const writer of writers) expect(made.some((line) => line.startsWith(writer))).toBe(true);
  expect(Object.keys(await snapshot(root))).toEqual(["shared"]);
}, 1_800_000);
