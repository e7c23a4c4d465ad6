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
];

test.each(harmless)("a plain reading command runs without a question: %s", (line) => {
  expect(isPlainlyHarmless(line)).toBe(true);
});

test.each(needsQuestion)("everything else is asked about: %j", (line) => {
  expect(isPlainlyHarmless(line)).toBe(false);
});

test("no line with a shell operator outside quotes is harmless, whatever stands around it", () => {
  const operators = [";", "&", "|", "<", ">", "$", "`", "\\", "\n", "(", ")", "{", "}", "*", "?", "[", "!", "#", "~/"];
  fc.assert(
    fc.property(fc.constantFrom(...harmless), fc.constantFrom(...operators), fc.string(), (line, operator, tail) => {
      expect(isPlainlyHarmless(`${line} ${operator}x${tail.replaceAll(/['"]/gu, "")}`)).toBe(false);
    }),
  );
});

test("any text gets an answer, and nothing throws", () => {
  fc.assert(fc.property(fc.string({ unit: "binary" }), (line) => void isPlainlyHarmless(line)));
  expect(isPlainlyHarmless("ls ".repeat(100_000))).toBe(false);
});
