/** Functions of `text.yaml`: what tells names, places, times and variables, as exactly as its words reveal it. */

import { posix } from "node:path";
import { isLiteral, literal, unknown, withText } from "../../command-line/word.ts";
import { isSecretVariable } from "../../secret-variables.ts";
import type { WordsDo } from "../data/does.ts";
import { danger, printsVariables } from "../effect-makers.ts";
import type { Effect } from "../effect.ts";
import { directoryOf } from "../file-effect-makers.ts";

const printsSecrets: Effect = { type: "prints", flows: ["secret"] };

export const looking: Readonly<Record<string, WordsDo>> = {
  /** Resolves a path, as far as its text allows; without one, it is where the command runs. */
  "tells place"([path = literal(""), ...more], { around: { directory }, has }) {
    if (more.length > 0 || !isLiteral(path) || has("relative-to", "relative-base")) return [];
    if (!path.text.startsWith("/") && directory === undefined) return [];
    return [{ type: "prints", text: literal(posix.resolve(directory ?? "/", path.text)) }];
  },
  "tells directory": ([path]) =>
    path && isLiteral(path) ? [{ type: "prints", text: withText(path, `${directoryOf(path).text}\n`) }] : [],
  /** What the clock says is only known when it runs. */
  "tells time"(operands, { has }) {
    const isNumber = operands.some(({ text }) => /^\d{4,}(?:\.\d+)?$/u.test(text));
    if (has("s", "set") || (isNumber && !has("j", "v")))
      return [danger("high", "it sets the clock of this machine")];
    const format = operands.find(({ text }) => text.startsWith("+"));
    const told = format?.text.slice(1).replaceAll(/%[-_0^#+:\d]*[EO]?[a-zA-Z%]/gu, unknown);
    return format && told !== undefined ? [{ type: "prints", text: withText(format, told) }] : [];
  },
  /** Without a dash, `e` adds the environment of every process: `ps auxe`. */
  "tells processes": (_, { words: [first] }) => (/^\w*e\w*$/u.test(first?.text ?? "") ? [printsSecrets] : []),
  "tells variables": (names) =>
    names.length === 0
      ? [printsVariables]
      : names.some(({ text }) => isSecretVariable(text))
        ? [printsSecrets]
        : [],
};
