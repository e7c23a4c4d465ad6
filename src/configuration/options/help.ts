/** The texts of `toolwright --help` and `toolwright help options`, from the tables of commands and options. */

import { commandGroups, commands } from "./commands.ts";
import { describe, width, wrap } from "./help-words.ts";
import { type Option, options, usage } from "./options.ts";

/** One screen: every command, the options that are used most, and the names of the others. */
export function helpText(): string {
  const starts = [
    ["toolwright", "Start a conversation."],
    ['toolwright "…"', "Start a conversation with this message."],
    ['toolwright -p "…"', "Do this, print the answer and exit."],
  ] as const;
  const groups = Object.entries(commandGroups).map(([group, title]) => ({
    title,
    rows: commands.flatMap((command) =>
      command.group === group
        ? [
            [
              ["toolwright", command.name, ...("words" in command ? [command.words] : [])].join(" "),
              command.help,
            ] as const,
          ]
        : [],
    ),
  }));
  const used = shared.flatMap((option) =>
    option.brief === undefined ? [] : [[briefly(option), option.brief] as const],
  );
  const widest = Math.max(
    ...[...starts, ...groups.flatMap(({ rows }) => rows)].map(([start]) => start.length),
  );
  const others = shared.filter(({ brief }) => brief === undefined).map(({ flag }) => `--${flag}`);
  return [
    ...wrap("Toolwright is a coding agent that makes any model use tools reliably, safely and fast.", width),
    "",
    ...table(starts, widest),
    ...groups.flatMap(({ title, rows }) => [`${title}:`, ...table(rows, widest)]),
    "",
    "Options that are used most:",
    ...table(used, widest),
    ...wrap(`Others: ${others.join(", ")}`, width - 2).map((line) => `  ${line}`),
    "",
    "toolwright help options explains all of them.",
    "toolwright COMMAND --help shows the arguments and options of a command.",
    ...wrap(exitCodes, width),
    "",
  ].join("\n");
}

/** The options that no command has for itself, each explained. */
export const optionsText = (): string =>
  [
    "Options:",
    ...shared.flatMap((option) => describe(option)),
    "",
    "toolwright --help lists all commands.",
    "",
  ].join("\n");

const shared = options.filter(({ only }) => only === undefined);

const exitCodes =
  "Exit codes: 0 done, 1 failed, 2 usage, 3 something was denied, 4 a limit was reached, 130 interrupted.";

/** The values of a choice are in its explanation. */
const briefly = (option: Option): string =>
  usage(option).replace(/ \S+\|\S+$/u, ` ${option.flag.toUpperCase()}`);

const table = (rows: readonly (readonly [string, string])[], widest: number): string[] =>
  rows.map(([start, help]) => `  ${start.padEnd(widest)}  ${help.replaceAll("`", "")}`);
