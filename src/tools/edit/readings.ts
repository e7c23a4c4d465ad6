/** Alternative readings of an edit: without copied line numbers, and with one level of quoting or escaping undone. */

import { type Expected, refuse } from "../../base/expected.ts";
import { withoutCopiedNumbers, withoutLineNumbers } from "../files/line-numbers.ts";
import { type Quoting, unescapings } from "./escapes.ts";
import type { Tolerance } from "./ladder.ts";

export type EditTexts = { old: string; new: string };

/**
 * `new` is a problem if it is ambiguous, reported only if this reading of `old` is the one found. `whole`: the removed
 * marks enclosed whole lines.
 */
export type EditReading = { tolerance: Tolerance; old: string; new: Expected<string>; whole: boolean };

export function unnumberedReading(asked: EditTexts): EditReading | undefined {
  const old = withoutLineNumbers(asked.old);
  if (old === undefined || old.trim() === "") return undefined;
  const fresh = withoutCopiedNumbers(asked.new, asked.old);
  return {
    tolerance: "line-numbers",
    old,
    whole: true,
    new:
      fresh === undefined
        ? refuse("Some lines of `new` begin with numbers as `old` does: send both without line numbers")
        : { ok: true, value: fresh },
  };
}

/**
 * Strips quoting from both texts, or from `old` alone if `new` clearly has none; but not if lines of the file have it
 * too, because then it is content.
 */
export function* unquotedReadings(asked: EditTexts, file: readonly string[]): Generator<EditReading> {
  const all: readonly Quoting[] = [
    unfenced,
    unmarked,
    unescapings.json,
    unescapings.quotes,
    unescapings.literal,
    unescapings.markup,
  ];
  for (const way of all) {
    const old = way.strip(asked.old);
    if (old === undefined || old === asked.old || old.trim() === "") continue;
    if (way.isContent?.(asked.old, file) === true) continue;
    yield { tolerance: "quoting", old, new: strippedToo(asked, way), whole: way.whole === true };
  }
}

function strippedToo(asked: EditTexts, { strip, isPlain, isDoubtful }: Quoting): Expected<string> {
  if (isPlain(asked.new)) return { ok: true, value: asked.new };
  const fresh = isDoubtful?.(asked.new, asked.old) === true ? undefined : strip(asked.new);
  return fresh === undefined
    ? refuse(
        "`old` is quoted or escaped once too often, and `new` could be meant in two ways: send both as they stand in the file",
      )
    : { ok: true, value: fresh };
}

const fence = /^\s*(```+|~~~+)[^\n`]*\n([^]*?)\n?[ \t]*\1[ \t]*\n?$/;

const unfenced: Quoting = {
  whole: true,
  strip: (text) => fence.exec(text)?.[2],
  isContent: (text, file) => {
    const opening = text.split("\n").find((line) => line.trim() !== "");
    return file.some((line) => line === opening);
  },
  isPlain: (text) => !/^\s*(?:```|~~~)/.test(text),
};

/** `> ` in front of every line. */
const unmarked: Quoting = {
  whole: true,
  strip: (text) => {
    const lines = text.replace(/\n$/, "").split("\n");
    const ending = text.endsWith("\n") ? "\n" : "";
    return lines.every((line) => line.startsWith(">"))
      ? lines.map((line) => line.replace(/^> ?/, "")).join("\n") + ending
      : undefined;
  },
  isContent: (_, file) => file.some((line) => line.startsWith(">")),
  isPlain: (text) => !/^>/m.test(text),
};
