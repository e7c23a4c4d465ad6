/** The rules about form: every source opens with a comment on its purpose, every test file contains a test. */

import type { Problem } from "./problem.ts";
import type { SourceFile } from "./source-tree.ts";

export function checkForm(files: readonly SourceFile[]): Problem[] {
  return files.flatMap((file) =>
    file.isTest ? checkTest(file) : [...checkOpening(file), ...checkComments(file)],
  );
}

function checkOpening({ path, text }: SourceFile): Problem[] {
  const opening = text.replace(/^#!.*\n/u, "").trimStart();
  return opening.startsWith("/**")
    ? []
    : [{ path, line: 1, words: "it does not open with a /** sentence */" }];
}

/** Finds comments that directly precede another one and so lost their code. The file's opening comment is exempt. */
function checkComments({ path, text }: SourceFile): Problem[] {
  const lines = text.split("\n");
  const ends = lines.flatMap((line, at) => (line.trimEnd().endsWith("*/") ? [at] : []));
  return ends
    .slice(1)
    .filter((at) => lines[at + 1]?.trimStart().startsWith("/**"))
    .map((at) => ({ path, line: at + 1, words: "this comment stands above another comment" }));
}

/** A test file may delegate to a contract suite: `storeContract(…)` from `store-contract.ts`. */
function checkTest({ path, calls, imports }: SourceFile): Problem[] {
  const tests =
    calls.has("test") || calls.has("it") || imports.some(({ target }) => target.endsWith("-contract.ts"));
  return tests ? [] : [{ path, line: 1, words: "it holds no test" }];
}
