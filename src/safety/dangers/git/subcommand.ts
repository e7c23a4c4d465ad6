/** A subcommand of git: a row like a program's, and whether git's own profile of the sandbox can serve it. */

import { isUnknown, type Word, withText } from "../../command-line/word.ts";
import { danger } from "../effect-makers.ts";
import type { Effect } from "../effect.ts";
import { type OptionForm, program, type Program, type Use } from "../program.ts";
import { tellByVerb, type Telling, verbTable } from "../verbs.ts";

export type Subcommand = Program & {
  /** It works on this repository alone: no other host, no settings, no program of somebody. */
  readonly isLocal: (use: Use) => boolean;
};

type More = Pick<Subcommand, "options">;

/** Works on this repository alone, as long as nothing that executes is told of it. */
export const local = (names: string, does: Program["does"], more: More = {}): Subcommand => ({
  ...program(oneLine(names), does, more),
  isLocal: () => true,
});

/** Talks to other hosts, changes settings or starts programs: in every use, or in all but these. */
export const wide = (
  names: string,
  does: Program["does"],
  { isLocal = () => false, ...more }: More & Partial<Pick<Subcommand, "isLocal">> = {},
): Subcommand => ({ ...program(oneLine(names), does, more), isLocal });

const oneLine = (names: string): string => names.replaceAll(/\s+/gu, " ");

/** For subcommands with verbs of their own (`stash drop`), whose words are read anew behind the verb. */
export function byVerb(
  lines: Parameters<typeof verbTable>[0],
  form: OptionForm,
  otherwise: Telling = [],
): Program["does"] {
  const table = verbTable(lines, { otherwise, form });
  return (use) => tellByVerb(use, table);
}

/** `isLocal` for those whose first operand says what they do: without one they only print. */
export const isOneOf =
  (...verbs: readonly string[]) =>
  ({ operands: [verb] }: Use): boolean =>
    verb === undefined || verbs.includes(verb.text);

/** Whether it only says what it would do: the last of `-n` and `--no-dry-run` wins. */
export const isRehearsal = ({ options }: Use): boolean =>
  options.findLast(({ name }) => ["n", "dry-run", "no-dry-run"].includes(name))?.name.startsWith("no-") ===
  false;

/** Its first word may be anything, also an option, so it may do whatever the subcommand can do. */
export const startsOpen = ({ words: [first] }: Use): boolean =>
  first !== undefined && isUnknown(first) && (first.mayBeSeveral || first.text.startsWith("-"));

export const isOpen = (severity: "high" | "medium", what: string): Effect =>
  danger(severity, `what it does to ${what} is only known when it runs`);

/** Operands that name files, now or as they were once (`HEAD:file`). A name without a dot may be a branch. */
export function filesAmong({ operands, words }: Use): Word[] {
  const end = words.findIndex(({ text }) => text === "--");
  const afterDashes = new Set(end < 0 ? [] : words.slice(end + 1));
  return operands.flatMap((word) => {
    if (afterDashes.has(word)) return [word];
    const name = word.text.replace(/^[^:]*:(?:[0-3]:|\/)?/u, "");
    return looksLikeFile(name) ? [withText(word, name)] : [];
  });
}

/** Starts as a path does, is hidden, or ends in a name with an ending; `main..next` and `v1.2` do not. */
export const looksLikeFile = (text: string): boolean =>
  /^(?:~|\/|\.[^.]|\.\.?(?:\/|$))|\/\.[A-Za-z][^/]*$/u.test(text) ||
  /^(?!.*\.\.)(?:.*\/)?[^/]*[^/\d]\.[A-Za-z]\w*$/su.test(text);
