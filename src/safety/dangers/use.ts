/** Parses a program's arguments by its option form into options, their values, and operands. */

import { isUnknown, type Word, withText } from "../command-line/word.ts";
import type { Input, Variable } from "./effect.ts";
import type { Around, OptionForm, Program, Use, UsedOption } from "./program.ts";

export type Call = {
  readonly name: string;
  readonly words: readonly Word[];
  readonly variables: readonly Variable[];
  readonly input: Input;
  readonly around: Around;
};

/** Never throws, whatever the words are. */
export function useOf({ options: form = {} }: Program, call: Call): Use {
  const { options, operands } = readOptions(call.words, form);
  const values = (...names: readonly string[]): Word[] =>
    options.flatMap(({ name, value }) => (value && names.includes(name) ? [value] : []));
  return {
    ...call,
    options,
    operands,
    has: (...names) => options.some(({ name }) => names.includes(name)),
    values,
    value: (...names) => values(...names).at(-1),
  };
}

type Reading = { options: UsedOption[]; operands: Word[] };

export function readOptions(words: readonly Word[], form: OptionForm): Reading {
  const read: Reading = { options: [], operands: [] };
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at];
    if (word === undefined) break;
    if (word.text === "--") {
      read.operands.push(...words.slice(at + 1));
      break;
    }
    if (!word.text.startsWith("-") || word.text === "-") {
      if (form.stopAtOperand) {
        read.operands.push(...words.slice(at));
        break;
      }
      read.operands.push(word);
    } else if (takeOption(read, word, { form, next: words[at + 1] })) at += 1;
  }
  return read;
}

/** Returns whether the option consumed the next word as its value. */
function takeOption(
  read: Reading,
  word: Word,
  { form, next }: { form: OptionForm; next: Word | undefined },
): boolean {
  const isLong = word.text.startsWith("--") || form.oneDash === true;
  return isLong ? takeLong(read, word, { form, next }) : takeCluster(read, word, { form, next });
}

function takeLong(
  read: Reading,
  word: Word,
  { form, next }: { form: OptionForm; next: Word | undefined },
): boolean {
  const text = word.text.replace(/^--?/u, "");
  const equals = text.indexOf("=");
  const given = equals < 0 ? text : text.slice(0, equals);
  const name = word.text.startsWith("--") ? fullName(given, form) : given; // no abbreviations after one dash
  if (equals >= 0) {
    read.options.push({ name, value: withText(word, text.slice(equals + 1)) });
    return false;
  }
  const takesNext = form.long?.includes(name) === true && next !== undefined;
  read.options.push(takesNext ? { name, value: next } : { name });
  return takesNext;
}

/** `-rf` is two options; `-ofile` is one option with a value. */
function takeCluster(
  read: Reading,
  word: Word,
  { form, next }: { form: OptionForm; next: Word | undefined },
): boolean {
  const letters = Array.from(word.text.slice(1));
  for (let at = 0; at < letters.length; at += 1) {
    const letter = letters[at] ?? "";
    const fitting = form.behind && Object.hasOwn(form.behind, letter) ? form.behind[letter] : undefined;
    if (fitting) {
      const value = fitting.exec(letters.slice(at + 1).join(""))?.[0] ?? "";
      read.options.push(value === "" ? { name: letter } : { name: letter, value: withText(word, value) });
      at += value.length;
      continue;
    }
    const isAttached = form.attached?.includes(letter) === true;
    if (!isAttached && form.short?.includes(letter) !== true) {
      read.options.push({ name: letter });
      continue;
    }
    const rest = letters.slice(at + 1).join("");
    if (rest !== "") {
      read.options.push({ name: letter, value: withText(word, rest) });
      return false;
    }
    if (isAttached) {
      read.options.push({ name: letter });
      return false;
    }
    read.options.push(next === undefined ? { name: letter } : { name: letter, value: next });
    return next !== undefined;
  }
  return false;
}

/** Expands `--recurs` to `--recursive` if no other option has that prefix. */
function fullName(name: string, { long = [], known = [] }: OptionForm): string {
  const all = [...long, ...known];
  if (name === "" || all.includes(name)) return name;
  const fitting = all.filter((full) => full.startsWith(name));
  return fitting.length === 1 ? (fitting[0] ?? name) : name;
}

/** Whether a word may be an unknown option at run time: `rm $flags x`. */
export const mayBeOption = (word: Word): boolean =>
  isUnknown(word) && (word.mayBeSeveral || word.text.startsWith("-"));
