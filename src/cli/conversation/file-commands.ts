/** Lists command files and skills in a conversation. */

import { visibleLine } from "../../base/visible-text.ts";
import type { FileCommand } from "../../runtime/messages/file-commands.ts";
import type { Talk } from "./talk.ts";

const mostShown = 40;

/** Lines for the help. */
export async function fileCommandLines({ runtime, style }: Talk): Promise<string[]> {
  const { commands, problems } = await runtime.fileCommands.list();
  const of = (kind: FileCommand["kind"]) => commands.filter((command) => command.kind === kind);
  return [
    ...group("From files:", of("command")),
    ...group("Skills:", of("skill")),
    ...problems.map((problem) => style.yellow(`! ${visibleLine(problem)}`)),
  ];
}

function group(title: string, commands: readonly FileCommand[]): string[] {
  if (commands.length === 0) return [];
  const shown = commands.slice(0, mostShown);
  const usages = shown.map(({ name, argumentHint = "" }) => visibleLine(`/${name} ${argumentHint}`.trim()));
  const width = Math.min(28, Math.max(...usages.map((usage) => usage.length)));
  const left = commands.length - shown.length;
  return [
    title,
    ...shown.map(
      ({ description, written }, at) =>
        `  ${(usages[at] ?? "").padEnd(width)}  ${short(written === undefined ? description : `(${written}) ${description}`, 76 - width)}`,
    ),
    ...(left > 0 ? [`  … and ${left} more.`] : []),
  ];
}

const short = (words: string, most: number): string => {
  const line = visibleLine(words);
  return line.length > most ? `${line.slice(0, most - 1)}…` : line;
};
