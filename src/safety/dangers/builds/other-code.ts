/** What build tools are told to run besides the code of the workspace, whichever tool it is. */

import { isUnknown, type Word, withText } from "../../command-line/word.ts";
import { danger } from "../effect-makers.ts";
import type { Effect } from "../effect.ts";

/** Options that give a command, a program in place of the tool's own, or more rights to what runs. */
const options =
  /^-(?:exec|toolexec|vettool)(?:=|$)|^--?(?:run_under|wrapper|eval|Z?=?shell-escape|enable-write18|d?NOSAFER|dDELAYSAFER|bind|container-options|container-daemon-socket|filesystem|init-hook|build\.cmd|post-run-command|raw-command|B[./~].*)(?:=|$)/u;
/** Settings that do: `SHELL=./x`, `build.rustc-wrapper=x`, `CC='sh -c id'`. */
const settings =
  /^(?:SHELL|MAKE)=(?!(?:\/(?:usr\/)?bin\/)?(?:ba|da|z)?sh$)|(?:^|[.\w-])(?:wrapper|runner|linker|[A-Z_]+_LAUNCHER|[A-Z_]*RULE_LAUNCH\w*)=(?!["']?(?:s?ccache|distcc|(?:rust-)?lld|clang|gcc|cc|mold|ld)$)|^--plugin=.*=[/~]|=(?:\S*\/)?(?:(?:ba|da|z)?sh|python\d?|perl|node) -|\$\(shell/u;
/** Documents and descriptions that are code. */
const documents = /^\||^(?:msl|mvg|ephemeral|pipe):|\\(?:immediate\s*)?\\?write18|\\directlua|%pipe%/u;

const runsOther = danger("high", "it is told to run other code than that of the workspace");

export function* otherCode(words: readonly Word[]): Iterable<Effect> {
  const end = words.findIndex(({ text }) => text === "--");
  for (const word of end < 0 ? words : words.slice(0, end))
    if (options.test(word.text) || settings.test(word.text) || documents.test(word.text)) yield runsOther;
  if (words.some(({ text }) => text === "install"))
    for (const word of words) {
      const [, path = ""] = /^(?:DESTDIR|prefix)=(.+)$/iu.exec(word.text) ?? [];
      if (path !== "") yield { type: "writes", path: withText(word, path), how: "creates" };
    }
}

/** Operands that a tool runs, rather than reads, from outside the workspace. */
export const runsOutside = (operands: readonly Word[]): Effect[] =>
  operands
    .filter(
      (word) => /^(?:[/~]|\.\.(?:\/|$))/u.test(word.text) && !/^\/\w+:/u.test(word.text) && !isUnknown(word),
    )
    .map((path) => ({ type: "loads", path, language: "other" }));
