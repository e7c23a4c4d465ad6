import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { JsonObject } from "../base/json.ts";
import { bytesOfImage } from "../base/safe-fs/image.ts";
import { type TemporaryWorkspace, temporaryWorkspace } from "../testing/workspace.ts";
import { hashOf } from "./changes/change.ts";
import { editFile } from "./edit-file.ts";
import { runTool, testContext, wordsOf } from "./testing/context.ts";

let workspace: TemporaryWorkspace;
beforeEach(async () => void (workspace = await temporaryWorkspace({})));
afterEach(() => workspace.remove());

/** The content that an edit plans for a file with this content, or its error. */
async function edit(content: string | Buffer | undefined, input: JsonObject): Promise<string> {
  if (content !== undefined) await writeFile(join(workspace.root, "f"), content);
  const produced = await runTool(editFile, { path: "f", ...input }, testContext(workspace.root));
  const [change] = produced.changes ?? [];
  if (!change?.after) return `${produced.outcome}: ${wordsOf(produced).words}`;
  const before = change.before ? await bytesOfImage(change.before) : "";
  expect(Buffer.from(before).toString("latin1")).toBe(Buffer.from(content ?? "").toString("latin1"));
  return Buffer.from(await bytesOfImage(change.after)).toString();
}

test("a passage that occurs once is replaced", async () => {
  expect(await edit("one two three", { old: "two", new: "2" })).toBe("one 2 three");
  expect(await edit("one two three", { oldString: " two", newString: "" })).toBe("one three");
  expect(await edit("a\nb\nc\n", { old_str: "b\n", new_str: "b\nB\n" })).toBe("a\nb\nB\nc\n");
  expect(await edit("price: $1", { old: "$1", new: "$& $$ $1" })).toBe("price: $& $$ $1");
});

test("several occurrences are reported with their lines, and all are replaced only on request", async () => {
  expect(await edit("x = 1\ny\nx = 1\n", { old: "x = 1", new: "z" })).toBe(
    "failed: In f: `old` occurs 2 times (lines 1, 3); nothing was changed. Add surrounding lines until it is unique, or set `all` to change every one.",
  );
  expect(await edit("x = 1\ny\nx = 1\n", { old: "x = 1", new: "z", replaceAll: "true" })).toBe("z\ny\nz\n");
  expect(await edit("aaa", { old: "aa", new: "b" })).toContain("occurs 2 times (line 1)");
  expect(await edit("aaa", { old: "aa", new: "b", all: true })).toBe("ba");
});

test("for a passage that is not found the nearest lines are shown", async () => {
  const file = "import a\n\nfunction one() {\n\treturn 1;\n}\n\nfunction two() {\n\treturn 2;\n}\n";
  expect(await edit(file, { old: "function twice() {", new: "x" })).toContain("7\tfunction two() {");
  expect(await edit("", { old: "x", new: "y" })).toBe(
    "failed: In f: `old` was not found: the file is empty; nothing was changed. Give an empty `old` to fill it.",
  );
});

test("an empty `old` creates a file or fills an empty one, and is an error otherwise", async () => {
  expect(await edit(undefined, { old: "", new: "hello\n" })).toBe("hello\n");
  expect(await edit("", { old: "", new: "hello\n" })).toBe("hello\n");
  expect(await edit("x", { old: "", new: "y" })).toBe(
    "failed: In f: `old` is empty, but the file is not: copy the text to replace into `old`. Nothing was changed.",
  );
});

test("an edit of a missing file and one that changes nothing are errors", async () => {
  expect(await edit(undefined, { old: "a", new: "b" })).toBe("failed: There is no file f.");
  expect(await edit("a", { old: "a", new: "a" })).toContain("nothing would change");
});

test("line endings may differ between the file and `old`; new lines get the file's", async () => {
  expect(await edit("a\r\nb\r\nc\r\n", { old: "a\nb\n", new: "a\nx\ny\n" })).toBe("a\r\nx\r\ny\r\nc\r\n");
  expect(await edit("a\nb\nc\n", { old: "a\r\nb", new: "a\r\nx" })).toBe("a\nx\nc\n");
  expect(await edit("a\r\nb", { old: "b", new: "b\nc" })).toBe("a\r\nb\r\nc");
  expect(await edit("a\r\nb\nc\r\n", { old: "a\nb\nc", new: "a\nb\nd" })).toBe("a\r\nb\nd\r\n");
  expect(await edit("a\nb\r\nc", { old: "a\nb", new: "a\nb1\nb2" })).toBe("a\nb1\r\nb2\r\nc");
});

test("line endings themselves can be edited", async () => {
  expect(await edit("a\r\nb\r\n", { old: "a\r\n", new: "a\n" })).toBe("a\nb\r\n");
});

test("a byte order mark and a missing final newline are kept", async () => {
  expect(await edit("\uFEFFone\ntwo", { old: "one", new: "1" })).toBe("\uFEFF1\ntwo");
  expect(await edit("\uFEFFone\ntwo", { old: "two", new: "2" })).toBe("\uFEFFone\n2");
});

test("copied line numbers are stripped only if every line has one and they increase by one", async () => {
  const file = "a\n  b\nc\n";
  expect(await edit(file, { old: "1\ta\n2\t  b", new: "1\tA\n2\t  B" })).toBe("A\n  B\nc\n");
  expect(await edit(file, { old: "   2\t  b\n", new: "x\n" })).toBe("a\nx\nc\n");
  expect(await edit(file, { old: " 1| a\n 2|   b\n", new: "A\n" })).toBe("A\nc\n");
  expect(await edit(file, { old: "1\ta\n  b", new: "x" })).toContain("was not found");
  expect(await edit(file, { old: "1\ta\n7\t  b", new: "x" })).toContain("was not found");
  expect(await edit("1\tone\n2\ttwo\n", { old: "1\tone\n2\ttwo", new: "3\tthree" })).toBe("3\tthree\n");
});

test("binary files are refused", async () => {
  expect(await edit(Buffer.from("x\0"), { old: "x", new: "y" })).toContain("cannot be edited as text");
});

test("a file that changed since the model last saw it is not edited", async () => {
  const context = testContext(workspace.root);
  await writeFile(join(workspace.root, "f"), "new");
  context.known.set("f", hashOf(new TextEncoder().encode("old")));
  expect(wordsOf(await runTool(editFile, { path: "f", old: "new", new: "x" }, context))).toEqual({
    outcome: "failed",
    words: "f has changed since you last read or wrote it; read it again first.",
  });
});

test("several edits come as a list, as its JSON text or under other names", async () => {
  const edits = [
    { old: "a", new: "x" },
    { old: "c", new: "z" },
  ];
  expect(await edit("a b c", { edits })).toBe("x b z");
  expect(await edit("a b c", { edits: JSON.stringify(edits) })).toBe("x b z");
  expect(await edit("a b c", { edits: { old_string: "a", newString: "x" } })).toBe("x b c");
  expect(await edit("a b a", { edits: [{ search: "a", replace: "x", replace_all: "true" }] })).toBe("x b x");
  expect(await edit("a b c", { old: "", new: "", edits })).toBe("x b z");
});

test("all edits are made as one change, or none is", async () => {
  await writeFile(join(workspace.root, "f"), "a b c");
  const input = {
    path: "f",
    edits: [
      { old: "a", new: "x" },
      { old: "b", new: "y" },
    ],
  };
  const produced = await runTool(editFile, input, testContext(workspace.root));
  expect(produced.changes).toHaveLength(1);
  expect(wordsOf(produced).words).toBe("Made 2 edits in f: 1 at line 1, 2 at line 1.");
  expect(
    await edit("a b c", {
      edits: [
        { old: "a", new: "x" },
        { old: "q", new: "y" },
      ],
    }),
  ).toContain("failed: In f, edit 2 of 2: `old` was not found");
});

test("an edit takes either one passage or a list of edits", async () => {
  const edits = [{ old: "a", new: "x" }];
  const halves: JsonObject[] = [{ old: "a", new: "b" }, { old: "a" }, { new: "b" }];
  for (const half of halves)
    expect(await edit("a", { ...half, edits })).toBe(
      "failed: Give either `old` and `new`, or `edits`, not both. Nothing was changed.",
    );
  expect(await edit("a", { old: "a" })).toBe(
    "failed: `new` is missing: give `old` and `new`, or a list of `edits`. Nothing was changed.",
  );
  expect(await edit("a", { edits: [] })).toContain("failed: `old` is missing");
  expect(editFile.prepare({ path: "f", edits: [{ old: "a" }] })).toMatchObject({
    problem: expect.stringContaining('"edits[0].new" is required'),
  });
});

test("an edit keeps the mode of a file", async () => {
  await writeFile(join(workspace.root, "f"), "a", { mode: 0o755 });
  const produced = await runTool(editFile, { path: "f", old: "a", new: "b" }, testContext(workspace.root));
  expect(produced.changes?.[0]).toMatchObject({ before: { mode: 0o755 }, after: { kind: "file" } });
  expect(produced.changes?.[0]?.after).not.toHaveProperty("mode");
});
