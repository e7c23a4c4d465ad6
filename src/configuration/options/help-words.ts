/** Lays out help text: options and command arguments, each with its description below it. */

import { type CommandName, commands } from "./commands.ts";
import { type Option, usage } from "./options.ts";

/** A terminal's usual width. */
export const width = 80;

/** The arguments of a command, described. */
export function describeTaken(name: CommandName): string[] {
  return commands.flatMap((command) =>
    command.name === name && "takes" in command ? describeWords(command.takes.words, command.takes.help) : [],
  );
}

/** An option with its description, default and variable; for all commands if none is named. */
export function describe(option: Option, command?: CommandName): string[] {
  const standard = defaultOf(option, command);
  const notes = [
    ...(standard === "" ? [] : [`default: ${standard}`]),
    ...(option.variable === undefined ? [] : [option.variable]),
  ];
  const tail = notes.length === 0 ? "" : ` (${notes.join("; ")})`;
  return describeWords(usage(option), option.help + tail);
}

/** Empty if there is none. */
export function defaultOf({ default: usual = "", defaults = {} }: Option, command?: CommandName): string {
  if (command !== undefined) return defaults[command] ?? usual;
  const others = Object.entries(defaults).map(([name, value]) => `${value} for ${name}`);
  return [...(usual === "" ? [] : [usual]), ...others].join("; ");
}

function describeWords(words: string, help: string): string[] {
  return [
    ...wrap(words, width - 2).map((line) => `  ${line}`),
    ...wrap(help.replaceAll("`", ""), width - 8).map((line) => `        ${line}`),
  ];
}

export function wrap(text: string, width: number): string[] {
  return text.split(" ").reduce<string[]>((lines, word) => {
    const last = lines.at(-1);
    if (last === undefined || last.length + word.length >= width) return [...lines, word];
    return [...lines.slice(0, -1), `${last} ${word}`];
  }, []);
}
