/** Finds options of one command line that contradict each other, or that the command has no use for. */

import type { NamedCommand } from "./commands.ts";
import { headlessOptions } from "./option-headless.ts";
import { runOptions } from "./option-runs.ts";
import type { OptionName, Values } from "./option-values.ts";

/** The problem in one line, or undefined. */
export function contradiction(values: Values, command: NamedCommand | undefined): string | undefined {
  return sessionProblem(values) ?? linesProblem(values) ?? commandProblem(values, command);
}

function sessionProblem(values: Values): string | undefined {
  const names = ["continue", "resume", "sessionId", "noSave"] as const;
  const [one, other] = names.filter((name) => values[name] !== undefined);
  if (other !== undefined) return `${flagOf(one)} and ${flagOf(other)} exclude each other: give one of them`;
  const isOfSession = values.continue !== undefined || values.resume !== undefined;
  return values.fork === undefined || isOfSession
    ? undefined
    : "--fork needs a session to copy: add --continue or --resume ID";
}

function linesProblem({ input, output, partial, prompt, askOn, jsonSchema }: Values): string | undefined {
  const isLines = input === "stream-json";
  if (!isLines)
    return partial === undefined || output === "stream-json"
      ? undefined
      : "--partial is for the lines of --output stream-json: add that";
  if (output !== undefined && output !== "stream-json")
    return `--input stream-json prints lines: leave --output ${output} out`;
  if (prompt === "-")
    return "--input stream-json and -p - exclude each other: requests come by lines, the first one perhaps with -p";
  if (askOn !== undefined)
    return "--input stream-json and --ask-on exclude each other: questions are answered by lines, or by the command";
  return jsonSchema === undefined
    ? undefined
    : "--input stream-json and --json-schema exclude each other: it is the answer to -p that is checked";
}

/** These have no meaning without a single run. */
const ofRuns: readonly OptionName[] = [...headlessOptions.map(({ name }) => name), "fork", "noSave"];

function commandProblem(values: Values, command: NamedCommand | undefined): string | undefined {
  const { output = "text" } = values;
  if (values.prompt !== undefined)
    return (
      command && `-p has its prompt already, and "${command.name}" follows it: put the whole prompt in quotes`
    );
  if (!command) return undefined;
  const foreign = ofRuns.find((name) => values[name] !== undefined);
  if (foreign !== undefined) return `${flagOf(foreign)} is for -p: toolwright ${command.name} takes none`;
  if (output === "text" || (output === "json" && command.json)) return undefined;
  return `toolwright ${command.name} prints no ${output}${command.json ? ": use --output json" : ""}`;
}

const flagOf = (name: OptionName | undefined): string =>
  `--${[...headlessOptions, ...runOptions].find((option) => option.name === name)?.flag ?? name}`;
