/** The command lines by which rows are measured: the fixtures, and the tables of the tests about command lines. */

import { globSync, readFileSync } from "node:fs";
import ts from "typescript-6";

/** A line, and where it stands. */
type Sample = { readonly line: string; readonly from: string };

const tests = ["src/safety/judge.*test.ts", "src/safety/every*.test.ts", "src/safety/own-processes.test.ts"];

export function samples(root: string): Sample[] {
  const files = globSync("test/fixtures/{commands,day,more-commands-*}.jsonl", { cwd: root }).toSorted();
  const all = [
    ...files.flatMap((file) => fixtures(root, file)),
    ...globSync(tests, { cwd: root })
      .toSorted()
      .flatMap((file) => tables(root, file)),
  ];
  return [...new Map(all.map((one) => [one.line, one])).values()];
}

const fixtures = (root: string, file: string): Sample[] =>
  readFileSync(`${root}/${file}`, "utf8")
    .trim()
    .split("\n")
    .map((line): { id: string; cmd: string } => JSON.parse(line))
    .map(({ id, cmd }) => ({ line: cmd, from: `${file}:${id}` }));

/** Every literal text in a list of a test, or in a list in it. */
function tables(root: string, file: string): Sample[] {
  const source = ts.createSourceFile(file, readFileSync(`${root}/${file}`, "utf8"), ts.ScriptTarget.Latest);
  const found: Sample[] = [];
  const visit = (node: ts.Node, isListed: boolean): void => {
    if (isListed && ts.isStringLiteralLike(node) && node.text.trim() !== "") {
      const { line } = source.getLineAndCharacterOfPosition(node.getStart(source));
      found.push({ line: node.text, from: `${file}:${line + 1}` });
    }
    ts.forEachChild(node, (child) => visit(child, isListed || ts.isArrayLiteralExpression(node)));
  };
  visit(source, false);
  return found;
}
