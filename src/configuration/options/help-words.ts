/** Lays out help text: options and command arguments, each with its description below it, and tables. */

import { type CommandName, commands } from "./commands.ts";
import { type Option, usage } from "./options.ts";

/** A terminal's usual width. */
export const usualWidth = 80;
/** Longer lines are hard to read. */
const widest = 120;
/** A narrower terminal breaks lines itself. */
const narrowest = 40;

/** The width for a terminal with so many columns, in which no row is full. */
export const widthFor = (columns: number): number => Math.min(Math.max(columns, narrowest), widest);

/** The arguments of a command, described. */
export function describeTaken(name: CommandName, width: number): string[] {
  return commands.flatMap((command) =>
    command.name === name && "takes" in command
      ? describeWords(command.takes.words, command.takes.help, width)
      : [],
  );
}

/** An option with its description, default and variable; for all commands if none is named. */
export const describe = (option: Option, width: number, command?: CommandName): string[] =>
  describeWords(usage(option), explain(option, command), width);

/** What an option does, with its default and variable. */
export function explain(option: Option, command?: CommandName): string {
  const standard = defaultOf(option, command);
  const notes = [
    ...(standard === "" ? [] : [`default: ${standard}`]),
    ...(option.variable === undefined ? [] : [option.variable]),
  ];
  return option.help + (notes.length === 0 ? "" : ` (${notes.join("; ")})`);
}

/** Empty if there is none. */
export function defaultOf({ default: usual = "", defaults = {} }: Option, command?: CommandName): string {
  if (command !== undefined) return defaults[command] ?? usual;
  const others = Object.entries(defaults).map(([name, value]) => `${value} for ${name}`);
  return [...(usual === "" ? [] : [usual]), ...others].join("; ");
}

function describeWords(words: string, help: string, width: number): string[] {
  return [
    ...wrap(words, width - 2).map((line) => `  ${line}`),
    ...wrap(help.replaceAll("`", ""), width - 8).map((line) => `        ${line}`),
  ];
}

/** Rows of two columns; what does not fit goes on below its column. */
export function table(rows: readonly (readonly [string, string])[], width: number): string[] {
  const first = Math.max(...rows.map(([start]) => start.length)) + 4;
  return rows.flatMap(([start, help]) => {
    const lines = wrap(help.replaceAll("`", ""), width - first);
    return lines.map((line, at) => (at === 0 ? `  ${start}` : "").padEnd(first) + line);
  });
}

export function wrap(text: string, width: number): string[] {
  return text.split(" ").reduce<string[]>((lines, word) => {
    const last = lines.at(-1);
    if (last === undefined || last.length + word.length >= width) return [...lines, word];
    return [...lines.slice(0, -1), `${last} ${word}`];
  }, []);
}
