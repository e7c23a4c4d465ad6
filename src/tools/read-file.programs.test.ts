import { execFileSync } from "node:child_process";
import { open, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { JsonObject } from "../base/json.ts";
import { type TemporaryWorkspace, temporaryWorkspace } from "../testing/workspace.ts";
import { hashOf } from "./changes/change.ts";
import { readFile } from "./read-file.ts";
import { runTool, testContext, wordsOf } from "./testing/context.ts";

let workspace: TemporaryWorkspace;
beforeEach(async () => void (workspace = await temporaryWorkspace({ "a.txt": "one\r\ntwo\n\nfour" })));
afterEach(() => workspace.remove());

const at = (name: string): string => join(workspace.root, name);
const read = async (input: JsonObject): Promise<unknown> =>
  wordsOf(await runTool(readFile, input, testContext(workspace.root)));
const ok = (words: string): unknown => ({ outcome: "ok", words });
const failed = (words: unknown): unknown => ({ outcome: "failed", words });
const lines = (count: number): string => Array.from({ length: count }, (_, i) => `line ${i + 1}\n`).join("");

test("a text file is shown whole with line numbers, and its whole content counts as seen", async () => {
  expect(await runTool(readFile, { path: "./a.txt" }, testContext(workspace.root))).toEqual({
    outcome: "ok",
    content: [{ type: "text", text: "1\tone\n2\ttwo\n3\t\n4\tfour" }],
    seen: [{ path: "a.txt", hash: hashOf(new TextEncoder().encode("one\r\ntwo\n\nfour")) }],
  });
});

test("A23: path, file and filePath are one argument", async () => {
  for (const name of ["path", "file", "filePath", "file_path"])
    expect(await read({ [name]: "a.txt", from: 4 })).toEqual(ok("4\tfour"));
});

test("a range of lines keeps its line numbers", async () => {
  expect(await read({ path: "a.txt", from: 2, to: 3 })).toEqual(ok("2\ttwo\n3\t"));
  expect(await read({ path: "a.txt", to: 1 })).toEqual(ok("1\tone"));
  expect(await read({ path: "a.txt", from: 3, to: 99 })).toEqual(ok("3\t\n4\tfour"));
  expect(await read({ path: "a.txt", from: 5 })).toEqual(failed("a.txt has only 4 lines."));
  expect(await read({ path: "a.txt", from: 3, to: 2 })).toEqual(failed("`to` (2) is before `from` (3)."));
});

const page = async (from: number): Promise<string[]> =>
  wordsOf(await runTool(readFile, { path: "long", from }, testContext(workspace.root))).words.split("\n");

test("a long file is shown up to 2,000 lines, with a hint how to read on", async () => {
  await writeFile(at("long"), lines(4500));
  const first = await page(1);
  expect([first.length, first[1999], first[2000]]).toEqual([
    2001,
    "2000\tline 2000",
    "[Lines 1-2000 of long (4500 lines). Read on with from: 2001.]",
  ]);
  expect((await page(4001)).at(-1)).toBe("4500\tline 4500");
});

test("E8: a read returns at most about 100 KB, and a long line is cut", async () => {
  await writeFile(at("wide"), `${"x".repeat(1500)}\n`.repeat(500));
  const { words } = wordsOf(await runTool(readFile, { path: "wide" }, testContext(workspace.root)));
  expect(words.length).toBeLessThan(101 * 1024);
  expect(words).toMatch(/\[Lines 1-\d\d of wide \(500 lines\)\. Read on with from: \d\d\.\]$/);
  await writeFile(at("one-line"), "y".repeat(1_000_000));
  expect(await read({ path: "one-line" })).toEqual(
    ok(`1\t${"y".repeat(1500)}[998000 characters cut]${"y".repeat(500)}`),
  );
});

test("an empty file is reported as empty, and a missing one as missing", async () => {
  await writeFile(at("empty"), "");
  expect(await read({ path: "empty" })).toEqual(ok("empty is empty (0 bytes)."));
  expect(await read({ path: "none" })).toEqual(
    failed("Cannot read none: there is no such file or directory."),
  );
});

test("images are shown as images, up to 5 MB", async () => {
  const gif = Buffer.from("R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==", "base64");
  await writeFile(at("p.gif"), gif);
  expect((await runTool(readFile, { path: "p.gif" }, testContext(workspace.root))).content).toEqual([
    { type: "text", text: "p.gif: image/gif, 37 bytes" },
    { type: "image", mediaType: "image/gif", data: gif.toString("base64") },
  ]);
  await writeFile(at("p.gif"), Buffer.concat([gif, Buffer.alloc(5 * 1024 * 1024)]));
  expect(await read({ path: "p.gif" })).toEqual(
    failed(
      "p.gif: image/gif, 5.0 MiB; this image cannot be shown, because it has 5.0 MiB, and 5 MiB are the most.",
    ),
  );
});

test("an image that providers would reject is reported but not shown", async () => {
  await writeFile(at("p.png"), Buffer.from("89504e470d0a1a0a0000", "hex"));
  expect(await read({ path: "p.png" })).toEqual(
    failed("p.png: image/png, 10 bytes; this image cannot be shown, because it is damaged or cut off."),
  );
});

test("binary files are refused with type and size; other encodings are shown and marked", async () => {
  await writeFile(at("x.bin"), Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 0]));
  expect(await read({ path: "x.bin" })).toEqual(
    failed("x.bin is binary (application/x-elf, 6 bytes); its content cannot be shown."),
  );
  await writeFile(at("latin"), Buffer.from("caf\xe9\nb\n", "latin1"));
  expect(await read({ path: "latin" })).toEqual(
    ok(
      "1\tcaf\uFFFD\n2\tb\n[latin is not UTF-8: characters shown as \uFFFD are others in the file; edit only passages of plain ASCII.]",
    ),
  );
});

test("a byte order mark is not shown", async () => {
  await writeFile(at("bom"), "\uFEFFx");
  expect(await read({ path: "bom" })).toEqual(ok("1\tx"));
});

test("FIFOs, directories and symlinks out of the workspace are refused without waiting", async () => {
  execFileSync("mkfifo", [at("fifo")]);
  await symlink("/etc", at("out"));
  expect(await read({ path: "fifo" })).toEqual(failed("fifo is a FIFO, not a regular file."));
  expect(await read({ path: "." })).toEqual(failed(". is a directory, not a file."));
  expect(await read({ path: "out/passwd" })).toEqual(
    failed(expect.stringContaining("leads outside the workspace")),
  );
  expect(await read({ path: "/etc/passwd" })).toEqual(
    failed(expect.stringContaining("outside the workspace")),
  );
});

test("a symlink inside the workspace is read, and its target counts as seen", async () => {
  await symlink("a.txt", at("link"));
  const produced = await runTool(readFile, { path: "link", to: 1 }, testContext(workspace.root));
  expect(produced.seen?.map(({ path }) => path)).toEqual(["a.txt"]);
});

test("any lines of a file too large to be read whole can be read", async () => {
  await writeFile(at("huge"), "0123456789".repeat(9).concat("\n").repeat(300_000));
  const last = wordsOf(
    await runTool(readFile, { path: "huge", from: 299_999, to: 300_000 }, testContext(workspace.root)),
  );
  const line = "0123456789".repeat(9);
  expect(last).toEqual(ok(`299999\t${line}\n300000\t${line}`));
  const first = await runTool(readFile, { path: "huge" }, testContext(workspace.root));
  expect(wordsOf(first).words).toMatch(/\[Lines 1-\d+ of huge \(26 MiB\)\. Read on with from: \d+\.\]$/);
  expect(first.seen).toBeUndefined();
  expect(await read({ path: "huge", from: 300_001 })).toEqual(
    failed(expect.stringContaining("line 300001 is beyond")),
  );
});

test("a sparse file of 50 GB is immediately reported as binary", async () => {
  const file = await open(at("sparse"), "w");
  await file.truncate(50 * 1024 ** 3);
  await file.close();
  expect(await read({ path: "sparse" })).toEqual(
    failed("sparse is binary (50 GiB); its content cannot be shown."),
  );
});
