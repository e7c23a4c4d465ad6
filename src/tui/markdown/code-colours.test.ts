/** Tests the colours of code, whose lines are finished one after the other. */

import { expect, test } from "vitest";
import { styleFor } from "../../view/style.ts";
import { codeColours, loadCodeColours } from "./code-colours.ts";
import { MarkdownRows } from "./markdown-rows.ts";

const rowsOf = (text: string): string[] => {
  const rows = new MarkdownRows({
    columns: () => 80,
    style: styleFor({}, true),
    links: false,
    unicode: true,
    highlight: codeColours,
  });
  return [...rows.append(text), ...rows.end()];
};

const green = (text: string): string => `\u001B[32m${text}\u001B[39m`;
const dim = (text: string): string => `\u001B[2m${text}\u001B[22m`;

test("code in a known language has colours, its special characters are as they were", async () => {
  await loadCodeColours();
  expect(rowsOf('```ts\nconst a = "<&>\'"; // x\n```\n```unknown\nconst a\n```\n```\nconst a')).toEqual([
    `  \u001B[35mconst\u001B[39m a = ${green('"<&>\'"')}; ${dim("// x")}`,
    "",
    "  const a",
    "",
    "  const a",
  ]);
});

test("a comment or text over many lines keeps its colour, also when it is long", async () => {
  await loadCodeColours();
  const lines = Array.from({ length: 300 }, (_, at) => `   const line ${at}`);
  expect(rowsOf(`\`\`\`ts\n/*\n${lines.join("\n")}\n*/\nlet\n`)).toEqual([
    `  ${dim("/*")}`,
    ...lines.map((line) => `  ${dim(line)}`),
    `  ${dim("*/")}`,
    "  \u001B[35mlet\u001B[39m",
  ]);
  expect(rowsOf('```py\na = """one\ntwo"""\n')).toEqual([`  a = ${green('"""one')}`, `  ${green('two"""')}`]);
});
