import fc from "fast-check";
import { expect, test } from "vitest";
import { anyCharacter } from "../../../base/testing/any-character.ts";
import { effectsOf, effectLines } from "../../testing/effects.ts";

test.each<[string, string[]]>([
  ["echo hi there", ["prints hi there\n"]],
  ["echo -n hi", ["prints hi"]],
  ["echo -e a\\tb\\x41", ["prints a\tbA\n", "prints decoded"]],
  ["echo -e \\x72\\x6d", ["prints rm\n", "prints decoded"]],
  ["echo -ne a\\cb", ["prints a"]],
  ["echo -x", ["prints -x\n"]],
  ["printf %s-%d\\n a 1 b 2", ["prints a-1\nb-2\n"]],
  ["printf \\x72\\x6d", ["prints rm", "prints decoded"]],
  ["printf %b \\x41", ["prints A", "prints decoded"]],
  ["printf \\033[31mred", ["prints \u001b[31mred"]],
  ["printf -v name %s a", ["prints a"]],
  ["printf -v a[$(id)] %s a", ["interprets shell : <<END_OF_TEXT\na[$(id)]\nEND_OF_TEXT\n", "prints a"]],
  ["printf %5.2f 1", ["prints …"]],
  ["printf %05d 42", ["prints …"]],
  ["printf 100%%", ["prints 100%"]],
  ["printf ?format a", ["prints …"]],
  ["yes n", ["prints n\n endless"]],
  ["yes", ["prints y\n endless"]],
])("the printed text is reported exactly: %s", (line, effects) => {
  expect(effectLines(effectsOf([], line))).toEqual(effects);
});

test("echo and printf never throw and report at most one text, whatever the arguments", () => {
  fc.assert(
    fc.property(
      fc.constantFrom("echo", "echo -e", "printf"),
      fc.string({ unit: anyCharacter }),
      (start, words) => {
        const texts = effectsOf([], `${start} ${words}`).filter(
          (effect) => effect.type === "prints" && effect.text,
        );
        expect(texts.length).toBeLessThanOrEqual(1);
      },
    ),
  );
});
