import fc from "fast-check";
import { expect, test } from "vitest";
import { isPlainlyHarmless } from "./harmless.ts";

const harmless = [
  "ls",
  "ls -la src",
  "cat README.md",
  "echo 'rm -rf /'",
  'grep -rn "a b" src',
  "head -n 20 src/a.ts",
  "wc -l a.ts b.ts",
  "node --version",
  "pwd",
  "  date  ",
  "date +%F",
  "date -d 2020-01-01",
  "tail -n 5 a",
  "tail -5 a",
  "tail -n +5 a",
  "head -20 a",
  "ls -1ah --color=never",
  "grep -rniE --include='*.ts' 'a|b' src",
  "echo '---'",
  "test -f a.txt",
  "test a = b",
  "cut -d: -f1 a",
  "stat -c %s a",
  "wc -l -- a",
  'cat "it\'s here"',
];

const needsQuestion = [
  "",
  "rm -rf /",
  "ls; rm -rf ~",
  "ls & rm x",
  "ls\nrm -rf ~",
  "ls\rrm",
  "ls | sh",
  "cat < /etc/passwd",
  "echo x > a.txt",
  "echo $(touch x)",
  "echo `touch x`",
  'echo "$(touch x)"',
  "echo $HOME",
  "cat ~/.ssh/id_rsa",
  "cat /etc/passwd",
  "cat ../secret",
  "grep --file=/etc/passwd x",
  "cat src/../../x",
  "r''m -rf x",
  "\\ls",
  "FOO=1 ls",
  "env ls",
  "sudo ls",
  "{ls,-la}",
  "ls *",
  "ls ?",
  "tail -f log",
  "date --set 2020-01-01",
  "find . -delete",
  "npm test",
  "git status",
  "node -e 1",
  "ls # comment",
  "ls\u00a0-la",
  "echo '\u0007'",
  // Regression: each of these ran without a question once.
  "test -v 'a[$(touch x)]'",
  "grep -f/etc/shadow a",
  "grep -if/etc/shadow a",
  "date -f/etc/shadow",
  "date -us 2020-01-01",
  "date --se=2020-01-01",
  "date 010203042026",
  "tail --fo a",
  "tail -5f a",
  "tail +5f a",
  "file -C -m a",
  "file --comp a",
  "file -z a.gz",
  "file -fnames",
  "file --files-from=names",
  "wc --files0-from=names",
  "wc --files0=names",
  "du --files0-from=names",
  "du -L .",
  "ls -RL .",
  "ls --dereference link",
  "grep -R x .",
  "grep --dereference-recursive x .",
  "cargo --version",
  "rustc --version",
  "go version",
];

test.each(harmless)("a plain reading command runs without a question: %s", (line) => {
  expect(isPlainlyHarmless(line)).toBe(true);
});

test.each(needsQuestion)("everything else is asked about: %j", (line) => {
  expect(isPlainlyHarmless(line)).toBe(false);
});

test("no line with a shell operator outside quotes is harmless, whatever stands around it", () => {
  const operators = [
    ";",
    "&",
    "|",
    "<",
    ">",
    "$",
    "`",
    "\\",
    "\n",
    "(",
    ")",
    "{",
    "}",
    "*",
    "?",
    "[",
    "!",
    "#",
    "~/",
  ];
  fc.assert(
    fc.property(
      fc.constantFrom(...harmless),
      fc.constantFrom(...operators),
      fc.string(),
      (line, operator, tail) => {
        expect(isPlainlyHarmless(`${line} ${operator}x${tail.replaceAll(/['"]/gu, "")}`)).toBe(false);
      },
    ),
  );
});

test("any text gets an answer, and nothing throws", () => {
  fc.assert(fc.property(fc.string({ unit: "binary" }), (line) => void isPlainlyHarmless(line)));
  expect(isPlainlyHarmless("ls ".repeat(100_000))).toBe(false);
});
