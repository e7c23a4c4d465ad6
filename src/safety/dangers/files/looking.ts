/** Functions of `text.yaml`: what tells names, places, times and variables, as exactly as its words reveal it. */

import { posix } from "node:path";
import { isLiteral, literal, unknown, unknownWord, type Word, withText } from "../../command-line/word.ts";
import { isSecretVariable } from "../../secret-variables.ts";
import type { WordsDo } from "../data/does.ts";
import { danger, printsVariables } from "../effect-makers.ts";
import type { Effect } from "../effect.ts";
import { directoryOf } from "../file-effect-makers.ts";
import type { Use } from "../program.ts";

const printsSecrets: Effect = { type: "prints", flows: ["secret"] };

export const looking: Readonly<Record<string, WordsDo>> = {
  /** Resolves a path, as far as its text allows. */
  "tells place"([path, ...more], { around: { directory }, has }) {
    if (!path || more.length > 0 || !isLiteral(path) || has("relative-to", "relative-base")) return [];
    if (!path.text.startsWith("/") && directory === undefined) return [];
    return [{ type: "prints", text: literal(posix.resolve(directory ?? "/", path.text)) }];
  },
  "tells directory": ([path]) =>
    path && isLiteral(path) ? [{ type: "prints", text: withText(path, `${directoryOf(path).text}\n`) }] : [],
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

/** What the clock says is only known when it runs. */
function tellsTime(operands: readonly Word[], { has, values }: Use): Effect[] {
  const isMac = has("j", "v") || values("f").some(({ text }) => text.includes("%"));
  const isNumber = operands.some(({ text }) => /^\d{4,}(?:\.\d+)?$/u.test(text));
  const format = operands.find(({ text }) => text.startsWith("+"));
  if (has("s", "set") || (isNumber && !isMac)) return [danger("high", "it sets the clock of this machine")];
  const told = format?.text.slice(1).replaceAll(/%[-_0^#+:\d]*[EO]?[a-zA-Z%]/gu, unknown);
  return format && told !== undefined ? [{ type: "prints", text: withText(format, told) }] : [];
}
