/** Parses the command line by the table of options: which command to run, and with which values. */

import { parseArgs, type ParseArgsConfig } from "node:util";
import { type Expected, refuse } from "../../base/expected.ts";
import { commands, type NamedCommand } from "./commands.ts";
import { contradiction } from "./contradiction.ts";
import { type HelpSubject, helpAsked } from "./help-asked.ts";
import { didYouMean } from "./nearest.ts";
import { type Option, options, readValue, usage, type OptionValue, type Values } from "./options.ts";

/** A parsed command line: the command, its words, and the options given. */
export type Arguments = {
  /** "chat" if no command is named: headless with `flags.prompt`, else a conversation. */
  command: "chat" | NamedCommand["name"];
  /** The words of a conversation's first message, empty if there is none; for a command, the words after its name. */
  words: string[];
  flags: Values;
  /** Values from environment variables, the layer below the flags. */
  environment: Values;
  /** What is wrong with one of those variables: it stops what reads the settings, but no help. */
  environmentProblem?: string;
  /** Print help about this instead of doing anything. */
  help?: HelpSubject;
};

/** Parses the command line and the environment variables. The problem is one line. */
export function parseArguments(argv: readonly string[], env: NodeJS.ProcessEnv): Expected<Arguments> {
  const flags = readFlags(argv);
  if (!flags.ok) return flags;
  const { values, words, before } = flags.value;
  const { said } = flags.value;
  const named = said ? undefined : commands.find((command) => command.name === words[0]);
  const help = helpAsked(said ? [] : words, values.help === true);
  if (help?.ok === false) return help;
  const problem =
    misplacedOption(values, named) ??
    contradiction(values, named) ??
    unquotedProblem({ values, words, before }, named) ??
    (said || named || help || values.prompt !== undefined ? undefined : unknownCommand(words));
  if (problem) return refuse(problem);

  return {
    ok: true,
    value: {
      command: named?.name ?? "chat",
      words: named ? words.slice(1) : words,
      flags: values,
      ...readEnvironment(env),
      ...(help ? { help: help.value } : {}),
    },
  };
}

/** `said`: the words are all for the model, because `--` came first. After a command, `--` only ends the options. */
type ReadFlags = { values: Values; words: string[]; said: boolean; before: number };

function readFlags(argv: readonly string[]): Expected<ReadFlags> {
  const { tokens } = parseArgs({ args: [...argv], options: parserTable(), strict: false, tokens: true });
  const values: Values = {};
  const words: string[] = [];
  let said = false;
  let before: number | undefined;
  for (const token of tokens) {
    if (token.kind === "positional") words.push(token.value);
    if (token.kind === "option-terminator") {
      said = words.length === 0;
      before = words.length;
    }
    if (token.kind !== "option") continue;
    const option = options.find(({ flag }) => flag === token.name);
    if (!option) return unknownFlag(token.rawName);
    const swallowed = token.inlineValue === false && isFlag(token.value);
    const read = readFlag(option, token.rawName, swallowed ? undefined : token.value);
    if (!read.ok) return read;
    const earlier = values[option.name];
    if (earlier !== undefined && earlier !== read.value && isSaidOnce(option))
      return refuse(`${token.rawName} is given twice, with different values: give it once`);
    values[option.name] = earlier === undefined || !option.repeats ? read.value : `${earlier}\0${read.value}`;
  }
  return { ok: true, value: { values, words, said, before: before ?? words.length } };
}

/**
 * Settings are layered, so the last of two flags wins; for other options a second value would silently lose the first.
 */
const isSaidOnce = ({ repeats, inConfig }: Option): boolean => repeats !== true && inConfig !== true;

const takesCommand = (name: string | undefined): boolean =>
  commands.some((command) => command.name === name && "takesCommand" in command);

function readFlag(option: Option, label: string, value: string | undefined): Expected<OptionValue> {
  if (option.type.kind !== "switch") {
    if (value === undefined) return refuse(`${label} needs a value: ${usage(option)}`);
    return readValue(option, value, label);
  }
  return value === undefined ? { ok: true, value: true } : refuse(`${label} takes no value`);
}

/** True when an option was written where a value should be: `-p --model x`. */
const isFlag = (text: string): boolean =>
  options.some(
    ({ flag, short }) => text === `--${flag}` || text.startsWith(`--${flag}=`) || text === `-${short}`,
  );

function unknownFlag(label: string): Expected<never> {
  const known = options.flatMap(({ flag, short }) => [`--${flag}`, ...(short ? [`-${short}`] : [])]);
  const hint = label.startsWith("--") ? valueNamed(label.slice(2)) || didYouMean(label, known) : "";
  return refuse(`There is no option ${label}${hint || ": see toolwright --help"}`);
}

/** Suggests `--output json` for `--json`. */
function valueNamed(word: string): string {
  const takes = options.find(
    ({ type }) => type.kind === "choice" && type.values.some((value) => value === word),
  );
  return takes ? ` (did you mean "--${takes.flag} ${word}"?)` : "";
}

function readEnvironment(env: NodeJS.ProcessEnv): Pick<Arguments, "environment" | "environmentProblem"> {
  const environment: Values = {};
  for (const option of options) {
    const text = option.variable === undefined ? undefined : env[option.variable];
    if (option.variable === undefined || text === undefined || text === "") continue;
    const read = readValue(option, text, `The environment variable ${option.variable}`);
    if (!read.ok) return { environment, environmentProblem: read.problem };
    environment[option.name] = read.value;
  }
  return { environment };
}

function misplacedOption(values: Values, command: NamedCommand | undefined): string | undefined {
  const option = options.find(
    ({ name, only, alsoFor = [] }) =>
      only &&
      only !== command?.name &&
      !alsoFor.some((other) => other === command?.name) &&
      values[name] !== undefined,
  );
  if (!option) return undefined;
  const { flag, only = "", alsoFor = [] } = option;
  const others = [only, ...alsoFor];
  const last = others.pop() ?? "";
  const places = others.length === 0 ? `${last} only` : `${others.join(", ")} and ${last} only`;
  return `--${flag} is for toolwright ${places}: see toolwright --help`;
}

/** Options in the quoted command line are not ours: `explain rm -rf x` would be read as `--resume f`. */
function unquotedProblem(
  { values, words, before }: Pick<ReadFlags, "values" | "words" | "before">,
  command: NamedCommand | undefined,
): string | undefined {
  if (!command || !takesCommand(command.name)) return undefined;
  const isTorn = values.resume !== undefined || values.continue !== undefined;
  const isLoose = before > 1 && words.length > 2;
  return isTorn || isLoose
    ? `Put the whole command in quotes, or behind --: toolwright ${command.name} -- ${words.slice(1).join(" ") || "ls"}`
    : undefined;
}

/**
 * A lone word that is written like a command is meant as one, and so is a near miss that is followed by one of that
 * command's own words; after `--`, or with other words, the text is for the model.
 */
function unknownCommand(words: readonly string[]): string | undefined {
  const [word, next] = words;
  if (word === undefined) return undefined;
  const meant = commands.filter((command) => next === undefined || ownWords(command).includes(next));
  const names = meant.map((command) => command.name);
  const isLone = next === undefined && /^[a-z][a-z-]*$/u.test(word);
  const instead = isLone ? elsewhereCommands[word] : undefined;
  const hint = instead === undefined ? didYouMean(word, names) : `: ${instead}`;
  return hint || isLone
    ? `There is no command "${word}"${hint || ": toolwright --help lists them"}; to say it to the model: toolwright -- ${words.join(" ")}`
    : undefined;
}

const keys = "toolwright login takes a key, and toolwright doctor checks everything";
const oneRequest = 'toolwright -p "…" does one request, and toolwright "…" begins a conversation';
const update = "toolwright is as new as its checkout or package: git pull, or npm install -g toolwright";
const ofSessions = "toolwright sessions lists them and shows, searches, exports and imports them";

/** What other agents name by a command, and how it is done here. */
const elsewhereCommands: Readonly<Record<string, string | undefined>> = {
  version: "toolwright --version shows it",
  update,
  upgrade: update,
  auth: keys,
  setup: keys,
  settings: "toolwright config shows them, and sets one",
  exec: oneRequest,
  run: oneRequest,
  ask: oneRequest,
  chat: oneRequest,
  continue: "toolwright --continue goes on where you were, toolwright resume ID elsewhere",
  history: ofSessions,
  export: ofSessions,
  import: ofSessions,
  rename: ofSessions,
  completions: "toolwright completion bash, zsh or fish prints the script",
  review: 'toolwright -p "Review the changes of this branch." --mode plan does one',
};

/** A command's own words, such as "list" of `sessions`. */
const ownWords = (command: NamedCommand): string[] =>
  "takes" in command ? (command.takes.words.match(/\b[a-z]{3,}\b/gu) ?? []) : [];

function parserTable(): NonNullable<ParseArgsConfig["options"]> {
  return Object.fromEntries(
    options.map(({ flag, short, type }) => {
      const kind = type.kind === "switch" ? ("boolean" as const) : ("string" as const);
      return [flag, short === undefined ? { type: kind } : { type: kind, short }];
    }),
  );
}
