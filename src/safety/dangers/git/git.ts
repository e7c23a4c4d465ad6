/** git: options that apply to every subcommand, then a subcommand with its own options. */

import { isLiteral, joinWords, unknownWord, type Word, withText } from "../../command-line/word.ts";
import { danger, loads } from "../effect-makers.ts";
import type { Effect } from "../effect.ts";
import { below } from "../file-effect-makers.ts";
import type { OptionForm, Program, Use } from "../program.ts";
import { useOf } from "../use.ts";
import { settingOnce } from "./settings.ts";
import { subcommand } from "./subcommands.ts";

const beforeVerb: OptionForm = {
  short: "Cc",
  long: ["git-dir", "work-tree", "namespace", "super-prefix", "config-env", "attr-source"],
  stopAtOperand: true,
};

export function* gitEffects(use: Use): Iterable<Effect> {
  yield* optionEffects(use);
  const [verb, ...words] = use.operands;
  if (!verb || asksForHelp(words)) return;
  const row = subcommand(verb.text);
  if (!row) {
    yield isLiteral(verb)
      ? danger("high", `git's command ${verb.text} is not known: it may be an alias or a program of somebody`)
      : danger("high", "what git is to do is only known when it runs");
    return;
  }
  const directory = directoryOf(use);
  for (const effect of row.does(subjectOf(use, row))) yield inDirectory(effect, directory);
}

/** The use of the subcommand itself, without git's own options. */
export const subjectOf = (use: Use, row: Program): Use =>
  useOf(row, { ...use, name: use.operands[0]?.text ?? "", words: use.operands.slice(1) });

/** `git push --help` opens a manual page, whatever follows. */
const asksForHelp = ([first, second]: readonly Word[]): boolean =>
  first?.text === "--help" || (first?.text === "-h" && !second);

export function* optionEffects(use: Use): Iterable<Effect> {
  for (const { name, value } of use.options) {
    if (!value) continue;
    if (name === "c") yield* settingOnce(value);
    // Of `--config-env=name=VARIABLE` the value is unknown here.
    if (name === "config-env") yield* settingOnce(withText(value, value.text.replace(/=[^=]*$/u, "=\0")));
    if (name === "exec-path")
      yield danger("high", "its option --exec-path names another directory for git's own programs");
    if (name === "work-tree") yield { type: "writes", path: value, how: "edits" };
    if (name === "git-dir") yield loads(withText(value, repositoryOf(value.text)));
  }
}

/** The directory that a `.git` belongs to: its settings apply as if git ran there. */
const repositoryOf = (text: string): string => text.replace(/(?:^|(?<=\/))\.git\/*$/u, ".");

/** Longer than any path that a system accepts. */
const longestPath = 4_096;

/** The directory given by `-C`; each further `-C` is relative to the previous one. */
export function directoryOf(use: Use): Word | undefined {
  const ways = use.values("C").filter(({ text }) => text !== "");
  const start = ways.findLastIndex(startsAnew);
  if (ways.length === 0) return undefined;
  const directory = joinWords(ways.slice(Math.max(start, 0)), "/");
  return directory.text.length > longestPath ? unknownWord() : directory;
}

const startsAnew = ({ text }: Word): boolean => /^[/~\0]/u.test(text);

function inDirectory(effect: Effect, directory: Word | undefined): Effect {
  if (!directory) return effect;
  if (effect.type === "runs") return { ...effect, directory };
  return "path" in effect && !startsAnew(effect.path)
    ? { ...effect, path: below(directory, effect.path) }
    : effect;
}

export const git: Program = { names: ["git"], does: gitEffects, options: beforeVerb, verbs: 2 };
