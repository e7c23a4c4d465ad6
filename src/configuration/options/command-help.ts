/** The text of `toolwright COMMAND --help`, from the tables of commands and options. */

import { type CommandName, commands } from "./commands.ts";
import { describe, describeTaken, width, wrap } from "./help-words.ts";
import { type Option, options } from "./options.ts";

/** Whether an option is for this command and a few others only. */
export const isOwn = ({ only, alsoFor }: Option, name: CommandName): boolean =>
  only === name || (alsoFor?.some((other) => other === name) ?? false);

export function commandHelp(name: CommandName): string {
  const about = commands.find((command) => command.name === name)?.help ?? "";
  const own = options.filter((option) => isOwn(option, name));
  const others = options.filter((option) => option.only === undefined && makesDifference(option, name));
  return [
    ...wrap(`toolwright ${name}: ${about.replaceAll("`", "")}`, width),
    ...section("Arguments:", describeTaken(name)),
    ...section(
      "Options:",
      own.flatMap((option) => describe(option, name)),
    ),
    ...section(
      "Common options:",
      others.flatMap((option) => describe(option, name)),
    ),
    "",
    "toolwright --help lists all commands.",
    "",
  ].join("\n");
}

const makesDifference = ({ concerns }: Option, name: CommandName): boolean =>
  concerns === undefined || concerns.includes(name);

const section = (title: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : ["", title, ...lines];
