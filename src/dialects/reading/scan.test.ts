import fc from "fast-check";
import { expect, test } from "vitest";
import { jsonExtent } from "../../base/json-brackets.ts";
import { scale } from "../../testing/scale.ts";
import { jsonWatch, proseStops, textMask } from "./scan.ts";

test.each([
  ["plain text", "Hello ", false],
  ["a fence", "```\n", true],
  ["a closed fence", "```\nx\n```\n", false],
  ["a fence whose closing line has words", "```\nx\n``` y\n", true],
  ["a fence with other marks inside", "```\n~~~\n", true],
  ["inline code", "a `b ", true],
  ["inline code that was closed", "a `b` ", false],
  ["inline code that ended with its line", "a `b\n", false],
  ["double back-ticks around one", "``a ` b ", true],
  ["a block quote", "> a ", true],
  ["the line after a block quote", "> a\n", false],
  ["a greater-than sign within a line", "a > b ", false],
  ["indented code after a blank line", "a\n\n    ", true],
  ["the second line of indented code", "a\n\n    b\n    ", true],
  ["an indented line without a blank line before", "a\n    ", false],
  ["indentation at the very beginning", "    ", false],
  ["an open comment", "<!-- a ", true],
  ["a closed comment", "<!-- a -- > --> ", false],
  ["a comment shown in code", "`<!--` ", false],
  ["a fence in a list item", "- ```xml\n  ", true],
  ["a fence in a numbered item in another one", "* 12) ~~~\n     ", true],
  ["a fence in an item that was closed", "1. ```\n   x\n   ```\n", false],
  ["back-ticks in an item that close nothing", "```\n- ```\n", true],
  ["a block quote in an item", "- > a ", true],
  ["a greater-than sign after a hyphen", "-> ", false],
  ["bold words and a number", "**a** 1.5 ", false],
  ["a quotation mark", 'He said "', true],
  ["a full-width bracket", "例（", true],
  ["an equals sign", "x =", true],
])("after %s a marker is masked: %s → %s", (_, text, masked) => {
  const mask = textMask();
  for (const character of text) mask.step(character.charCodeAt(0));
  expect(mask.masked()).toBe(masked);
});

test("calling masked() never changes its later answers, even within back-ticks", () => {
  const marks = fc.constantFrom("`", "``", "```", "~~~", "a", " ", "\n", "> ");
  fc.assert(
    fc.property(fc.array(marks, { maxLength: 12 }), (pieces) => {
      const [asked, silent] = [textMask(), textMask()];
      for (const character of pieces.join("")) {
        asked.masked();
        asked.step(character.charCodeAt(0));
        silent.step(character.charCodeAt(0));
      }
      expect(asked.masked()).toBe(silent.masked());
    }),
  );
});

test.each([
  ["an open quotation", 'She wrote: "then send ', true],
  ["JSON in an open quotation", 'She wrote: "send {"a": "b"} and ', true],
  ["a closed quotation with JSON in it", 'She wrote: "send {"a": "b"}" and ', false],
  ["a closed quotation", 'She wrote "this" and ', false],
  ["a typographic quotation", "She wrote “then send ", true],
  ["a German quotation that is closed", "Sie schrieb „dies“ und ", false],
  ["a size in inches", 'A 5" disk: ', false],
  ["a Japanese quotation", "彼は「これ: ", true],
  ["a Chinese quotation that is closed", "他说『这个』 ", false],
  ["the line after an open quotation", 'She wrote "this\n', false],
  ["apostrophes", "It's 'tis, don't ", false],
  ["a quotation mark in code", 'The mark `"` is ', false],
])("N10: after %s a marker is quoted speech: %s → %s", (_, text, quoting) => {
  const mask = textMask();
  for (const character of text) mask.step(character.charCodeAt(0));
  expect(mask.quoting()).toBe(quoting);
});

test("calling masked() outside runs of marks changes neither the mask nor the line start", () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom("`", "``", "```", "~~~", "\n", " ", ">", "a", "<!--", "-->", "    "), {
        maxLength: 20,
      }),
      (pieces) => {
        const [asked, silent] = [textMask(), textMask()];
        for (const character of `${pieces.join("")}<`) {
          // A run of marks ends at the next other character, so masked() is not called right before a mark.
          if (!"`~".includes(character)) asked.masked();
          asked.step(character.charCodeAt(0));
          silent.step(character.charCodeAt(0));
        }
        expect([asked.masked(), asked.atLineStart()]).toEqual([silent.masked(), silent.atLineStart()]);
      },
    ),
  );
});

test("skipping the prose of a line leaves the mask as every single character would", () => {
  const stops = new RegExp(
    `[${proseStops.map((code) => `\\u${code.toString(16).padStart(4, "0")}`).join("")}]`,
    "g",
  );
  const signs = '1. |- |* |> |, |-->|<!--|<|`|```|~~~|"|“|”|„|«|»|「|」|《|(|)|=|+|\\|:|—|😀|例'.split("|");
  const pieces = fc.constantFrom("word", "a b", "\n", "\n\n", "    ", "\t", "\uFEFF", ...signs);
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 30 }), fc.nat(6), (words, shownAt) => {
      const text = words.join("");
      const [skipping, stepping] = [textMask(), textMask()];
      for (let at = 0; at < text.length; at += 1) {
        const from = at;
        at = skipping.skip(text, at, stops);
        for (let each = from; each < at; each += 1) stepping.step(text.charCodeAt(each));
        for (const mask of [skipping, stepping]) {
          if (at === shownAt) mask.shows("<call");
          if (at < text.length) mask.step(text.charCodeAt(at));
        }
        const [one, other] = [skipping, stepping].map((mask) => [
          mask.masked(),
          mask.quoting(),
          mask.atLineStart(),
          mask.indented(),
          mask.afterBlank(),
        ]);
        expect(one).toEqual(other);
      }
    }),
    { numRuns: 2000 * scale },
  );
});

test("A19: the end of a JSON value is found across strings and escapes", () => {
  fc.assert(
    fc.property(
      fc.dictionary(fc.string(), fc.jsonValue({ depthSize: "small" })),
      fc.string(),
      (value, behind) => {
        const text = JSON.stringify(value);
        expect(jsonExtent(`x${text}${behind}`, 1)?.end).toBe(text.length + 1);
      },
    ),
  );
  expect(jsonExtent('{"a": "}"', 0)).toBeUndefined();
  expect(jsonExtent("[[[]]]", 0)).toEqual({ end: 6, depth: 3 });
});

test("the name and the arguments of a call are recognised as soon as they appear", () => {
  const watch = jsonWatch({ names: new Set(["name"]), inputs: new Set(["arguments"]) });
  const inside: string[] = [];
  for (const character of '{"id": 1, "name": "say", "arguments": {"name": "no", "x": ["}"]}, "z": {}} ') {
    watch.step(character.charCodeAt(0));
    if (watch.inArguments) inside.push(character);
  }
  expect(inside.join("")).toBe('{"name": "no", "x": ["}"]}');
  expect({ name: watch.name, values: watch.values, depth: watch.depth }).toEqual({
    name: "say",
    values: 1,
    depth: 0,
  });
});
