/** Functions of `text.yaml`: what tells names, places, times and variables, as exactly as its words reveal it. */

import { posix } from "node:path";
import { isLiteral, literal, unknownWord, type Word, withText } from "../../command-line/word.ts";
import { isSecretVariable } from "../../secret-variables.ts";
import type { WordsDo } from "../data/does.ts";
import { danger, printsVariables } from "../effect-makers.ts";
import type { Effect } from "../effect.ts";
import { directoryOf, nameOf } from "../file-effect-makers.ts";
import type { Use } from "../program.ts";

const printsSecrets: Effect = { type: "prints", flows: ["secret"] };

export const looking: Readonly<Record<string, WordsDo>> = {
  /** Resolves a path, as far as its text allows. */
  "tells place"([path, ...more], { around: { directory }, has }) {
    if (!path || more.length > 0 || !isLiteral(path) || has("relative-to", "relative-base")) return [];
    if (!path.text.startsWith("/") && directory === undefined) return [];
    return [{ type: "prints", text: literal(posix.resolve(directory ?? "/", path.text)) }];
  },
  "tells directory": ([path]) => namePrinted(path, directoryOf),
  "tells name": ([path, ending], { has }) =>
    namePrinted(ending || has("a", "s", "suffix", "multiple") ? undefined : path, nameOf),
  "tells here": (_, { around: { directory } }) => [
    { type: "prints", text: directory === undefined ? unknownWord() : literal(directory) },
  ],
  "tells time": tellsTime,
  /** Without a dash, `e` adds the environment of every process: `ps auxe`. */
  "tells processes": (_, { words: [first] }) =>
    /^(?=.*e)[aAcefgGhHjklmnNosStTuvwWxXZ]+$/u.test(first?.text ?? "") ? [printsSecrets] : [],
  "tells variables": (names) =>
    names.length === 0
      ? [printsVariables]
      : names.some(({ text }) => isSecretVariable(text))
        ? [printsSecrets]
        : [],
};

/** The exact output if the path is known. */
function namePrinted(path: Word | undefined, part: (path: Word) => Word): Effect[] {
  if (!path || !isLiteral(path)) return [];
  return [{ type: "prints", text: withText(path, `${part(path).text}\n`) }];
}

const plain: ReadonlyMap<string, string> = new Map([
  ["%%", "%"],
  ["%n", "\n"],
  ["%t", "\t"],
]);

/** A digit represents the clock's output: no date contains characters that matter where it is used. */
const dated = (format: string): string =>
  format.replaceAll(
    /%(?:[-_0^#+:]{0,4}\d{0,3}[EO]?[a-zA-Z]|%)/gu,
    (directive) => plain.get(directive) ?? "0",
  );

function tellsTime(operands: readonly Word[], { has, values }: Use): Effect[] {
  const isMac = has("j", "v") || values("f").some(({ text }) => text.includes("%"));
  const isNumber = operands.some(({ text }) => /^\d{4,}(?:\.\d+)?$/u.test(text));
  const format = operands.find(({ text }) => text.startsWith("+"));
  return [
    ...(has("s", "set") || (isNumber && !isMac) ? [danger("high", "it sets the clock of this machine")] : []),
    ...(format
      ? [{ type: "prints", text: withText(format, `${dated(format.text.slice(1))}\n`) } as const]
      : []),
  ];
}
