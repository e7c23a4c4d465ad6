/**
 * What all build tools have in common: an option that names a file outside runs code from there, unless its name says
 * that it is an output.
 */

import { isUnknown, type Word, withText } from "../../command-line/word.ts";
import { otherCode } from "../builds/other-code.ts";
import { danger, loads, replaces } from "../effect-makers.ts";
import type { Effect } from "../effect.ts";
import type { Use } from "../program.ts";

const output =
  /^-{1,2}(?:o|d|B|O|[\w-]*(?:out|dest|report|junit|log|xml|html|cache|target|profile)[\w-]*|[\w-]*(?:Out|Dir|File)[\w-]*|basetemp|site-dir|graphviz)$/u;
const included = /^(?:-(?:I|L|D|i|n)|--python|--destination)$/u;

export function* buildEffects({ words, input }: Use): Iterable<Effect> {
  yield* otherCode(words);
  const end = words.findIndex(({ text }) => text === "--");
  const before = end < 0 ? words : words.slice(0, end);
  for (const [at, word] of before.entries()) {
    const [, option = "", sign = "", attached = ""] =
      /^(-[A-Za-z](?=[./~])|--?[A-Za-z][\w.-]*)([=:]?)(.*)$/su.exec(word.text) ?? [];
    const value = sign === "" && attached === "" ? words[at + 1] : withText(word, attached);
    if (option === "" || !value || value.text.startsWith("--")) continue;
    if (
      input.isGiven &&
      /^(?:-|\/dev\/stdin)$/u.test(value.text) &&
      /^(?:-c|-f|--config|--file)$/u.test(option)
    )
      yield danger("high", "it runs what comes in on its standard input");
    if (!isOutside(value) || included.test(option)) continue;
    if (output.test(option)) yield* replaces([value]);
    else yield loads(value);
  }
}

const isOutside = (value: Word): boolean =>
  !/^\/dev\/(?:null|stdout|stderr)$/u.test(value.text) &&
  (/^(?:[/~]|\.\.(?:\/|$)|[A-Za-z]:[\\/])/u.test(value.text) ||
    (isUnknown(value) && value.text.includes("/")));
