import { expect, test } from "vitest";
import { editFileBytes } from "./edits.ts";
import type { Replacement } from "./replace.ts";

type Given = Pick<Replacement, "old" | "new"> & { all?: boolean };

/** The file's text after the edits and the report on them, or the problem. */
function edited(
  content: string | Uint8Array | null,
  ...edits: Given[]
): { text: string; done: string } | string {
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
  const made = editFileBytes(
    { relative: "f", bytes },
    edits.map((edit) => ({ all: false, ...edit })),
  );
  if (!made.ok) return made.problem;
  return { text: Buffer.from(made.value.bytes).toString("latin1"), done: made.value.done };
}

const latin = (text: string): Uint8Array => Buffer.from(text, "latin1");

test("several edits are applied in order, each to the result of the ones before", () => {
  expect(edited("a b c\n", { old: "a", new: "x" }, { old: "x b", new: "y" })).toEqual({
    text: "y c\n",
    done: "Made 2 edits in f: 1 at line 1, 2 at line 1.",
  });
  expect(edited("a\nb\nb\n", { old: "b", new: "c", all: true }, { old: "a\nc\nc", new: "d" })).toEqual({
    text: "d\n",
    done: "Made 2 edits in f: 1 at 2 places, 2 at line 1.",
  });
});

test("an edit whose old and new are the same does not stop the others, and the report says so", () => {
  expect(edited("a b\n", { old: "a", new: "x" }, { old: "b", new: "b" })).toEqual({
    text: "x b\n",
    done: "Made 2 edits in f: 1 at line 1, 2 nowhere, since its `old` and `new` are the same.",
  });
  expect(edited("a b\n", { old: "a", new: "a" }, { old: "b", new: "b" })).toBe(
    "In f: the edit would change nothing.",
  );
  expect(edited("a b\n", { old: "a", new: "x" }, { old: "c", new: "c" })).toMatch(/^In f, edit 2 of 2: /u);
});

test("one edit that fails cancels all of them and is named by its number", () => {
  expect(edited("a b c\n", { old: "a", new: "x" }, { old: "a", new: "y" }, { old: "c", new: "z" })).toMatch(
    /^In f, edit 2 of 3: `old` was not found[^]*\nNone of the edits was made\.$/,
  );
  expect(edited("a\n", { old: "a", new: "x" }, { old: "", new: "y" })).toContain(
    "edit 2 of 2: `old` is empty",
  );
  expect(edited("a\n", { old: "a", new: "x" }, { old: "x", new: "a" })).toBe(
    "In f: the edit would change nothing.",
  );
});

test("an empty `old` creates or fills a file, which later edits may change", () => {
  expect(edited(null, { old: "", new: "a\n" }, { old: "a", new: "b" })).toEqual({
    text: "b\n",
    done: "Created f.",
  });
  expect(edited("", { old: "", new: "a\n" })).toEqual({ text: "a\n", done: "Filled f, which was empty." });
  expect(edited(null, { old: "", new: "a\n" }, { old: "z", new: "b" })).toContain("In f, edit 2 of 2:");
  expect(edited(null, { old: "a", new: "b" })).toBe("There is no file f.");
});

test("tolerated differences are reported, so that the model copies the next passage better", () => {
  expect(edited("  a one\n  b\n", { old: "a one\nb", new: "a two\nb" })).toMatchObject({
    done: "Edited f at line 1. `old` was indented differently; `new` was indented as the file is.",
  });
  expect(edited("a b\nc d\n", { old: "a b", new: "x" }, { old: "> c d", new: "> y" })).toMatchObject({
    done: "Made 2 edits in f: 1 at line 1, 2 at line 2. In edit 2 `old` was quoted or escaped once too often.",
  });
});

test("a replacement containing a placeholder for omitted code is refused with advice", () => {
  expect(edited("function a() {\n  b();\n}\n", { old: "  b();", new: "  // ... existing code ..." })).toBe(
    "In f: `new` leaves something out (`// ... existing code ...`), which would be lost; nothing was changed. Write out every line that is to be in the file, or change less: replace short passages, each copied whole.",
  );
  const had = "a();\n// ... existing code ...\n";
  expect(edited(had, { old: had, new: had.replace("a", "b") })).toMatchObject({
    text: had.replace("a", "b"),
  });
});

test("escaped line endings in code are not written to the file", () => {
  const code = "function a() {\n  b();\n}\n";
  expect(edited(code, { old: "  b();", new: "  b();\\n  c();" })).toContain("line ends written out");
  expect(edited(code, { old: "b();", new: "if (x) {\\nb();\\n}" })).toContain("line ends written out");
  expect(edited(code, { old: "b();", new: 'b(";\\n  ");' })).toMatchObject({ done: "Edited f at line 2." });
  expect(edited(code, { old: "b();", new: "b(/[;\\n]/, /}\\n/);" })).toMatchObject({
    done: "Edited f at line 2.",
  });
  expect(edited("\\alpha\n", { old: "\\alpha", new: "\\nabla\\nu" })).toMatchObject({
    done: "Edited f at line 1.",
  });
});

test("SAFETY 4: a file that is not UTF-8 is edited byte for byte by ASCII passages, and other passages are refused", () => {
  expect(edited(latin("caf\xe9 one\r\ntwo \xff\n"), { old: "one\ntwo", new: "1\n2\n3" })).toMatchObject({
    text: "caf\xe9 1\r\n2\n3 \xff\n",
  });
  expect(edited(latin("caf\xe9\n  x one\n"), { old: "x one  ", new: "x two" })).toMatchObject({
    text: "caf\xe9\n  x two\n",
  });
  expect(edited(latin("caf\xe9 x"), { old: "café", new: "y" })).toContain("only passages of plain ASCII");
  expect(edited(latin("caf\xe9 x"), { old: "x", new: "é" })).toContain("only passages of plain ASCII");
  expect(edited(latin("caf\xe9 x"), { old: "caf y", new: "y" })).toContain("1\tcaf\uFFFD x");
});

test("in an unknown encoding no change starts inside a multi-byte character", () => {
  // In Shift-JIS 0x83 0x41 is one character, whose second byte looks like an A.
  expect(edited(latin("x \x83A y"), { old: "A y", new: "B y" })).toContain(
    "right after a character that is not ASCII",
  );
  expect(edited(latin("x \x83A y"), { old: "A y", new: "A z" })).toMatchObject({ text: "x \x83A z" });
  expect(edited(latin("x \x83A y"), { old: "A", new: "" })).toContain(
    "right after a character that is not ASCII",
  );
});

test("binary files are refused", () => {
  expect(edited(Uint8Array.of(0x78, 0), { old: "x", new: "y" })).toBe(
    "f cannot be edited as text: application/octet-stream, 2 bytes. Nothing was changed.",
  );
  expect(edited(Uint8Array.of(0xff, 0xfe, 0x41, 0), { old: "A", new: "y" })).toContain("text in UTF-16");
});
