/** What could come next on the command line, from the tables of commands and options. */

import { configKeys } from "../../configuration/config-file.ts";
import { commonOptions, isOwn } from "../../configuration/options/command-help.ts";
import { commands, type NamedCommand } from "../../configuration/options/commands.ts";
import { configOption } from "../../configuration/options/config-options.ts";
import { sharedOptions } from "../../configuration/options/help.ts";
import { type Option, options } from "../../configuration/options/options.ts";

/** `help`: one line about it. */
type CompletionWord = { word: string; help: string };

/** Names that only the machine knows. */
export type NamesHere = {
  sessions: () => Promise<CompletionWord[]>;
  models: () => Promise<CompletionWord[]>;
  providers: () => Promise<CompletionWord[]>;
};

/** `words`: those before the current one, without the program. Empty if only a file or free text can follow. */
export async function candidatesFor(
  words: readonly string[],
  current: string,
  names: NamesHere,
): Promise<CompletionWord[]> {
  const read = readWords(words);
  if (read.isEnded) return [];
  const [, flag, started] = /^(--[\w-]+)=(.*)$/su.exec(current) ?? [];
  const option = flag === undefined ? read.open : optionNamed(flag);
  const found = await candidatesOf({ ...read, open: option }, { current, names });
  const prefix = flag === undefined ? "" : `${flag}=`;
  return found
    .filter(({ word }) => word.startsWith(started ?? current))
    .map(({ word, help }) => ({ word: prefix + word, help }));
}

type ReadWords = {
  /** The words that are no options and no values of options. */
  said: string[];
  given: Option[];
  /** The option whose value comes next. */
  open: Option | undefined;
  isEnded: boolean;
};

function readWords(words: readonly string[]): ReadWords {
  const read: ReadWords = { said: [], given: [], open: undefined, isEnded: false };
  for (const word of words) {
    if (read.open) read.open = undefined;
    else if (word === "--") read.isEnded = true;
    else if (word.startsWith("-") && !read.isEnded) {
      const option = optionNamed(word.split("=")[0] ?? "");
      if (option) read.given.push(option);
      read.open = word.includes("=") || option?.type.kind === "switch" ? undefined : option;
    } else read.said.push(word);
  }
  return read;
}

const optionNamed = (written: string): Option | undefined =>
  options.find(
    ({ flag, short }) => written === `--${flag}` || (short !== undefined && written === `-${short}`),
  );

async function candidatesOf(
  { said, given, open }: ReadWords,
  { current, names }: { current: string; names: NamesHere },
): Promise<CompletionWord[]> {
  if (open) return valuesOf(open, names);
  const [first, ...more] = said;
  const command = commands.find(({ name }) => name === first);
  if (current.startsWith("-")) return flagsFor(command, given);
  if (first === undefined) return [...commands.map(ofCommand), helpWord];
  if (first === helpWord.word && more.length === 0) return [...commands.map(ofCommand), allWord];
  return command ? wordsOf(command, { more, names }) : [];
}

const ofCommand = ({ name, help }: NamedCommand): CompletionWord => ({ word: name, help: plain(help) });
const helpWord: CompletionWord = { word: "help", help: "Explain a command." };
const allWord: CompletionWord = { word: "all", help: "Explain everything." };

function flagsFor(command: NamedCommand | undefined, given: readonly Option[]): CompletionWord[] {
  const all = command
    ? [...options.filter((option) => isOwn(option, command.name)), ...commonOptions(command.name)]
    : sharedOptions;
  return all
    .filter((option) => option.repeats === true || !given.includes(option))
    .map(({ flag, brief, help }) => ({ word: `--${flag}`, help: plain(brief ?? firstSentence(help)) }));
}

const firstSentence = (help: string): string => /^.*?[.:](?=\s|$)/su.exec(help)?.[0] ?? help;
const plain = (help: string): string => help.replaceAll("`", "");

async function valuesOf({ type, help }: Option, names: NamesHere): Promise<CompletionWord[]> {
  if (type.kind === "choice") return type.values.map((word) => ({ word, help: meaning(help, word) }));
  return type.kind === "text" ? namesFor(type.placeholder, names) : [];
}

/** Of "`plan` only reads; `ask` also …", what is said of one value. */
function meaning(help: string, word: string): string {
  const [, said = ""] = new RegExp(`\`${word}\`:? ([^;.]*)`, "u").exec(help) ?? [];
  return plain(said);
}

/** What stands for a name in the tables. */
async function namesFor(placeholder: string, names: NamesHere): Promise<CompletionWord[]> {
  switch (placeholder) {
    case "SESSION":
    case "ID":
      return names.sessions();
    case "PROVIDER/MODEL":
    case "MODEL":
      return names.models();
    case "PROVIDER":
      return names.providers();
    case "KEY":
      return configKeys.map((word) => ({ word, help: plain(configOption(word)?.help ?? "") }));
    default:
      return [];
  }
}

/** By the phrases of the table: "list, search WORDS, show ID, or import FILE". */
async function wordsOf(
  command: NamedCommand,
  { more, names }: { more: readonly string[]; names: NamesHere },
): Promise<CompletionWord[]> {
  if (!("takes" in command)) return [];
  const phrases = command.takes.words.split(/,\s*(?:or\s+)?|\s+or\s+/u).map((phrase) => phrase.split(/\s+/u));
  const next = phrases.flatMap((phrase) => {
    const tokens = phrase.map((token) => token.replace(/[[\]…]/gu, ""));
    const fits = more.every((word, at) => tokens[at] === word || isPlace(tokens[at]));
    return fits ? (tokens[more.length] ?? []) : [];
  });
  const found = await Promise.all(
    [...new Set(next)].map(async (token) => {
      if (token === "VALUE") return valuesOfKey(more.at(-1), names);
      return isPlace(token) ? namesFor(token, names) : [{ word: token, help: "" }];
    }),
  );
  return found.flat();
}

const isPlace = (token: string | undefined): boolean => token !== undefined && /^[A-Z]+$/u.test(token);

async function valuesOfKey(key: string | undefined, names: NamesHere): Promise<CompletionWord[]> {
  const option = configOption(key ?? "");
  return option ? valuesOf(option, names) : [];
}
