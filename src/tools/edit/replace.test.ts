import { expect, test } from "vitest";
import { ladder } from "./ladder.ts";
import { replaceText } from "./replace.ts";

/** The text after the edit, or why there is none. */
function replaced(text: string, old: string, fresh: string, all = false): string {
  const made = replaceText(text, { old, new: fresh, all });
  return made.ok ? made.value.text : `refused: ${made.problem}`;
}

function toleranceOf(text: string, old: string, fresh: string): readonly string[] {
  const made = replaceText(text, { old, new: fresh, all: false });
  return made.ok ? made.value.tolerances : [];
}

const code = 'function one() {\n    const x = "a";\n    return x;\n}\n\nfunction two() {\n    return 2;\n}\n';

test("each tolerance is used only where the stricter ones fail", () => {
  const used = (old: string, fresh: string): readonly string[] => toleranceOf(code, old, fresh);
  expect(used("    return 2;", "    return 3;")).toEqual([]);
  expect(used("    return x;\r\n}\r\n", "    return x + 1;\r\n}\r\n")).toEqual([]);
  expect(used("7\t    return 2;", "7\t    return 3;")).toEqual(["line-numbers"]);
  expect(used("    return 2;  \n}", "    return 3;\n}")).toEqual(["trailing-space"]);
  expect(used("function two() {\n  return 2;", "function two() {\n  return 3;")).toEqual(["indentation"]);
  expect(used("    const x = “a”;", '    const x = "b";')).toEqual(["look-alikes"]);
  expect(used('    const x = \\"a\\";\\n    return x;', '    const x = \\"b\\";\\n    return x;')).toEqual([
    "quoting",
  ]);
  const stale = '// One.\nfunction one() {\n    const x = "a";\n    return x;\n}\n\nfunction two() {';
  expect(used(stale, stale.replace("return x", "return x + x"))).toEqual(["nearest"]);
  expect(ladder.map(({ tolerance }) => tolerance)).toEqual(
    "exact line-endings line-numbers trailing-space indentation look-alikes quoting nearest".split(" "),
  );
});

test("an edit of the very difference that a tolerance ignores is not made with that tolerance", () => {
  expect(replaced("a\nb\n", "a  \nb", "a\nb")).toContain("differs from `old` in white space at line ends");
  expect(replaced("    return x;\n", "  return x;", "    return x;")).toContain(
    "differs from `old` in indentation",
  );
  expect(replaced("a “quoted” word\n", 'a "quoted" word', "a „quoted“ word")).toContain(
    "look-alike characters",
  );
  expect(replaced("a\nb\n", "a\r\nb", "a\nb")).toContain("was not found with exactly these line endings");
  expect(replaced("a\r\nb\r\n", "a\r\n", "a\n")).toBe("a\nb\r\n");
});

test("`all` changes every match only where all of them are clearly meant", () => {
  const text = "x = 1\n  x = 1 \n";
  expect(replaced(text, "x = 1", "x = 2", true)).toBe("x = 2\n  x = 2 \n");
  expect(replaced("a \nb\na\nb\n", "a\nb\n", "c\nb\n", true)).toBe("a \nb\nc\nb\n");
  expect(replaced("a \nb\na \nb\n", "a\nb\n", "c\nb\n", true)).toBe("c \nb\nc \nb\n");
  expect(replaced("\tgo on\n\tstop\n\t\tgo on\n\t\tstop\n", "go on\nstop", "go off\nstop", true)).toBe(
    "\tgo off\n\tstop\n\t\tgo off\n\t\tstop\n",
  );
  expect(replaced("“one” and\n“one” or\n", '"one"', '"two"', true)).toBe("“two” and\n“two” or\n");
  expect(replaced("\tcall a\n\t\tcall a\n", "   call a", "call b", true)).toContain("no counterpart");
  expect(replaced("a b\nc d\n\na b\nc d\n", "> a b\n> c d", "> a b", true)).toContain(
    "`all` changes no others",
  );
  expect(replaced("aaa", "aa", "b", true)).toBe("ba");
});

test("an ambiguous passage is reported with the lines of its matches, at any tolerance", () => {
  const twice = "  a one\n  b two\nc\n  a one\n  b two\n";
  const refused = "nothing was changed. Add surrounding lines until it is unique";
  expect(replaced(twice, "a one", "x")).toBe(
    `refused: \`old\` occurs 2 times (lines 1, 4); ${refused}, or set \`all\` to change every one.`,
  );
  expect(replaced(twice, "a one\nb two", "x")).toBe(
    `refused: \`old\` occurs 2 times, indentation left out of account (lines 1, 4); ${refused}, or set \`all\` to change every one.`,
  );
});

test("the replacement is re-indented the way the passage is", () => {
  expect(replaced(code, 'const x = "a";\nreturn x;', 'const x = "a";\nif (x) {\n    return x;\n}')).toBe(
    code.replace("    return x;", "    if (x) {\n        return x;\n    }"),
  );
  expect(
    replaced(
      "class A:\n\tdef b(self):\n\t\treturn 1\n",
      "    def b(self):\n        return 1",
      "    def b(self):\n        x = 1\n        return x",
    ),
  ).toBe("class A:\n\tdef b(self):\n\t\tx = 1\n\t\treturn x\n");
  expect(replaced("a:\n    one\n    two\n", "  one\n  two", "  one\n\t three")).toContain("no counterpart");
});

test("a passage with less indentation than the file does not match inside the file's indentation", () => {
  const python = "if a:\n        return x\n";
  expect(replaced(python, "    return x", "    y()\n    return x")).toBe(
    "if a:\n        y()\n        return x\n",
  );
  expect(replaced(python, "    return x", "    return y")).toBe("if a:\n        return y\n");
});

test("a first line copied without indentation gets that of the others", () => {
  expect(
    replaced("  if (a) {\n    b();\n  }\n", "if (a) {\n      b();\n    }", "if (a) {\n      c();\n    }"),
  ).toBe("  if (a) {\n    c();\n  }\n");
});

test("a replacement with ambiguous indentation is refused", () => {
  const shifted = "    a one\n    b two\n";
  // Either only `old` was copied with another indentation, or both texts were.
  expect(replaced(shifted, "   a one", "    a two")).toContain("no counterpart");
  expect(replaced(shifted, "  a one", "  a two")).toBe("    a two\n    b two\n");
  expect(replaced(shifted, "a one", "a one\na two")).toContain("a whole line without its indentation");
  expect(replaced(shifted, "b two", "b two\n\nc {")).toBe("    a one\n    b two\n\nc {\n");
  expect(replaced("  } finally {\n", "} finally {", "x();\n} finally {")).toContain(
    "without its indentation",
  );
  expect(replaced(shifted, "b two", "b two\n}")).toBe("    a one\n    b two\n}\n");
  expect(replaced("    a one\n     b two\n", "    a one\n    b two", "    a two\n    b two")).toContain(
    "was not found",
  );
});

test("the edges of a passage never damage the lines around it", () => {
  const python = "def run():\n    first()\n    second()\n";
  // The leftover indentation would be added to the next line.
  expect(replaced(python, "first()\n", "")).toContain("copy it with its whole indentation");
  expect(replaced(`${python}\nrun()\n`, "second()\n\n", "\n")).toContain(
    "copy it with its whole indentation",
  );
  expect(replaced(python, "    first()\n", "")).toBe("def run():\n    second()\n");
  // The next line would be joined to the replacement.
  expect(replaced(python, "    first()\n", "    third()")).toContain("end both alike");
  expect(replaced(python, "def run():\n    first()\n", "def run():\n    third()")).toContain(
    "end both alike",
  );
  expect(replaced(python, "    first()\n", "    third()\n")).toBe(python.replace("first", "third"));
  expect(replaced("one\ntwo\n", "one\n", "one, ")).toBe("one, two\n");
  expect(replaced("one\ntwo\n", "two\n", "three")).toBe("one\nthree");
  expect(replaced("one\n\ntwo\n", "one\n", "three")).toBe("three\ntwo\n");
  expect(replaced("one\n\ntwo\n", "\n\n", " ")).toBe("one two\n");
});

test("a prefix stripped from whole lines is matched against whole lines only", () => {
  expect(replaced("xylophone\n", '"xylo"', '"piano"')).toContain("was not found");
  expect(replaced("alpha beta\n", "5\tbeta", "5\tgamma")).toContain("was not found");
  expect(replaced("1\tfoo\n2\tbar\n", "2\tfoo", "2\tbaz")).toContain("was not found");
  expect(replaced("  alpha beta\n", "5\talpha beta", "5\tgamma")).toBe("  gamma\n");
});

test("a prefix that lines of the file have too is content, not quoting", () => {
  expect(replaced("> one\ntwo two\n", "> two two", "> three")).toContain("was not found");
  const text = "```sh\nnpm ci\nnpm test\n```\n";
  expect(replaced(text, "```sh\nnpm ci\n```", "```sh\n```")).toBe("```sh\nnpm test\n```\n");
  expect(replaced(text, "```sh\nnpm i\n```", "```sh\n```")).toContain("was not found");
});

test("a replacement with the file's indentation for an unindented passage is left as it is", () => {
  const python = "class A:\n    def go(self):\n        use(self)\n";
  const fresh = "    def go(self):\n        check(self)\n        use(self)";
  expect(replaced(python, "def go(self):\n    use(self)", fresh)).toBe(`class A:\n${fresh}\n`);
  // The two texts have no line in common.
  expect(
    replaced(python, "def go(self):\n    use(self)", "    def stop(self):\n        end(self)"),
  ).toContain("no counterpart");
  expect(replaced(python, "use(self)\n", "if self:\n    use(self)\n")).toContain(
    "indented as if it had none",
  );
  expect(replaced(python, "use(self)", "if self:\n            use(self)")).toBe(
    "class A:\n    def go(self):\n        if self:\n            use(self)\n",
  );
  // Indented deeper because the line before opens a block.
  expect(
    replaced(python, "def go(self):\n    use(self)", "def go(self):\n    if self:\n        use(self)"),
  ).toBe("class A:\n    def go(self):\n        if self:\n            use(self)\n");
});

test("a passage that ends with the bracket of another block is not found", () => {
  const text = "class A {\n  go() {\n    use(this);\n  }\n}\n";
  expect(replaced(text, "    use(this);\n}", "    use(this);\n}\n\nfunction end() {}")).toContain(
    "was not found",
  );
  expect(replaced(text, "use(this);\n}", "use(this);\n}\n\nfunction end() {}")).toContain("was not found");
});

test("look-alike characters stay as the file has them", () => {
  const text = "It’s a “big” plan – really…\nNext.\n";
  expect(
    replaced(text, 'It\'s a "big" plan - really...\nNext.', 'It\'s a "small" plan - really...\nNext.'),
  ).toBe(text.replace("big", "small"));
  expect(replaced('say("a - b");\n', "say(“a – b”);", "say(“a – c”);\nsay(“d”);")).toBe(
    'say("a - c");\nsay("d");\n',
  );
  const composed = "Größe = 1\n";
  expect(replaced(composed, composed.normalize("NFD"), "Größe = 2\n".normalize("NFD"))).toBe("Größe = 2\n");
  expect(replaced("a\u00A0b c\n", "a b c", "a b d")).toBe("a\u00A0b d\n");
});

test("a new character keeps its spelling, while those already in the file keep theirs", () => {
  expect(replaced("f(“a”)\n", 'f("a")', 'f("a", "b")')).toBe('f(“a”, "b")\n');
  expect(replaced("“one” and ‘two’\n", "\"one\" and 'two'", "\"one\" and 'two', 'three'")).toBe(
    "“one” and ‘two’, 'three'\n",
  );
  // Never only one of a pair, which would open with one kind of quote and close with another.
  expect(replaced("say “one” now\n", 'say "one" now', 'say "two" or "one" now')).toBe(
    'say "two" or "one" now\n',
  );
});

test("invisible characters within a changed line stay in place", () => {
  expect(replaced("zero\u200Bwidth space\n", "zerowidth space", "zerowidth blank")).toBe(
    "zero\u200Bwidth blank\n",
  );
  expect(replaced("soft\u200Dly said, twice\n", "softly said, twice", "softly said, once")).toBe(
    "soft\u200Dly said, once\n",
  );
});

test("new words get the Unicode normalization form of the file", () => {
  const hangul = "한국어 문장\n다음 줄\n";
  expect(replaced(hangul, hangul.normalize("NFD"), "한국어 문장들\n다음 줄\n".normalize("NFD"))).toBe(
    "한국어 문장들\n다음 줄\n",
  );
  const parts = "un café noir\n".normalize("NFD");
  expect(replaced(parts, "un café noir", "un café très noir")).toBe("un café très noir\n".normalize("NFD"));
});

test("text escaped once too often is unescaped if there is only one reading", () => {
  const text = 'print("a\\n")\nnext()\n';
  expect(replaced(text, 'print(\\"a\\\\n\\")\\nnext()', 'print(\\"b\\\\n\\")\\nnext()')).toBe(
    'print("b\\n")\nnext()\n',
  );
  expect(replaced("a()\nb()\n", "a()\\nb()", 'a()\\nprint("\\n")')).toContain("could be meant in two ways");
  expect(replaced("a()\nb()\n", "a()\\nb()", "a()\\nprint('x\\ny')")).toContain("could be meant in two ways");
  expect(replaced("<b>x</b> & y\n", "&lt;b&gt;x&lt;/b&gt; &amp; y", "&lt;i&gt;x&lt;/i&gt;")).toBe(
    "<i>x</i>\n",
  );
  expect(replaced("a b\nc d\n", "```\na b\nc d\n```", "```\na b\nc e\n```")).toBe("a b\nc e\n");
  expect(replaced("a b\nc d\n", "> a b\n> c d", "> a b\n> c e")).toBe("a b\nc e\n");
  expect(replaced("a b\nc d\n", '"a b\\nc d"', '"a b\\nc e"')).toBe("a b\nc e\n");
  expect(replaced("a \\\nb c\n", "a \\\\\\nb c", "a \\\\\\nb d")).toBe("a \\\nb d\n");
});

test("white space and blank lines around a passage are ignored and left as they are", () => {
  expect(replaced("a  \nb c\n", "a\nb c", "a\nb d")).toBe("a  \nb d\n");
  expect(replaced("a\nb c\nd\n", "\n\nb c\n\n", "\n\nb e\n\n")).toBe("a\nb e\nd\n");
  expect(replaced("a\n\nb c\n", "a\n  \nb c", "a\n  \nb d")).toBe("a\n\nb d\n");
  expect(replaced("a\nb", "b\n", "b\nc\n")).toBe("a\nb\nc");
  expect(replaced("a\nb", "b\n", "")).toBe("a\n");
  // The passage must end at the end of a line.
  expect(replaced("x = 10\n", "x = 1 ", "x = 2")).toContain("was not found");
});

test("lines are removed together with their endings, whatever these are", () => {
  expect(replaced("a\r\nb\nc\r\n", "a\nb\n", "a\n")).toBe("a\r\nc\r\n");
  expect(replaced("a\r\nb\nc", "a\nb\nc", "a\nc")).toBe("a\r\nc");
  expect(replaced("a\r\nb\nc", "b\nc", "b")).toBe("a\r\nb");
  expect(replaced("  a b\n  c d\n  e f\n", "c d\ne f", "e f")).toBe("  a b\n  e f\n");
});

test("a refusal shows the nearest lines and how they differ", () => {
  const file = ["one {", "  a = 1;", "  b = 2;", "  c = 3;", "}"].join("\n");
  const changed = "one {\n  a = 1;\n  b = 9;\n  c = 3;\n}";
  expect(replaced(file, changed, changed.replace("b = 9", "b = 10"))).toBe(
    "refused: `old` was not found: the line `b = 9;`, which is to go, is not there; line 3 is `b = 2;`; nothing was changed. Copy `old` from the file as it is now, with its white space and without line numbers. The nearest lines are:\n1\tone {\n2\t  a = 1;\n3\t  b = 2;\n4\t  c = 3;\n5\t}",
  );
  expect(replaced(file, "  a = 1;\n    b = 2;", "  x")).toContain(
    "the lines from 2 on have the same words, but other indentation, and not all are shifted alike",
  );
  expect(replaced(file, "one {\n  // ... existing code ...\n}", "x")).toContain("it leaves lines out");
  expect(replaced(file, "a = [12 characters cut]1;", "x")).toContain("a line that was only shown in part");
  // A short file is shown whole if no line is similar to the passage.
  expect(replaced(file, "zzz", "x")).toContain("The nearest lines are:\n1\tone {");
  expect(replaced("words\n".repeat(50), "zzz", "x")).toBe(
    "refused: `old` was not found; nothing was changed. Nothing in the file is like it: read the file, and copy `old` from it.",
  );
  expect(replaced("\n\n", "zzz", "x")).toContain("the file is empty");
  expect(replaced(file, "if (one) c", "x")).toContain("The nearest lines are:\n1\tone {");
});

test("for a long passage only a few lines around the first difference are shown", () => {
  const lines = Array.from({ length: 100 }, (_, at) => `  line number ${at} is here`);
  const old = lines.slice(10, 80).with(60, "  a line that was never there");
  const told = replaced(lines.join("\n"), old.join("\n"), old.with(60, "  another").join("\n"));
  expect(told).toContain("line 71 is `line number 70 is here`");
  expect(told).toContain("\n71\t  line number 70 is here\n");
  expect(told.split("\n").length).toBeLessThan(25);
});

test("huge lines are shown in part", () => {
  const file = `${"word ".repeat(100_000)}\nnext line\n`;
  const told = replaced(file, "word\nnext lines", "x");
  expect(told).toContain("characters cut");
  expect(told.length).toBeLessThan(2000);
});
