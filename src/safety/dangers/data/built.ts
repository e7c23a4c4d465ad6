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
  /^-{1,2}(?:o|d|B|O|[\w-]*(?:out|output|outfile|outdir|dest|destination|report|junit|log|xml|html|cache|target|profile)[\w-]*|[\w-]*(?:Out|Output|Dir|Directory|File)[\w-]*|basetemp|site-dir|destdir|graphviz)$/u;
const included = /^(?:-(?:I|L|D|i|n)|--python|--destination)$/u;

export function* built({ words, input }: Use): Iterable<Effect> {
  yield* otherCode(words);
  for (const [at, word] of words.entries()) {
    if (word.text === "--") return;
    const { option, value } = optionAt(words, at);
    if (option === undefined || value === undefined) continue;
    if (
      input.isGiven &&
      /^(?:-|\/dev\/stdin)$/u.test(value.text) &&
      /^(?:-c|-f|--config|--file)$/u.test(option)
    )
      yield danger("high", "it runs what comes in on its standard input");
    if (!leavesHere(value) || included.test(option)) continue;
    if (output.test(option)) yield* replaces([value]);
    else yield loads(value);
  }
}

function optionAt(words: readonly Word[], at: number): { option?: string; value?: Word } {
  const word = words[at];
  const [, option, attached] = /^(--?[A-Za-z][\w.-]*)(?:[=:](.*))?$/su.exec(word?.text ?? "") ?? [];
  if (option === undefined || word === undefined) {
    const [, letter, path] = /^(-[A-Za-z])([./~].*)$/su.exec(word?.text ?? "") ?? [];
    return letter !== undefined && path !== undefined && word
      ? { option: letter, value: withText(word, path) }
      : {};
  }
  if (attached !== undefined) return { option, value: withText(word, attached) };
  const next = words[at + 1];
  return next && !next.text.startsWith("--") ? { option, value: next } : { option };
}

const leavesHere = (value: Word): boolean =>
  !/^\/dev\/(?:null|stdout|stderr)$/u.test(value.text) &&
  (/^(?:[/~]|\.\.(?:\/|$)|[A-Za-z]:[\\/])/u.test(value.text) ||
    (isUnknown(value) && value.text.includes("/")));
