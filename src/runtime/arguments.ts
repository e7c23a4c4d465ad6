/** The words behind `toolwright`, read by the table of options: what to do, and with which values. */
import { parseArgs, type ParseArgsConfig } from "node:util";
import type { Parsed } from "../base/json.ts";
import { commands, type NamedCommand } from "./commands.ts";
import { type HelpAsked, helpAsked } from "./help-asked.ts";
import { didYouMean } from "./nearest.ts";
import { type Option, options, readValue, usage, type Value, type Values } from "./options.ts";

export type Arguments = {
  /** "chat" when none is named: headless with `flags.prompt`, else a conversation. */
  command: "chat" | NamedCommand["name"];
  /** The words of a conversation's first message, empty without one; for a command, what follows its name. */
  words: string[];
  flags: Values;
  /** What the environment's variables say, for the layer below the flags. */
  environment: Values;
  /** Instead of doing anything: print help, about this. */
  help?: HelpAsked;
};

export function parseArguments(argv: readonly string[], env: NodeJS.ProcessEnv): Parsed<Arguments> {
  const flags = readFlags(argv);
  if (!flags.ok) return flags;
  const environment = readEnvironment(env);
  if (!environment.ok) return environment;
  const { values, words, before } = flags.value;
  const { said } = flags.value;
  const named = said ? undefined : commands.find((command) => command.name === words[0]);
  const help = helpAsked(said ? [] : words, values.help === true);
  if (help?.ok === false) return help;
  const problem =
    misplaced(values, named) ??
    contradiction(values, named) ??
    unquoted({ values, words, before }, named) ??
    (said || named || help ? undefined : misspeltCommand(words));
  if (problem) return { ok: false, problem };

  return {
    ok: true,
    value: {
      command: named?.name ?? "chat",
      words: named ? words.slice(1) : words,
      flags: values,
      environment: environment.value,
      ...(help ? { help: help.value } : {}),
    },
  };
}

/** `said`: everything is for the model, because of `--`. Behind some commands that only ends the options, `before` words. */
type ReadFlags = { values: Values; words: string[]; said: boolean; before: number };

function readFlags(argv: readonly string[]): Parsed<ReadFlags> {
  const { tokens } = parseArgs({ args: [...argv], options: parserTable(), strict: false, tokens: true });
  const values: Values = {};
  const words: string[] = [];
  let said = false;
  let before: number | undefined;
  for (const token of tokens) {
    if (token.kind === "positional") words.push(token.value);
    if (token.kind === "option-terminator") {
      said = !takesMore(words[0]);
      before = words.length;
    }
    if (token.kind !== "option") continue;
    const option = options.find(({ flag }) => flag === token.name);
    if (!option) return unknownFlag(token.rawName);
    const swallowed = token.inlineValue === false && isFlag(token.value);
    const read = readFlag(option, token.rawName, swallowed ? undefined : token.value);
    if (!read.ok) return read;
    values[option.name] = read.value;
  }
  return { ok: true, value: { values, words, said, before: before ?? words.length } };
}

/** Behind `--` stands its command or its paths. */
const takesMore = (name: string | undefined): boolean =>
  takesCommand(name) || commands.some((command) => command.name === name && "takesPaths" in command);

const takesCommand = (name: string | undefined): boolean =>
  commands.some((command) => command.name === name && "takesCommand" in command);

function readFlag(option: Option, label: string, value: string | undefined): Parsed<Value> {
  if (option.type.kind !== "switch") {
    if (value === undefined) return { ok: false, problem: `${label} needs a value: ${usage(option)}` };
    return readValue(option, value, label);
  }
  return value === undefined ? { ok: true, value: true } : { ok: false, problem: `${label} takes no value` };
}

/** True when an option was written where a value should be: `-p --model x`. */
const isFlag = (text: string): boolean =>
  options.some(
    ({ flag, short }) => text === `--${flag}` || text.startsWith(`--${flag}=`) || text === `-${short}`,
  );

function unknownFlag(label: string): Parsed<never> {
  const known = options.flatMap(({ flag, short }) => [`--${flag}`, ...(short ? [`-${short}`] : [])]);
  const hint = label.startsWith("--") ? didYouMean(label, known) : "";
  return { ok: false, problem: `There is no option ${label}${hint || ": see toolwright --help"}` };
}

function readEnvironment(env: NodeJS.ProcessEnv): Parsed<Values> {
  const values: Values = {};
  for (const option of options) {
    const text = option.variable === undefined ? undefined : env[option.variable];
    if (option.variable === undefined || text === undefined || text === "") continue;
    const read = readValue(option, text, `The environment variable ${option.variable}`);
    if (!read.ok) return read;
    values[option.name] = read.value;
  }
  return { ok: true, value: values };
}

function misplaced(values: Values, command: NamedCommand | undefined): string | undefined {
  const option = options.find(
    ({ name, only, alsoFor }) =>
      only && only !== command?.name && (alsoFor ?? only) !== command?.name && values[name] !== undefined,
  );
  if (!option) return undefined;
  const { flag, only, alsoFor } = option;
  const places = alsoFor === undefined ? `${only} only` : `${only} and ${alsoFor} only`;
  return `--${flag} is for toolwright ${places}: see toolwright --help`;
}

/** The options of another command line are not ours: `explain rm -rf x` would be read as `--resume f`. */
function unquoted(
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

function contradiction(
  { output = "text", ...values }: Values,
  command: NamedCommand | undefined,
): string | undefined {
  if (values.continue && values.resume) return "--continue and --resume exclude each other: give one of them";
  if (values.prompt !== undefined)
    return (
      command &&
      `-p has its prompt already, and "${command.name}" stands beside it: put the whole prompt in quotes`
    );
  if (output === "text" || (output === "json" && command?.json)) return undefined;
  return command
    ? `toolwright ${command.name} prints no ${output}${command.json ? ": use --output json" : ""}`
    : `--output ${output} needs a prompt: add -p "…"`;
}

/** One word that nearly is a command is a slip; after `--`, or with more words, it is for the model. */
function misspeltCommand(words: readonly string[]): string | undefined {
  const [word] = words;
  if (word === undefined || words.length > 1) return undefined;
  const names = commands.map((command) => command.name);
  const hint = didYouMean(word, names);
  return hint
    ? `There is no command "${word}"${hint}; to say it to the model: toolwright -- ${word}`
    : undefined;
}

function parserTable(): NonNullable<ParseArgsConfig["options"]> {
  return Object.fromEntries(
    options.map(({ flag, short, type }) => {
      const kind = type.kind === "switch" ? ("boolean" as const) : ("string" as const);
      return [flag, short === undefined ? { type: kind } : { type: kind, short }];
    }),
  );
}
