/** Tests a turn's patch with git itself: applied to the state before, it must give the state after, and the reverse. */

import { execFile } from "node:child_process";
import {
  chmodSync,
  cpSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import fc from "fast-check";
import { afterEach, expect, test } from "vitest";
import { readIn } from "../../runtime/read-session.ts";
import { ChangedWorkspace, type WantedState } from "../../session/checkpoints/testing/workspace.ts";
import { patchText } from "./patch.ts";

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

type Files = Record<string, WantedState | Buffer>;

async function workspaceWith(files: Files): Promise<ChangedWorkspace> {
  const workspace = await ChangedWorkspace.open();
  closing.push(() => workspace.close());
  for (const [path, wanted] of Object.entries(files)) {
    workspace.put(path, Buffer.isBuffer(wanted) ? "" : wanted);
    if (Buffer.isBuffer(wanted)) writeFileSync(join(workspace.root, path), wanted);
  }
  return workspace;
}

function copyOf(root: string): string {
  const copy = mkdtempSync(join(tmpdir(), "toolwright-patch-"));
  closing.push(() => rmSync(copy, { recursive: true, force: true }));
  cpSync(root, copy, { recursive: true, verbatimSymlinks: true });
  return copy;
}

async function git(root: string, patch: string, ...options: string[]): Promise<void> {
  const place = mkdtempSync(join(tmpdir(), "toolwright-patch-"));
  closing.push(() => rmSync(place, { recursive: true, force: true }));
  const file = join(place, "patch");
  writeFileSync(file, patch);
  const env = {
    PATH: process.env["PATH"],
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CEILING_DIRECTORIES: tmpdir(),
  };
  await promisify(execFile)("git", ["apply", "--whitespace=nowarn", ...options, file], { cwd: root, env });
}

/** Kinds and contents. Git tracks only one mode bit, and directories only if they contain something. */
function snapshot(root: string): Record<string, string> {
  const paths = readdirSync(root, { recursive: true, encoding: "utf8" }).toSorted();
  return Object.fromEntries(
    paths.flatMap((path) => {
      const place = join(root, path);
      const stats = lstatSync(place);
      if (stats.isDirectory()) return [];
      if (stats.isSymbolicLink()) return [[path, `link ${readlinkSync(place)}`]];
      return [[path, `${(stats.mode & 0o100) === 0 ? "file" : "program"} ${readFileSync(place, "base64")}`]];
    }),
  );
}

async function patchIn(workspace: ChangedWorkspace): Promise<string> {
  const session = readIn(workspace.context);
  const review = await session.review(1);
  if (!review.ok) throw new Error(review.problem);
  return patchText(review.value, session);
}

/** Applies the turn's patch to the state before and, reversed, to the current state. */
async function expectBothWays(files: Files, turn: Record<string, WantedState>): Promise<string> {
  const workspace = await workspaceWith(files);
  const [before, old] = [copyOf(workspace.root), snapshot(workspace.root)];
  await workspace.turn(turn);
  const [after, made] = [copyOf(workspace.root), snapshot(workspace.root)];
  const patch = await patchIn(workspace);
  await git(before, patch);
  expect(snapshot(before)).toEqual(made);
  await git(after, patch, "-R");
  expect(snapshot(after)).toEqual(old);
  return patch;
}

const numbers = Array.from({ length: 60 }, (_, index) => `${index}\n`).join("");

const kinds: Readonly<Record<string, { files: Files; turn: Record<string, WantedState> }>> = {
  "two hunks": {
    files: { a: numbers },
    turn: { a: numbers.replace("\n5\n", "\nfive\n").replace("50\n", "") },
  },
  "a new file, and one that goes": { files: { old: "1\n" }, turn: { old: null, "deep/new": "2\n3" } },
  "an empty file, and one that goes": { files: { old: "" }, turn: { old: null, new: "" } },
  "a mode, alone and with a text": {
    files: { a: "1\n", b: "1\n" },
    turn: { a: { text: "1\n", mode: 0o755 }, b: { text: "2\n", mode: 0o755 } },
  },
  "line endings, a byte order mark, no last line end": {
    files: { a: "\uFEFFone\r\ntwo\r\nthree" },
    turn: { a: "\uFEFFone\r\n2\r\nthree\n", new: "\uFEFFx\r\n" },
  },
  "bytes that are no text": {
    files: { a: "\0\u0001", gone: "\0" },
    turn: { a: "\0\u0002".repeat(100), gone: null },
  },
  "another encoding": {
    files: { a: Buffer.from("caf\xe9\n", "latin1"), b: Buffer.from([255]) },
    turn: { a: "café\n", b: null },
  },
  "a replacement character that is really there": { files: { a: "\uFFFD\n" }, turn: { a: "\uFFFD\nx\n" } },
  links: {
    files: { was: { link: "a" }, other: { link: "a" } },
    turn: { was: null, other: { link: "b" }, is: { link: "x y" } },
  },
  "a file that becomes a link, and the other way round": {
    files: { a: "1\n", l: { link: "a" } },
    turn: { a: { link: "l2" }, l: "2\n" },
  },
  "names that need quotes": {
    files: { "a b": "1\n", 'q"uote': "1\n", "tab\there": "1\n", über: "1\n", "line\nend": "1\n" },
    turn: {
      "a b": "2\n",
      'q"uote': "2\n",
      "tab\there": null,
      über: "2\n",
      "line\nend": "2\n",
      "back\\slash": "2\n",
    },
  },
};

for (const [kind, { files, turn }] of Object.entries(kinds))
  test(`git applies the patch of a turn, both ways: ${kind}`, async () => {
    await expectBothWays(files, turn);
  });

const text = fc
  .array(fc.constantFrom("a\n", "b\n", "\n", "- x\n", "+ y\n", "@@ -1 +1 @@\n", "# z\r\n", "c"))
  .map((lines) => lines.join(""));

test("git applies the patch of a turn both ways for arbitrary texts", async () => {
  const numRuns = Number(process.env["TOOLWRIGHT_RUNS"] ?? "1") * 15;
  await fc.assert(
    fc.asyncProperty(text, text, async (old, now) => {
      fc.pre(old !== now);
      await expectBothWays({ a: old, b: "same\n" }, { a: now, c: now });
      for (const close of closing.splice(0)) await close();
    }),
    { numRuns },
  );
});

test("the hunks of a patch are numbered as undo takes them, and undone hunks are left out", async () => {
  const workspace = await workspaceWith({ a: numbers });
  await workspace.turn({ a: numbers.replace("\n5\n", "\nfive\n").replace("\n50\n", "\nfifty\n") });
  expect((await patchIn(workspace)).match(/^@@.*$/gmu)).toEqual([
    "@@ -3,7 +3,7 @@ hunk 1",
    "@@ -48,7 +48,7 @@ hunk 2",
  ]);
  await workspace.undo({ hunks: [1] });
  const rest = await patchIn(workspace);
  expect(rest.match(/^@@.*$/gmu)).toEqual(["@@ -48,7 +48,7 @@ hunk 1"]);
  expect(rest.split("\n")[0]).toMatch(/^# request 1 · ckpt_\d+_[0-9a-f]{8} · partly undone · \+2 −2$/u);
});

test("a change that a patch cannot express is noted in it, and the rest still applies", async () => {
  const workspace = await workspaceWith({ mode: "1\n", gone: "1\n", a: "1\n" });
  chmodSync(join(workspace.root, "mode"), 0o600);
  const before = copyOf(workspace.root);
  await workspace.turn({ gone: "2\n", mode: { text: "1\n", mode: 0o640 }, a: "2\n" });
  workspace.put("gone", null);
  const patch = await patchIn(workspace);
  expect(patch).toContain("# mode: git knows no such mode\n");
  expect(patch).toMatch(/^# gone: not in this patch, [^\n]+ not known any more$/mu);
  await git(before, patch);
  expect(readFileSync(join(before, "a"), "utf8")).toBe("2\n");
});
