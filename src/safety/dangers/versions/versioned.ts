/** Shared by version control systems: copies, settings that run something, verbs that can be abbreviated. */

import { isUnknown, literal, unknownWord, type Word, withText } from "../../command-line/word.ts";
import { danger, interprets } from "../effect-makers.ts";
import type { Effect } from "../effect.ts";
import { deletes, movesAway, runsByOptions, writes } from "../file-effect-makers.ts";
import { cloneName, fetchesFrom } from "../git/address.ts";
import { isHarmlessProgram } from "../git/harmless-programs.ts";
import { cutAt } from "../parts.ts";
import { type OptionForm, program, type Program, type Use } from "../program.ts";
import { always, tellByVerb, type Telling, type VerbTable } from "../verbs.ts";

export const publishes = danger("medium", "it publishes commits");
export const discards = always("it throws away changes in files that are not committed");
export const rewrites = danger("high", "it rewrites what others have");
export const unknownVerb = always("it has no such command that is known: it may be an alias or an extension");

const fromNetwork = unknownWord(new Set(["network"]));

/** Copies a repository from an address into a directory. */
export function* copies({ operands: [address, directory] }: Use): Iterable<Effect> {
  if (!address) return;
  yield* fetchesFrom(address);
  yield { type: "writes", path: directory ?? cloneName(address), how: "creates", content: fromNetwork };
}

export function* removes({ operands, has }: Use): Iterable<Effect> {
  if (has("keep-local", "k", "keep", "after", "A")) return;
  yield* has("f", "force") ? deletes(operands, true) : movesAway(operands);
}

export const moves: Telling = ({ operands }) => movesAll(operands);

export function* movesAll(operands: readonly Word[]): Iterable<Effect> {
  yield* movesAway(operands.slice(0, -1));
  yield* writes(operands.slice(-1), "replaces");
}

/** Endings of setting keys whose value is a command. */
const commandKey =
  /(?:^|[.:/])(?:(?:pre|post)[\w-]*|editor|pager|ssh|remotecmd|visual|askpass|cmd|command|executable|program|hook|diff-?(?:editor|formatter|command|cmd)|merge-?(?:editor|command|cmd|tool)|difftool|gdiff|gmerge|backends|tunnels?)(?:$|[.:-])|^(?:hooks|alias|aliases|extensions|tunnels|fix|merge-tools|extdiff)\b/iu;

/** A path, a list of words, or shell code, whatever the key is called. */
const commandValue = /^(?:!|~|\.{0,2}\/|\[\s*["'])/u;

export function* setting(text: Word, severity: "high" | "critical"): Iterable<Effect> {
  const { before: key, after: value } = cutAt(text, "=") ?? { before: text, after: literal("") };
  yield* keyAndValue(key, { value, severity });
}

function* keyAndValue(
  key: Word,
  { value, severity }: { value: Word; severity: "high" | "critical" },
): Iterable<Effect> {
  const mayRun = commandKey.test(key.text) || commandValue.test(value.text);
  if (!isUnknown(key) && (!mayRun || isHarmlessProgram(value))) return;
  yield danger(
    severity,
    severity === "high" ? "it sets a command that it runs" : "it sets a command that runs from now on",
  );
  if (!/^\[|^[\w.-]*=?$/u.test(value.text))
    yield interprets("shell", withText(value, value.text.replace(/^!/u, "")));
}

/**
 * A program with verbs; `settings` are options that change a setting for one run, `commands` those that run something.
 */
type Shape = {
  names: string;
  table: VerbTable;
  options: OptionForm;
  settings?: string[];
  commands?: string[];
};

export const versioned = ({ names, table, options, settings = [], commands = [] }: Shape): Program =>
  program(
    names,
    function* (use) {
      yield* runsByOptions(use, commands);
      for (const one of use.values(...settings)) yield* setting(one, "high");
      yield* tellByVerb({ ...use, operands: fullVerb(use.operands, table) }, table);
    },
    { options, verbs: 2 },
  );

/** Expands `hg stat` to `hg status`, if no other verb has that prefix. */
function fullVerb([verb, ...more]: readonly Word[], { rows }: VerbTable): readonly Word[] {
  if (!verb) return [];
  if (isUnknown(verb) || rows.has(verb.text)) return [verb, ...more];
  const fitting = [...rows.keys()].filter((name) => name.startsWith(verb.text));
  const [first = ""] = fitting;
  const isOne = fitting.length > 0 && fitting.every((name) => rows.get(name)?.does === rows.get(first)?.does);
  return [isOne ? literal(first) : verb, ...more];
}

export const nothing: Telling = [];

export const isAddress = ({ text }: Word): boolean => /^[a-z+]+:\/\//u.test(text);

export function* setsFor([key, value]: readonly Word[]): Iterable<Effect> {
  if (key && value) yield* keyAndValue(key, { value, severity: "critical" });
}
