/** The row type for git subcommands: a program row that also says whether the sandbox's git profile can serve it. */

import { isUnknown, type Word, withText } from "../../command-line/word.ts";
import { danger } from "../effect-makers.ts";
import type { Effect } from "../effect.ts";
import { type OptionForm, program, type Program, type Use } from "../program.ts";
import { tellByVerb, type Telling, verbTable } from "../verbs.ts";

export type Subcommand = Program & {
  /** Works on this repository alone: no other host, no settings, no third-party program. */
  readonly isLocal: (use: Use) => boolean;
};

type More = Pick<Subcommand, "options">;

/** A subcommand that works on this repository alone, provided none of its effects executes code. */
export const local = (names: string, does: Program["does"], more: More = {}): Subcommand => ({
  ...program(oneLine(names), does, more),
  isLocal: () => true,
});

/**
 * A subcommand that contacts other hosts, changes settings or starts programs, except in uses where `isLocal` is true.
 */
export const wide = (
  names: string,
  does: Program["does"],
  { isLocal = () => false, ...more }: More & Partial<Pick<Subcommand, "isLocal">> = {},
): Subcommand => ({ ...program(oneLine(names), does, more), isLocal });

const oneLine = (names: string): string => names.replaceAll(/\s+/gu, " ");

/** For subcommands with verbs of their own (`stash drop`), whose words are reparsed after the verb. */
export function byVerb(
  lines: Parameters<typeof verbTable>[0],
  form: OptionForm,
  otherwise: Telling = [],
): Program["does"] {
  const table = verbTable(lines, { otherwise, form });
  return (use) => tellByVerb(use, table);
}

/** An `isLocal` for subcommands whose first operand names the action: without one they only print. */
export const isOneOf =
  (...verbs: readonly string[]) =>
  ({ operands: [verb] }: Use): boolean =>
    verb === undefined || verbs.includes(verb.text);

/** Whether this is a dry run: the last of `-n` and `--no-dry-run` wins. */
export const isRehearsal = ({ options }: Use): boolean =>
  options.findLast(({ name }) => ["n", "dry-run", "no-dry-run"].includes(name))?.name.startsWith("no-") ===
  false;

/** Whether its first word is unknown: it could be any option, so anything the subcommand can do is possible. */
export const startsOpen = ({ words: [first] }: Use): boolean =>
  first !== undefined && isUnknown(first) && (first.mayBeSeveral || first.text.startsWith("-"));

export const isOpen = (severity: "high" | "medium", what: string): Effect =>
  danger(severity, `what it does to ${what} is only known when it runs`);

/** Operands that name files, current or at a revision (`HEAD:file`). A name without a dot may be a branch. */
export function filesAmong({ operands, words }: Use): Word[] {
  const end = words.findIndex(({ text }) => text === "--");
  const afterDashes = new Set(end < 0 ? [] : words.slice(end + 1));
  return operands.flatMap((word) => {
    if (afterDashes.has(word)) return [word];
    const name = word.text.replace(/^[^:]*:(?:[0-3]:|\/)?/u, "");
    return looksLikeFile(name) ? [withText(word, name)] : [];
  });
}

/**
 * Whether the text starts like a path, is a hidden name, or has a file extension; `main..next` and `v1.2` do not count.
 */
export const looksLikeFile = (text: string): boolean =>
  /^(?:~|\/|\.[^.]|\.\.?(?:\/|$))|\/\.[A-Za-z][^/]*$/u.test(text) ||
  /^(?!.*\.\.)(?:.*\/)?[^/]*[^/\d]\.[A-Za-z]\w*$/su.test(text);
