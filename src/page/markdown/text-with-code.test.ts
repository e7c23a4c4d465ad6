import { expect, test } from "vitest";
import { TextWithCode } from "./text-with-code.tsx";

/** The texts that are code. */
const codeIn = (text: string): unknown[] =>
  [TextWithCode({ text }).props.children].flat().flatMap((part) => (typeof part === "string" ? [] : [part]));

test("only pairs of backticks around whole words are code, so that nothing of a command goes missing", () => {
  expect(codeIn("run `toolwright login`, or `/model`.")).toHaveLength(2);
  for (const text of ["`echo `date``", "a`b`c", "one ` alone", "echo `a\nb`"])
    expect(codeIn(text)).toEqual([]);
});
