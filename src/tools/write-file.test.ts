import { writeFile as put } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { contentOf } from "../base/safe-fs/image.ts";
import { type TemporaryWorkspace, temporaryWorkspace } from "../testing/workspace.ts";
import { hashOf } from "./changes/change.ts";
import { runTool, testContext, wordsOf } from "./testing/context.ts";
import { writeFile } from "./write-file.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

/** The image of a file with this content. */
const file = (content: string | Uint8Array, mode?: number): object => {
  const { hash, size } = contentOf(typeof content === "string" ? bytes(content) : content);
  const read = expect.any(Function);
  return { kind: "file", content: { hash, size, read }, ...(mode === undefined ? {} : { mode }) };
};

let workspace: TemporaryWorkspace;
beforeEach(async () => void (workspace = await temporaryWorkspace({ "a.txt": "old\n" })));
afterEach(() => workspace.remove());

test("a write is only planned: the disk is not touched", async () => {
  const context = testContext(workspace.root);
  expect(await runTool(writeFile, { path: "d/new.txt", content: "a\nb\n" }, context)).toEqual({
    outcome: "ok",
    content: [{ type: "text", text: "Created d/new.txt (2 lines, 4 bytes)." }],
    changes: [{ path: "d/new.txt", before: null, after: file("a\nb\n") }],
  });
  const replaced = await runTool(writeFile, { file: "a.txt", content: "é" }, context);
  expect(wordsOf(replaced)).toEqual({
    outcome: "ok",
    words: "Replaced the content of a.txt (1 line, 2 bytes).",
  });
  expect(replaced.changes).toEqual([{ path: "a.txt", before: file("old\n", 0o644), after: file("é") }]);
  expect(await workspace.files()).toEqual(["a.txt"]);
  expect(await workspace.read("a.txt")).toBe("old\n");
});

test("writing identical content changes nothing and says so", async () => {
  expect(await runTool(writeFile, { path: "a.txt", content: "old\n" }, testContext(workspace.root))).toEqual({
    outcome: "ok",
    content: [{ type: "text", text: "a.txt already has exactly this content; nothing changed." }],
  });
});

test("binary files may be replaced, and empty content makes an empty file", async () => {
  await put(join(workspace.root, "x.bin"), Buffer.from([0, 255]));
  const produced = await runTool(writeFile, { path: "x.bin", content: "" }, testContext(workspace.root));
  expect(produced.changes).toEqual([
    { path: "x.bin", before: file(Uint8Array.of(0, 255), 0o644), after: file("") },
  ]);
});

test("a file that changed since the model last saw it is not replaced", async () => {
  const context = testContext(workspace.root);
  context.known.set("a.txt", hashOf(bytes("older\n")));
  context.known.set("gone.txt", hashOf(bytes("x")));
  const write = async (path: string): Promise<unknown> =>
    wordsOf(await runTool(writeFile, { path, content: "x" }, context));
  expect(await write("a.txt")).toEqual({
    outcome: "failed",
    words: "a.txt has changed since you last read or wrote it; read it again first.",
  });
  expect(await write("gone.txt")).toMatchObject({
    outcome: "failed",
    words: expect.stringContaining("is gone since"),
  });
  context.known.set("a.txt", hashOf(bytes("old\n")));
  expect(await write("a.txt")).toMatchObject({ outcome: "ok" });
});

test("content with a placeholder for existing lines is refused, but allowed in a new file", async () => {
  const context = testContext(workspace.root);
  const content = "new\n// ... rest of the file unchanged\n";
  expect(wordsOf(await runTool(writeFile, { path: "a.txt", content }, context))).toEqual({
    outcome: "failed",
    words:
      "The content leaves something out (`// ... rest of the file unchanged`), which would be lost from a.txt; nothing was changed. Write out every line that is to be in the file, or change less: replace short passages, each copied whole.",
  });
  expect(await runTool(writeFile, { path: "b.txt", content }, context)).toMatchObject({ outcome: "ok" });
  await put(join(workspace.root, "a.txt"), content);
  expect(await runTool(writeFile, { path: "a.txt", content: `${content}more\n` }, context)).toMatchObject({
    outcome: "ok",
  });
});

const write = async (path: string): Promise<unknown> =>
  wordsOf(await runTool(writeFile, { path, content: "x" }, testContext(workspace.root)));

test("directories and paths outside the workspace are refused", async () => {
  expect(await write(".")).toEqual({ outcome: "failed", words: ". is a directory, not a file." });
  expect(await write("../x")).toMatchObject({ outcome: "failed" });
});

test("a path below a file or with a trailing slash is refused at planning time", async () => {
  const context = testContext(workspace.root);
  const write = async (path: string): Promise<unknown> =>
    wordsOf(await runTool(writeFile, { path, content: "x" }, context));
  expect(await write("a.txt/b/c.txt")).toEqual({
    outcome: "failed",
    words: "There can be no file a.txt/b/c.txt: a.txt is not a directory.",
  });
  for (const path of ["new/", "a.txt/", "./new//"])
    expect(await write(path)).toMatchObject({
      outcome: "failed",
      words: expect.stringMatching(/names a directory, since it ends with a slash; name a file in it\.$/),
    });
  expect(await write("new/deep/x")).toMatchObject({ outcome: "ok" });
});
