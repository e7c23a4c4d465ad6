/** Parses a program's arguments by its option form into options, their values, and operands. */

import { type Word, isUnknown, withText } from "../command-line/word.ts";
import { type Runs, runs } from "./effect-makers.ts";
import type { Effect, Input, Variable } from "./effect.ts";
import type { Around, OptionForm, Program, Use, UsedOption } from "./program.ts";

export type Call = {
  readonly name: string;
  readonly words: readonly Word[];
  readonly variables: readonly Variable[];
  readonly input: Input;
  readonly around: Around;
};

/** Never throws, whatever the words are. */
export function useOf({ options: form = {} }: Pick<Program, "options">, call: Call): Use {
  const { options, operands } = readOptions(call.words, form);
  const values = (...names: readonly string[]): Word[] =>
    options.flatMap(({ name, value }) => (value && names.includes(name) ? [value] : []));
  return {
    ...call,
    form,
    options,
    operands,
    has: (...names) => options.some(({ name }) => names.includes(name)),
    values,
    value: (...names) => values(...names).at(-1),
  };
}

/** The same use with other words, which are parsed as its own were. */
export const reread = (use: Use, words: readonly Word[]): Use =>
  useOf({ options: use.form }, { ...use, words });

function readOptions(given: readonly Word[], form: OptionForm): Pick<Use, "options" | "operands"> {
  if (form.isBare) return { options: [], operands: given };
  const options: UsedOption[] = [];
  const operands: Word[] = [];
  const words = form.bundled ? withoutBundle(given, form) : given;
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at];
    if (word === undefined) break;
    const isOption = word.text.startsWith("-") && word.text !== "-" && word.text !== "--";
    if (word.text === "--" || (!isOption && form.stopAtOperand)) {
      operands.push(...words.slice(word.text === "--" ? at + 1 : at));
      break;
    }
    if (!isOption) operands.push(word);
    else {
      const isLong = word.text.startsWith("--") || form.oneDash === true;
      const found = isLong ? [longOption(word, form)] : lettersOf(word, form);
      const next = found.at(-1)?.takesNext === true ? words[at + 1] : undefined;
      for (const { name, value, takesNext } of found) {
        const own = takesNext === true ? next : value;
        options.push(own ? { name, value: own } : { name });
      }
      if (next) at += 1;
    }
  }
  return { options, operands };
}

function withoutBundle([bundle, ...rest]: readonly Word[], { short = "" }: OptionForm): Word[] {
  if (!bundle || !/^[a-zA-Z]+$/u.test(bundle.text)) return [...(bundle ? [bundle] : []), ...rest];
  const options = bundle.text.split("").flatMap((letter) => {
    const value = short.includes(letter) ? rest.shift() : undefined;
    const option = withText(bundle, `-${letter}`);
    return value ? [option, value] : [option];
  });
  return [...options, ...rest];
}

/** `takesNext`: its value is the next word, if there is one. */
type GivenOption = UsedOption & { takesNext?: boolean };

function longOption(word: Word, form: OptionForm): GivenOption {
  const [given = "", ...values] = word.text.replace(/^--?/u, "").split("=");
  const name = word.text.startsWith("--") ? fullName(given, form) : given; // no abbreviations after one dash
  return values.length > 0
    ? { name, value: withText(word, values.join("=")) }
    : { name, takesNext: form.long?.includes(name) === true };
}

/** `-rf` is two options; `-ofile` is one option with a value. */
function lettersOf(word: Word, { short = "", attached = "", behind = {} }: OptionForm): GivenOption[] {
  const letters = Array.from(word.text.slice(1));
  const options: GivenOption[] = [];
  for (let at = 0; at < letters.length; at += 1) {
    const name = letters[at] ?? "";
    const rest = (): string => letters.slice(at + 1).join("");
    const isAttached = attached.includes(name);
    const fitting = Object.hasOwn(behind, name) ? (behind[name]?.exec(rest())?.[0] ?? "") : "";
    if (fitting !== "") {
      options.push({ name, value: withText(word, fitting) });
      at += fitting.length;
    } else if (!isAttached && !short.includes(name)) options.push({ name });
    else {
      const value = rest();
      const own = value === "" ? { name, takesNext: !isAttached } : { name, value: withText(word, value) };
      return [...options, own];
    }
  }
  return options;
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

/** Runs these words. If the first may turn out to be an option or empty, the next may be the command instead. */
export function* command(
  words: readonly Word[],
  more: Omit<Partial<Runs>, "type" | "words"> = {},
): Iterable<Effect> {
  const [first, ...rest] = words[0]?.text === "--" ? words.slice(1) : words;
  if (first === undefined) return;
  yield runs([first, ...rest], more);
  if (mayBeOption(first) && rest.length > 0) yield runs(rest, more);
}
