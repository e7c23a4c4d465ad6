/** Turns a row of data into a program. */

import { isUnknown, type Word } from "../../command-line/word.ts";
import { always, byTarget, byTask, byTaskOrAll, type Checking } from "../checking.ts";
import { danger } from "../effect-makers.ts";
import type { Effect } from "../effect.ts";
import { namesIn } from "../listed.ts";
import type { OptionForm, Program, Use } from "../program.ts";
import { useOf } from "../use.ts";
import { built } from "./built.ts";
import type { WordsDo } from "./does.ts";
import type { PlacedRow } from "./row.ts";
import { understood } from "./telling.ts";

type Texts = string | readonly string[];

const bare = (option: string): string => option.replace(/^--?/u, "").replace(/=$/u, "");

/** An entry of `options`: the names that take a value, and those that do not. */
const namesOf = (key: string): { valued: string[]; flags: string[] } => {
  const listed = namesIn(key);
  return {
    valued: listed.filter((option) => option.endsWith("=")).map(bare),
    flags: listed.filter((option) => !option.endsWith("=")).map(bare),
  };
};

export function dataProgram(row: PlacedRow): Program {
  let told: ((use: Use) => Iterable<Effect>) | undefined;
  return {
    names: namesIn(row.programs),
    options: formOf(row),
    does: (use) => (told ??= tellerOf(row))(use),
    from: row.at,
    ...(row.kind ? { kind: row.kind } : {}),
    ...(row.checks === undefined ? {} : { checks: checking(row.checks) }),
    ...(row.approve === undefined ? {} : { verbs: row.approve }),
  };
}

function formOf({ options = {}, values = "", flags = "", attached, form }: PlacedRow): OptionForm {
  const valued = [
    ...namesIn(values).map(bare),
    ...Object.keys(options).flatMap((key) => namesOf(key).valued),
  ];
  const oneDash = form?.startsWith("dash") === true;
  return {
    short: oneDash ? "" : valued.filter((name) => name.length === 1).join(""),
    long: valued.filter((name) => oneDash || name.length > 1),
    known: [...namesIn(flags).map(bare), ...Object.keys(options).flatMap((key) => namesOf(key).flags)].filter(
      (name) => name.length > 1,
    ),
    ...(attached === undefined ? {} : { attached: namesIn(attached).map(bare).join("") }),
    ...(oneDash ? { oneDash } : {}),
    ...(form?.endsWith("stop") ? { stopAtOperand: true } : {}),
  };
}

const kinds: Readonly<Record<string, Checking>> = {
  always,
  task: byTask,
  "task or all": byTaskOrAll,
  target: byTarget,
};

const checking = (text: string): Checking =>
  (Object.hasOwn(kinds, text) ? kinds[text] : undefined) ?? new RegExp(text, "u");

const pieces = (text: string): string[] => text.split("; ");

const compiled = (texts: Texts): WordsDo => {
  const all = [texts].flat().flatMap(pieces).map(conditional);
  return (words, use) => all.flatMap((does) => (does ? [...does(words, use)] : []));
};

/** `edits unless -c --stdout`: what the words do depends on options. Undefined if the text is not understood. */
function conditional(text: string): WordsDo | undefined {
  const [, told = text, word, options] = /^(.+?) (if|unless) ((?:-|bare).*)$/su.exec(text) ?? [];
  const does = understood(told);
  const condition = conditions(options);
  return does && condition
    ? (words, use) => (meets(use, condition) === (word === "if") ? does(words, use) : [])
    : does;
}

function tellerOf(row: PlacedRow): (use: Use) => Iterable<Effect> {
  const options = Object.entries(row.options ?? {}).map(([key, texts]) => ({
    ...namesOf(key),
    does: compiled(texts),
  }));
  const does = compiled(row.does ?? []);
  const verbs = row.verbs && verbsOf(row.verbs);
  const idle = conditions(row.unless);
  const needed = conditions(row.only);
  function* byOptions(use: Use): Iterable<Effect> {
    for (const option of options) {
      const values = use.values(...option.valued);
      if (values.length > 0 || use.has(...option.flags)) yield* option.does(values, use);
    }
  }
  return function* tell(use) {
    if (row.kind === "builds") yield* built(use);
    if (use.has("help", "version") || (idle && meets(use, idle)) || (needed && !meets(use, needed))) return;
    yield* byOptions(use);
    yield* does(use.operands, use);
    if (!verbs) return;
    const { verb, inner } = byVerb(use, verbs);
    // The options behind a verb have not been read if the first operand ends the options.
    const own = row.form?.endsWith("stop")
      ? useOf({ names: [], does: () => [], options: formOf(row) }, { ...inner, words: inner.operands })
      : inner;
    if (own !== inner) yield* byOptions(own);
    yield* verb(own.operands, own);
  };
}

type Conditions = {
  readonly options: readonly string[];
  readonly words: ReadonlySet<string>;
  readonly isBare: boolean;
};

/** `bare` stands for no arguments at all. */
function conditions(text: string | undefined): Conditions | undefined {
  if (text === undefined) return undefined;
  const listed = namesIn(text);
  return {
    options: listed.filter((word) => word.startsWith("-")).map(bare),
    words: new Set(listed.filter((word) => !word.startsWith("-"))),
    isBare: listed.includes("bare"),
  };
}

const meets = (use: Use, { options, words, isBare }: Conditions): boolean =>
  use.has(...options) || words.has(use.operands[0]?.text ?? "\0") || (isBare && use.words.length === 0);

const mostVerbs = 4;

const verbsOf = (verbs: Readonly<Record<string, string>>): ReadonlyMap<string, WordsDo> =>
  new Map(
    Object.entries(verbs).flatMap(([text, keys]) => {
      const does = compiled(text);
      return keys.split(/,\s*/u).map((key) => [key, does] as const);
    }),
  );

const hidden: WordsDo = () => [danger("high", "what it does is only known when it runs")];
const idles: WordsDo = () => [];

/** The longest entry that matches the first operands, and the use behind it; "otherwise" gets them all. */
function byVerb(use: Use, verbs: ReadonlyMap<string, WordsDo>): { verb: WordsDo; inner: Use } {
  const { operands } = use;
  const [first] = operands;
  if (first === undefined) return { verb: verbs.get("bare") ?? idles, inner: use };
  if (first.text === "help") return { verb: idles, inner: use };
  if (isUnknown(first)) return { verb: hidden, inner: use };
  const texts = operands.slice(0, mostVerbs).map(({ text }) => text);
  for (let count = texts.length; count > 0; count -= 1) {
    const verb = verbs.get(texts.slice(0, count).join(" "));
    if (verb) return { verb, inner: within(use, operands.slice(count)) };
  }
  return { verb: verbs.get("otherwise") ?? idles, inner: use };
}

const within = (use: Use, operands: readonly Word[]): Use => ({ ...use, operands });

/** What is wrong with a row whose form is right; undefined if nothing is. */
export function problemIn({
  does,
  options = {},
  verbs = {},
  checks,
}: Omit<PlacedRow, "at">): string | undefined {
  const texts = [does ?? [], ...Object.values(options), ...Object.keys(verbs)].flat().flatMap(pieces);
  const unclear = texts.find((text) => conditional(text) === undefined);
  if (unclear !== undefined)
    return `"${unclear}" is not understood: docs/programs.md lists what a program can do`;
  try {
    if (checks !== undefined) checking(checks);
    return undefined;
  } catch {
    return `"${checks}" is no pattern`;
  }
}
