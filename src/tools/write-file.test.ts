import { writeFile as put } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type TemporaryWorkspace, temporaryWorkspace } from "../testing/workspace.ts";
import { hashOf } from "./change.ts";
import { runTool, testingRoom, wordsOf } from "./testing-room.ts";
import { writeFile } from "./write-file.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

let workspace: TemporaryWorkspace;
beforeEach(async () => void (workspace = await temporaryWorkspace({ "a.txt": "old\n" })));
afterEach(() => workspace.remove());

test("a write is only planned: the disk stays as it is", async () => {
  const room = testingRoom(workspace.root);
  expect(await runTool(writeFile, { path: "d/new.txt", content: "a\nb\n" }, room)).toEqual({
    outcome: "ok",
    content: [{ type: "text", text: "Created d/new.txt (2 lines, 4 bytes)." }],
    changes: [{ path: "d/new.txt", before: null, after: bytes("a\nb\n") }],
  });
  const replaced = await runTool(writeFile, { file: "a.txt", content: "é" }, room);
  expect(wordsOf(replaced)).toEqual({
    outcome: "ok",
    words: "Replaced the content of a.txt (1 line, 2 bytes).",
  });
  expect(replaced.changes).toEqual([{ path: "a.txt", before: bytes("old\n"), after: bytes("é") }]);
  expect(await workspace.files()).toEqual(["a.txt"]);
  expect(await workspace.read("a.txt")).toBe("old\n");
});

test("the same content again changes nothing and says so", async () => {
  expect(await runTool(writeFile, { path: "a.txt", content: "old\n" }, testingRoom(workspace.root))).toEqual({
    outcome: "ok",
    content: [{ type: "text", text: "a.txt already has exactly this content; nothing changed." }],
  });
});

test("binary files may be replaced, and an empty content makes an empty file", async () => {
  await put(join(workspace.root, "x.bin"), Buffer.from([0, 255]));
  const produced = await runTool(writeFile, { path: "x.bin", content: "" }, testingRoom(workspace.root));
  expect(produced.changes).toEqual([{ path: "x.bin", before: Uint8Array.of(0, 255), after: bytes("") }]);
});

test("a file that is not what the model last saw is not replaced", async () => {
  const room = testingRoom(workspace.root);
  room.known.set("a.txt", hashOf(bytes("older\n")));
  room.known.set("gone.txt", hashOf(bytes("x")));
  const write = async (path: string): Promise<unknown> =>
    wordsOf(await runTool(writeFile, { path, content: "x" }, room));
  expect(await write("a.txt")).toEqual({
    outcome: "failed",
    words: "a.txt has changed since you last read or wrote it; read it again first.",
  });
  expect(await write("gone.txt")).toMatchObject({
    outcome: "failed",
    words: expect.stringContaining("is gone since"),
  });
  room.known.set("a.txt", hashOf(bytes("old\n")));
  expect(await write("a.txt")).toMatchObject({ outcome: "ok" });
});

const write = async (path: string): Promise<unknown> =>
  wordsOf(await runTool(writeFile, { path, content: "x" }, testingRoom(workspace.root)));

test("directories and places outside are refused", async () => {
  expect(await write(".")).toEqual({ outcome: "failed", words: ". is a directory, not a file." });
  expect(await write("../x")).toMatchObject({ outcome: "failed" });
  expect(await write("a.txt/x")).toMatchObject({ outcome: "failed" });
});
