/** The text of `toolwright COMMAND --help`, from the tables of commands and options. */

import { type CommandName, commands } from "./commands.ts";
import { describe, describeTaken, wrap } from "./help-words.ts";
import { type Option, options } from "./options.ts";

/** Whether an option is for this command and a few others only. */
export const isOwn = ({ only, alsoFor }: Option, name: CommandName): boolean =>
  only === name || (alsoFor?.some((other) => other === name) ?? false);

export function commandHelp(name: CommandName, width: number): string {
  const about = commands.find((command) => command.name === name)?.help ?? "";
  const described = (some: readonly Option[]): string[] =>
    some.flatMap((option) => describe(option, width, name));
  return [
    ...wrap(`toolwright ${name}: ${about.replaceAll("`", "")}`, width),
    ...section("Arguments:", describeTaken(name, width)),
    ...section("Options:", described(options.filter((option) => isOwn(option, name)))),
    ...section("Common options:", described(commonOptions(name))),
    "",
    "toolwright --help lists all commands.",
    "",
  ].join("\n");
}

/** The options that every command could take, and that make a difference for this one. */
export const commonOptions = (name: CommandName): Option[] =>
  options.filter(
    ({ only, concerns }) => only === undefined && (concerns === undefined || concerns.includes(name)),
  );

const section = (title: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : ["", title, ...lines];
