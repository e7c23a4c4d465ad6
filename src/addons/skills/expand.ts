/** Fills the placeholders of a command file with the arguments typed after its name. */

import type { CommandFile } from "./definition.ts";

type Text = Pick<CommandFile, "body" | "argumentNames">;

/** Appends the arguments if the text has no placeholder for them. */
export function expandCommand({ body, argumentNames = [] }: Text, typed: string): string {
  const given = typed.trim();
  const words = wordsOf(given);
  const named = new Map(argumentNames.map((name, at) => [name, words[at] ?? ""]));
  for (const [name, value] of namedIn(given)) named.set(name, value);
  const filled = fill(withCommandsToRun(body), { all: given, words, named });
  return filled.isPlaced || given === "" ? filled.text : `${filled.text}\n\nArguments: ${given}`;
}

/** We never run commands from a file: the model is asked to, so the usual permission rules apply. */
export const withCommandsToRun = (body: string): string =>
  body
    .replaceAll(
      /(?<=^|\s)!`([^`\n]{1,2000})`/gu,
      (_, command: string) => `(First run \`${command}\`, and take what it prints for this.)`,
    )
    .replaceAll(
      /^```![ \t]*\n((?:(?!```)[^\n]*\n)+)```[ \t]*$/gmu,
      (_, lines: string) => `(First run this, and take what it prints for this.)\n\`\`\`sh\n${lines}\`\`\``,
    );

type SkillArguments = { all: string; words: readonly string[]; named: ReadonlyMap<string, string> };

/** A single pass, so that typed arguments are never scanned for placeholders. `\$1` and `$$1` are escaped. */
const places =
  /(?<escaped>(?:\\|\$)\$(?=[A-Z@{0-9]))|\$ARGUMENTS\[(?<at>\d{1,2})\]|(?<all>\$ARGUMENTS\b|\$@|\{\{\s*args\s*\}\})|\$\{(?<braced>[1-9])(?::-(?<otherwise>[^}\n]{0,400}))?\}|\$(?<word>\d)(?!\.?\d)|\$\{input:(?<input>[^}\n]{0,400})\}|\$(?<name>[A-Za-z_]\w*)/gu;

function fill(body: string, given: SkillArguments): { text: string; isPlaced: boolean } {
  let isPlaced = false;
  // Some agents count from 0, others from 1: a text that uses $0 counts from 0.
  const first = /(?<![\\$])\$0(?!\.?\d)/u.test(body) ? 0 : 1;
  const text = body.replaceAll(places, (...match: unknown[]) => {
    const groups = groupsOf(match);
    if (groups["escaped"] !== undefined) return "$";
    const value = valueOf(groups, given, first);
    if (value === undefined) return String(match[0]);
    isPlaced = true;
    return value;
  });
  return { text, isPlaced };
}

type Groups = Readonly<Record<string, string | undefined>>;

function groupsOf(match: readonly unknown[]): Groups {
  const last = match.at(-1);
  const groups: Record<string, string | undefined> = {};
  if (typeof last === "object" && last !== null)
    for (const [name, value] of Object.entries(last)) if (typeof value === "string") groups[name] = value;
  return groups;
}

function valueOf(groups: Groups, { all, words, named }: SkillArguments, first: number): string | undefined {
  const { at, braced, otherwise = "", word, input, name } = groups;
  if (groups["all"] !== undefined) return all;
  if (at !== undefined) return words[Number(at)] ?? "";
  if (braced !== undefined) return words[Number(braced) - 1] ?? otherwise;
  if (word !== undefined) return words[Number(word) - first] ?? "";
  if (input !== undefined) return all === "" ? (input.split(":")[1] ?? "") : all;
  return name === undefined ? undefined : named.get(name);
}

/**
 * Splits at spaces. Quotes group text only at the start of a word (or of a value after `NAME=`) and up to its end, so
 * an apostrophe within a word is a letter.
 */
const wordsOf = (typed: string): string[] =>
  Array.from(typed.matchAll(word), ([all, name = "", double, single]) => {
    const quoted = double ?? single;
    return quoted === undefined ? all : name + quoted;
  });

const word = /([^\s"'=]+=)?(?:"([^"]*)"|'([^']*)')(?=\s|$)|\S+/gu;

/** `NAME=value` arguments, for texts with a placeholder `$NAME`. */
function namedIn(typed: string): Map<string, string> {
  const named = new Map<string, string>();
  for (const word of wordsOf(typed)) {
    const [, name, value = ""] = /^([A-Z][A-Z0-9_]*)=([\s\S]*)$/u.exec(word) ?? [];
    if (name !== undefined) named.set(name, value);
  }
  return named;
}
