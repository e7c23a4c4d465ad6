/** The texts of `toolwright --help` and `toolwright --help all`, from the tables of commands and options. */

import { commandGroups, commands } from "./commands.ts";
import { describe, table, wrap } from "./help-words.ts";
import { type Option, optionGroups, options, usage } from "./options.ts";

const about = "Toolwright is a coding agent that makes any model use tools reliably.";

const starts = [
  ["toolwright", 'Start a conversation; with "…", begin with this message.'],
  ['toolwright -p "…"', "Do this one request, print the answer and exit."],
] as const;

/** The options that no command has for itself. */
export const sharedOptions = options.filter(({ only }) => only === undefined);

/** One screen of 24 rows and 80 columns: the names of the commands, and the options that are used most. */
export function helpText(width: number): string {
  const groups = Object.entries(commandGroups).map(([group, title]) => {
    const names = commands.flatMap((command) => (command.group === group ? [command.name] : []));
    return [title, names.join(", ")] as const;
  });
  const used = sharedOptions.flatMap((option) =>
    option.brief === undefined ? [] : [[briefly(option), option.brief] as const],
  );
  return [
    ...wrap(about, width),
    "",
    ...table([...starts, ...groups], width),
    "",
    ...table(used, width),
    "",
    ...wrap("toolwright COMMAND --help explains a command, toolwright --help all everything.", width),
    "",
  ].join("\n");
}

/** Every command in a line, every shared option, and the exit codes. */
export function everythingText(width: number): string {
  return [
    ...wrap(about, width),
    "",
    ...table(starts, width),
    ...Object.entries(commandGroups).flatMap(([group, title]) => [
      "",
      `${title}:`,
      ...commandRows(group, width),
    ]),
    ...Object.entries(optionGroups).flatMap(([group, title]) => [
      "",
      `${title}:`,
      ...sharedOptions
        .filter((option) => groupOf(option) === group)
        .flatMap((option) => describe(option, width)),
    ]),
    "",
    ...wrap("toolwright COMMAND --help shows the arguments and options of a command.", width),
    ...wrap(exitCodes, width),
    "",
  ].join("\n");
}

function commandRows(group: string, width: number): string[] {
  const rows = commands.flatMap((command) => {
    const words = "words" in command ? [command.words] : [];
    return command.group === group ? [[[command.name, ...words].join(" "), command.help] as const] : [];
  });
  return table(rows, width);
}

export const groupOf = ({ group = "request" }: Option): keyof typeof optionGroups => group;

export const exitCodes =
  "Exit codes: 0 done, 1 failed, 2 usage, 3 something was denied, 4 a limit was reached, 130 interrupted.";

/** The values of a choice are in its explanation. */
const briefly = (option: Option): string =>
  usage(option).replace(/ \S+\|\S+$/u, ` ${option.flag.toUpperCase()}`);
