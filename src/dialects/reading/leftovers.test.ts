import fc from "fast-check";
import { expect, test } from "vitest";
import { leftoverMarks, leftoverWatch } from "./leftovers.ts";

const closers = ["</parameter>", "</arg_value>", "<|close|>argument<|sep|>", "<tool_call|>", "]~[</"];

/** How many stray closing tags the watch reports, with the text in chunks of this size. */
function doubts(text: string, size: number): number {
  let count = 0;
  const watch = leftoverWatch(leftoverMarks(closers), () => void (count += 1));
  for (let at = 0; at < text.length; at += size) watch(text.slice(at, at + size));
  return count;
}

test.each([
  ["a closing tag", "x</parameter>y", 1],
  ["a token", "x<tool_call|>y", 1],
  ["a whole tag", "<parameter=a>x</parameter>", 0],
  ["a whole tag with a name", '<parameter name="a">x</parameter>', 0],
  ["a whole value", "<arg_value>x</arg_value>", 0],
  ["a whole argument", '<|open|>argument key="a"<|sep|>x<|close|>argument<|sep|>', 0],
  ["a closing tag, then a whole tag", "</parameter><parameter=a>x</parameter>", 1],
  ["a whole tag, then a closing tag", "<parameter=a>x</parameter></parameter>", 1],
  ["half a tag", "</parameter", 0],
  ["a closing tag that begins like the opening one", "x]~[</a>y", 1],
  ["the same tag, opened and closed", "]~[<a>x]~[</a>y]~[</b>", 1],
])("N19: in %s, only a closing tag that closes nothing is a leftover", (_, text, count) => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: text.length }), (size) => {
      expect(doubts(text, size)).toBe(count);
    }),
  );
});

test("without closing tags to watch for, nothing is reported", () => {
  const watch = leftoverWatch(leftoverMarks([]), () => expect.unreachable());
  watch("</parameter>");
});
