/** Turns a row of data into a program. */

import { type Word, isUnknown } from "../../command-line/word.ts";
import { buildEffects } from "../builds/tools.ts";
import { onlyWhenItRuns } from "../effect-makers.ts";
import type { Effect } from "../effect.ts";
import { namesIn, optionName } from "../parts.ts";
import {
  type Checking,
  type OptionForm,
  type Program,
  type Use,
  type WordsDo,
  byTarget,
  byTask,
  byTaskOrAll,
  namesMeant,
  testFile,
} from "../program.ts";
import { reread } from "../use.ts";
import type { PlacedRow } from "./row.ts";
import { understandText } from "./telling.ts";

type Texts = string | readonly string[];

/** An entry of `options`: the names that take a value, and those that do not. */
const namesOf = (key: string): { valued: string[]; flags: string[] } => {
  const listed = namesIn(key);
  return {
    valued: listed.filter((option) => option.endsWith("=")).map(optionName),
    flags: listed.filter((option) => !option.endsWith("=")).map(optionName),
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
    ...(row.git === undefined ? {} : { git: row.git }),
    ...(row.looks === undefined ? {} : { looks: row.looks }),
  };
}

function formOf({ options = {}, values = "", flags = "", attached, form }: PlacedRow): OptionForm {
  const valued = [
    ...namesIn(values).map(optionName),
    ...Object.keys(options).flatMap((key) => namesOf(key).valued),
  ];
  const oneDash = form?.startsWith("dash") === true;
  return {
    short: oneDash ? "" : valued.filter((name) => name.length === 1).join(""),
    long: valued.filter((name) => oneDash || name.length > 1),
    known: [
      ...namesIn(flags).map(optionName),
      ...Object.keys(options).flatMap((key) => namesOf(key).flags),
    ].filter((name) => name.length > 1),
    ...attachedForm(attached),
    ...(oneDash ? { oneDash } : {}),
    ...(form === "bundle" ? { bundled: true } : {}),
    ...(form?.endsWith("stop") ? { stopAtOperand: true } : {}),
    ...(form === "bare" ? { isBare: true } : {}),
  };
}

/** `-i`, or `-0[0-7]*` with the values that it may have. */
function attachedForm(text = ""): Pick<OptionForm, "attached" | "behind"> {
  const listed = namesIn(text).map((option) => [option.charAt(1), option.slice(2)] as const);
  return {
    attached: listed.flatMap(([letter, value]) => (value === "" ? [letter] : [])).join(""),
    behind: Object.fromEntries(
      listed.flatMap(([letter, value]) => (value === "" ? [] : [[letter, new RegExp(`^(?:${value})`, "u")]])),
    ),
  };
}

const kinds: Readonly<Record<string, Checking>> = {
  always: /^/u,
  task: byTask,
  "task or all": byTaskOrAll,
  target: byTarget,
};

const checking = (text: string): Checking =>
  (Object.hasOwn(kinds, text) ? kinds[text] : undefined) ??
  new RegExp(text.replace("TEST_FILE", testFile.source), "u");

const pieces = (text: string): string[] => text.split("; ");

const compileTexts = (texts: Texts): WordsDo => {
  const all = [texts].flat().flatMap(pieces).map(conditional);
  return (words, use) => all.flatMap((does) => (does ? [...does(words, use)] : []));
};

/** `edits unless -c --stdout`: what the words do depends on options. Undefined if the text is not understood. */
function conditional(text: string): WordsDo | undefined {
  const [, told = text, word, listed] = /^(.+?) (if|unless) ((?:-|bare).*)$/su.exec(text) ?? [];
  const does = understandText(told);
  if (listed === undefined || !does) return does;
  const isMet = condition(listed);
  return (words, use) => (isMet(use) === (word === "if") ? does(words, use) : []);
}

/** Whether one of the options is given, or one of the words as the first operand; `bare`: no words at all. */
function condition(text: string): (use: Use) => boolean {
  const listed = namesIn(text);
  const options = listed.filter((word) => word.startsWith("-")).map(optionName);
  const firsts = new Set(listed.filter((word) => !word.startsWith("-")));
  return ({ has, operands: [first], words }) =>
    has(...options) ||
    (words.length === 0 ? firsts.has("bare") : first !== undefined && firsts.has(first.text));
}

function tellerOf(row: PlacedRow): (use: Use) => Iterable<Effect> {
  const options = Object.entries(row.options ?? {}).map(([key, texts]) => ({
    ...namesOf(key),
    does: compileTexts(texts),
  }));
  const does = compileTexts(row.does ?? []);
  const verbs = row.verbs && verbsOf(row.verbs);
  const isIdle = row.unless === undefined ? () => false : condition(row.unless);
  const isMeant = row.only === undefined ? () => true : condition(row.only);
  function* byOptions(use: Use): Iterable<Effect> {
    for (const option of options) {
      const values = use.values(...option.valued);
      if (values.length > 0 || use.has(...option.flags)) yield* option.does(values, use);
    }
  }
  function* tell(use: Use): Iterable<Effect> {
    yield* byOptions(use);
    yield* does(use.operands, use);
    if (!verbs) return;
    const { verb, operands } = byVerb(use, verbs);
    // The options behind a verb have not been read if the first operand ends the options.
    const isUnread = row.form?.endsWith("stop") === true;
    const inner = isUnread ? reread(use, operands) : { ...use, operands };
    if (isUnread) yield* byOptions(inner);
    yield* verb(inner.operands, inner);
  }
  return function* tellUnlessIdle(use) {
    if (row.kind === "builds") yield* buildEffects(use);
    if (!isIdle(use) && isMeant(use)) yield* unlessAsked(use, tell(use));
  };
}

/**
 * Behind an operand a question about the program may be a word of the command that it runs, and on some systems options
 * end there: what happens to files counts, and what is run.
 */
function* unlessAsked({ has, words, operands: [first] }: Use, effects: Iterable<Effect>): Iterable<Effect> {
  const isAsked = has("help", "version");
  if (isAsked && (!first || words.findIndex(({ text }) => question.test(text)) < words.indexOf(first)))
    return;
  for (const effect of effects) if (!isAsked || lasting.test(effect.type)) yield effect;
}

const question = /^--?(?:help|version)$/u;
const lasting = /^(?:writes|deletes|permits|runs|interprets)$/u;

const verbsOf = (verbs: Readonly<Record<string, string>>): ReadonlyMap<string, WordsDo> =>
  new Map(
    Object.entries(verbs).flatMap(([text, keys]) => {
      const does = compileTexts(text);
      return keys.split(/,\s*/u).map((key) => [key, does] as const);
    }),
  );

const mostVerbs = 4;
const idles: WordsDo = () => [];

/** The longest entry that matches the first operands, and the operands behind it; "otherwise" gets them all. */
function byVerb(
  { operands }: Use,
  verbs: ReadonlyMap<string, WordsDo>,
): { verb: WordsDo; operands: readonly Word[] } {
  const [first] = operands;
  if (first === undefined || first.text === "help")
    return { verb: (!first && verbs.get("bare")) || idles, operands };
  if (isUnknown(first)) return { verb: () => [onlyWhenItRuns], operands };
  const words = operands.slice(0, mostVerbs).map(({ text }) => text);
  for (let count = words.length; count > 0; count -= 1) {
    const verb = verbs.get(words.slice(0, count).join(" "));
    if (verb) return { verb, operands: operands.slice(count) };
  }
  return { verb: verbs.get("otherwise") ?? idles, operands };
}

/** What is wrong with a row whose form is right; undefined if nothing is. */
export function problemIn({
  programs,
  does,
  options = {},
  verbs = {},
  checks,
  looks = {},
}: Omit<PlacedRow, "at">): string | undefined {
  const texts = [does ?? [], ...Object.values(options), ...Object.keys(verbs)].flat().flatMap(pieces);
  const unclear = texts.find((text) => conditional(text) === undefined);
  if (unclear !== undefined)
    return `"${unclear}" is not understood: docs/programs.md lists what a program can do`;
  const idle = Object.entries(options).find(
    ([key, told]) =>
      !key.includes("=") &&
      [told]
        .flat()
        .flatMap(pieces)
        .some((text) => ofFiles.test(text)),
  );
  if (idle) return `${idle[0]} has no value: say "${[idle[1]].flat()[0]} if ${idle[0]}" in "does"`;
  const named = namesIn(programs);
  const other = Object.keys(looks)
    .flatMap(namesIn)
    .find((name) => !named.includes(name));
  if (other !== undefined) return `"looks" names ${other}, which is none of its programs`;
  const patterns = Object.values(looks).flatMap((one) =>
    typeof one === "string" ? [] : (one.operands ?? []),
  );
  const wrong = [...patterns, ...(checks === undefined ? [] : [checks])].find((text) => !isPattern(text));
  return wrong === undefined ? undefined : `"${wrong}" is no pattern`;
}

function isPattern(text: string): boolean {
  try {
    checking(text);
    return true;
  } catch {
    return false;
  }
}

/** What happens to the files that words name. */
const ofFiles = /^(?:reads|writes|creates|edits|appends|deletes|moves)\b/u;

/** The programs of a configuration, by name. */
const compiled = new WeakMap<readonly PlacedRow[], ReadonlyMap<string, Program>>();

export function ownProgram(rows: readonly PlacedRow[] | undefined, path: string): Program | undefined {
  if (rows === undefined || rows.length === 0) return undefined;
  let byName = compiled.get(rows);
  if (!byName) {
    const programs = rows.map(dataProgram);
    byName = new Map(programs.flatMap((program) => program.names.map((name) => [name, program] as const)));
    compiled.set(rows, byName);
  }
  for (const name of namesMeant(path)) if (byName.has(name)) return byName.get(name);
  return undefined;
}
