/** The text of `toolwright COMMAND --help`, from the tables of commands and options. */
import { type CommandName, commands } from "./commands.ts";
import { describe, describeTaken, width, wrap } from "./help-words.ts";
import { type Option, options } from "./options.ts";

export function commandHelp(name: CommandName): string {
  const about = commands.find((command) => command.name === name)?.help ?? "";
  const own = options.filter(({ only, alsoFor }) => only === name || alsoFor === name);
  const others = options.filter((option) => option.only === undefined && makesDifference(option, name));
  return [
    ...wrap(`toolwright ${name}: ${about.replaceAll("`", "")}`, width),
    ...section("Behind its name:", describeTaken(name)),
    ...section("Options of its own:", own.flatMap(describe)),
    ...section("Other options:", others.flatMap(describe)),
    "",
    "toolwright --help lists all commands and options.",
    "",
  ].join("\n");
}

const makesDifference = ({ concerns }: Option, name: CommandName): boolean =>
  concerns === undefined || concerns.includes(name);

const section = (title: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : ["", title, ...lines];
