import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { JsonObject } from "../base/json.ts";
import { decodeText, encodeText } from "../base/text.ts";
import { type TemporaryWorkspace, temporaryWorkspace } from "../testing/workspace.ts";
import { hashOf } from "./change.ts";
import { editFile } from "./edit-file.ts";
import { replaceText } from "./replace-text.ts";
import { runTool, testingRoom, wordsOf } from "./testing-room.ts";

let workspace: TemporaryWorkspace;
beforeEach(async () => void (workspace = await temporaryWorkspace({})));
afterEach(() => workspace.remove());

/** What an edit of a file with this content plans, or what it says instead. */
async function edit(content: string | Buffer | undefined, input: JsonObject): Promise<string> {
  if (content !== undefined) await writeFile(join(workspace.root, "f"), content);
  const produced = await runTool(editFile, { path: "f", ...input }, testingRoom(workspace.root));
  const [change] = produced.changes ?? [];
  if (!change) return `${produced.outcome}: ${wordsOf(produced).words}`;
  expect(Buffer.from(change.before ?? []).toString("latin1")).toBe(
    Buffer.from(content ?? "").toString("latin1"),
  );
  return Buffer.from(change.after ?? []).toString();
}

test("a passage that occurs once is replaced", async () => {
  expect(await edit("one two three", { old: "two", new: "2" })).toBe("one 2 three");
  expect(await edit("one two three", { oldString: " two", newString: "" })).toBe("one three");
  expect(await edit("a\nb\nc\n", { old_str: "b\n", new_str: "b\nB\n" })).toBe("a\nb\nB\nc\n");
  expect(await edit("price: $1", { old: "$1", new: "$& $$ $1" })).toBe("price: $& $$ $1");
});

test("several occurrences are told with their lines, and all are replaced only when asked", async () => {
  expect(await edit("x = 1\ny\nx = 1\n", { old: "x = 1", new: "z" })).toBe(
    "failed: In f: `old` occurs 2 times (lines 1, 3); nothing was changed. Add surrounding lines until it is unique, or set `all` to change every one.",
  );
  expect(await edit("x = 1\ny\nx = 1\n", { old: "x = 1", new: "z", replaceAll: "true" })).toBe("z\ny\nz\n");
  expect(await edit("aaa", { old: "aa", new: "b" })).toContain("occurs 2 times (line 1)");
  expect(await edit("aaa", { old: "aa", new: "b", all: true })).toBe("ba");
});

test("a passage that is not there is answered with the nearest lines", async () => {
  const file = "import a\n\nfunction one() {\n\treturn 1;\n}\n\nfunction two() {\n\treturn 2;\n}\n";
  expect(await edit(file, { old: "function two() {\n  return 2;\n}", new: "x" })).toBe(
    "failed: In f: `old` was not found. `old` must be copied exactly, with its white space, and without line numbers; nothing was changed. The nearest lines are:\n5\t}\n6\t\n7\tfunction two() {\n8\t\treturn 2;\n9\t}",
  );
  expect(await edit(file, { old: "function twice() {", new: "x" })).toContain("3\tfunction one() {");
  expect(await edit("", { old: "x", new: "y" })).toBe(
    "failed: In f: `old` was not found. `old` must be copied exactly, with its white space, and without line numbers; nothing was changed.",
  );
});

test("an empty `old` creates a file or fills an empty one, and is an error otherwise", async () => {
  expect(await edit(undefined, { old: "", new: "hello\n" })).toBe("hello\n");
  expect(await edit("", { old: "", new: "hello\n" })).toBe("hello\n");
  expect(await edit("x", { old: "", new: "y" })).toBe(
    "failed: `old` is empty but f is not: copy the text to replace into `old`. Nothing was changed.",
  );
});

test("an edit of a missing file, and one that changes nothing, are errors", async () => {
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

test("a byte order mark and a missing final newline stay as they are", async () => {
  expect(await edit("\uFEFFone\ntwo", { old: "one", new: "1" })).toBe("\uFEFF1\ntwo");
  expect(await edit("\uFEFFone\ntwo", { old: "two", new: "2" })).toBe("\uFEFFone\n2");
});

test("line numbers copied from a reading are taken off only if every line has one and they count upwards", async () => {
  const file = "a\n  b\nc\n";
  expect(await edit(file, { old: "1\ta\n2\t  b", new: "1\tA\n2\t  B" })).toBe("A\n  B\nc\n");
  expect(await edit(file, { old: "   2\t  b\n", new: "x\n" })).toBe("a\nx\nc\n");
  expect(await edit(file, { old: " 1| a\n 2|   b\n", new: "A\n" })).toBe("A\nc\n");
  expect(await edit(file, { old: "1\ta\n  b", new: "x" })).toContain("was not found");
  expect(await edit(file, { old: "1\ta\n7\t  b", new: "x" })).toContain("was not found");
  expect(await edit("1\tone\n2\ttwo\n", { old: "1\tone\n2\ttwo", new: "3\tthree" })).toBe("3\tthree\n");
});

test("binary files and other encodings are refused whole", async () => {
  expect(await edit(Buffer.from("caf\xe9 x", "latin1"), { old: "x", new: "y" })).toBe(
    "failed: f cannot be edited as text: text that is not UTF-8, 6 bytes. Nothing was changed.",
  );
  expect(await edit(Buffer.from("x\0"), { old: "x", new: "y" })).toContain("cannot be edited as text");
});

test("a file that is not what the model last saw is not edited", async () => {
  const room = testingRoom(workspace.root);
  await writeFile(join(workspace.root, "f"), "new");
  room.known.set("f", hashOf(new TextEncoder().encode("old")));
  expect(wordsOf(await runTool(editFile, { path: "f", old: "new", new: "x" }, room))).toEqual({
    outcome: "failed",
    words: "f has changed since you last read or wrote it; read it again first.",
  });
});

const line = fc
  .array(fc.constantFrom("a", "b", "é", "😀", " ", "\t", "$&", "\uFEFF", "\r"), { maxLength: 4 })
  .map((all) => all.join("").replace(/\r+$/, ""));
const ending = fc.constantFrom("\n", "\r\n");
const file = fc.record({
  bom: fc.boolean(),
  lines: fc.array(fc.tuple(line, ending), { minLength: 1, maxLength: 12 }),
  uniform: fc.option(ending, { nil: undefined }),
  last: line,
});

test("whatever the file, an edit leaves every byte outside its passage as it was", () => {
  fc.assert(
    fc.property(
      file,
      fc.nat(),
      fc.nat(),
      fc.array(line, { minLength: 1, maxLength: 4 }),
      (made, one, other, fresh) => {
        const text = made.lines.map(([words, end]) => words + (made.uniform ?? end)).join("") + made.last;
        const places = [one % (text.length + 1), other % (text.length + 1)].toSorted((a, b) => a - b);
        const [from = 0, to = 0] = places.map((place) =>
          text[place] === "\n" && text[place - 1] === "\r" ? place + 1 : place,
        );
        const old = text.slice(from, to);
        const outside = { before: text.slice(0, from), after: text.slice(to) };
        const replaced = replaceText(text, {
          old: old.replaceAll("\r\n", "\n"),
          new: fresh.join("\n"),
          all: false,
        });
        if (!replaced.ok || old === "") return;
        expect(replaced.value.places).toBe(1);
        expect(replaced.value.text.startsWith(outside.before)).toBe(true);
        expect(replaced.value.text.endsWith(outside.after)).toBe(true);
        const middle = replaced.value.text.slice(from, replaced.value.text.length - outside.after.length);
        expect(middle.replaceAll("\r\n", "\n")).toBe(fresh.join("\n"));
        const bytes = encodeText(replaced.value.text, made.bom);
        expect(decodeText(bytes)).toMatchObject({
          kind: "text",
          bom: made.bom || replaced.value.text.startsWith("\uFEFF"),
        });
      },
    ),
    { numRuns: 3000 },
  );
});
