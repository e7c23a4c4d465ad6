/** How help is set out in lines: options and words of commands, each with what it does below it. */
import { type CommandName, commands } from "./commands.ts";
import { type Option, usage } from "./options.ts";

/** A terminal's usual width. */
export const width = 80;

/** What a command takes behind its name. */
export function describeTaken(name: CommandName): string[] {
  return commands.flatMap((command) =>
    command.name === name && "takes" in command ? describeWords(command.takes.words, command.takes.help) : [],
  );
}

/** An option with what it does, its default and its variable. */
export function describe(option: Option): string[] {
  const notes = [
    ...(option.default === undefined ? [] : [`default: ${option.default}`]),
    ...(option.variable === undefined ? [] : [option.variable]),
  ];
  const tail = notes.length === 0 ? "" : ` (${notes.join("; ")})`;
  return describeWords(usage(option), option.help + tail);
}

function describeWords(words: string, help: string): string[] {
  return [`  ${words}`, ...wrap(help.replaceAll("`", ""), width - 8).map((line) => `        ${line}`)];
}

export function wrap(text: string, width: number): string[] {
  return text.split(" ").reduce<string[]>((lines, word) => {
    const last = lines.at(-1);
    if (last === undefined || last.length + word.length >= width) return [...lines, word];
    return [...lines.slice(0, -1), `${last} ${word}`];
  }, []);
}
