/**
 * Whether a part of a line may look at what no sandbox shows (processes, services of this machine, what a project's forge
 * or cloud tells) without a question. Outside nothing holds what was misunderstood, so it does not suffice that no word is
 * known to be harmful: the program's row lists, under `looks`, every option that it may have.
 */

import { noInput } from "../command-line/walking.ts";
import { isLiteral, isUnknown, unknown, type Word } from "../command-line/word.ts";
import type { Looks } from "../dangers/data/row.ts";
import type { Variable } from "../dangers/effect.ts";
import { namesIn, optionName } from "../dangers/parts.ts";
import type { Around, OptionForm, Program, UsedOption } from "../dangers/program.ts";
import { useOf } from "../dangers/use.ts";
import { leavesWorkspace } from "./leaves-workspace.ts";
import { placeOf } from "./place.ts";

type PartUse = {
  readonly words: readonly Word[];
  readonly variables: readonly Variable[];
  readonly row: Program | undefined;
};

export function mayLookOutside(
  { words: [first, ...words], variables, row }: PartUse,
  around: Around,
): boolean {
  if (!first || !isLiteral(first) || !row?.looks || !variables.every(isPlainVariable)) return false;
  const list = listsOf(row.looks).get(first.text.replace(/^(?:\/usr)?\/s?bin\//u, ""));
  if (list === "always") return true;
  if (!list || words.some((word) => word.mayBeSeveral || word.text.startsWith(unknown))) return false;
  return isListed({ list, isWrapper: row.kind === "wrapper" }, words, around);
}

/** Whether reading this shows more than the sandbox would: a secret, another file of the user's, what only the run tells. */
export const readsBeyond = (path: Word, around: Around): boolean =>
  isUnknown(path) ||
  placeOf(path.text, around).secret !== undefined ||
  leavesWorkspace({ path: path.text, access: "read" }, around);

/** Variables in front that lead no program elsewhere. */
const isPlainVariable = ({ name, value }: Variable): boolean =>
  isLiteral(value) &&
  (/^(?:LC_[A-Z]+|LANG|TZ|NO_COLOR|COLUMNS|AWS_PROFILE|AWS_REGION|AWS_DEFAULT_REGION)$/u.test(name) ||
    (/^(?:[A-Z]+_)?PAGER$/u.test(name) && /^(?:cat)?$/u.test(value.text)));

type LookList = {
  readonly form: OptionForm;
  readonly names: ReadonlySet<string>;
  readonly verbs: readonly string[];
  readonly operands: RegExp;
};

const listed = new WeakMap<Looks, ReadonlyMap<string, LookList | "always">>();

function listsOf(looks: Looks): ReadonlyMap<string, LookList | "always"> {
  const known = listed.get(looks);
  if (known) return known;
  const lists = new Map(
    Object.entries(looks).flatMap(([names, told]) => {
      const list = told === "always" ? told : lookList(typeof told === "string" ? { options: told } : told);
      return namesIn(names).map((name) => [name, list] as const);
    }),
  );
  listed.set(looks, lists);
  return lists;
}

function lookList({ options = [], verbs, operands = "" }: Exclude<Looks[string], string>): LookList {
  const all = [options].flat().flatMap(namesIn);
  const valued = all.filter((option) => option.endsWith("=")).map(optionName);
  const oneDash = all.some((option) => /^-\w\w/u.test(option));
  return {
    form: {
      short: oneDash ? "" : valued.filter((name) => name.length === 1).join(""),
      long: valued.filter((name) => oneDash || name.length > 1),
      oneDash,
    },
    names: new Set(all.map(optionName)),
    verbs: verbs?.split(/,\s*/u) ?? [],
    operands: new RegExp(operands, "u"),
  };
}

type ListUse = { readonly list: LookList; readonly isWrapper: boolean };

function isListed({ list, isWrapper }: ListUse, words: readonly Word[], around: Around): boolean {
  const call = { name: "", variables: [], input: noInput, around };
  const inFront = { options: { ...list.form, stopAtOperand: true } };
  const behind = list.verbs.includes("exec") ? words.findIndex(({ text }) => text === "exec") + 1 : 0;
  const { options, operands } = useOf(isWrapper ? inFront : { options: list.form }, {
    ...call,
    words: behind > 0 ? words.slice(0, behind) : words,
  });
  // What runs in the container is a part of its own: only the options in front of it are the program's.
  const inner = useOf(inFront, { ...call, words: behind > 0 ? words.slice(behind) : [] });
  const areKnown = [...options, ...inner.options].every((option) => isKnown(option, list));
  return areKnown && (isWrapper || areListed(list, operands));
}

const isKnown = ({ name, value }: UsedOption, { names }: LookList): boolean =>
  (names.has(name) || (names.has("#") && /^\d$/u.test(name))) && (value === undefined || isPlainValue(value));

/** It names no file (`@notes`, `%output{x}`), and no host or address but of this machine. */
const isPlainValue = ({ text }: Word): boolean =>
  !/(?:^|=)@(?!me$)|%output\{|\b(?:host|hostaddr|service)=/u.test(text) &&
  !/^(?!file:)[a-z][\w+.-]*:\/\/(?!localhost\b|127\.|\[::1\])/iu.test(text);

function areListed({ verbs, operands: pattern }: LookList, operands: readonly Word[]): boolean {
  const texts = operands.map(({ text }) => text);
  const verb = verbs.find((words) => words === texts.slice(0, words.split(" ").length).join(" "));
  if (texts.at(-1) === "exec" && verb?.endsWith("exec") !== true) return false;
  if (verbs.length > 0 && verb === undefined && texts.length > 0) return false;
  return texts.slice(verb?.split(" ").length ?? 0).every((text) => pattern.test(text));
}
