/** Paths that begin with what a person has typed, and how a path is written as a mention. */

import { opendir } from "node:fs/promises";
import { meantPath } from "../runtime/messages/attachment.ts";

/** Bounds the scan: a directory may have any number of entries. */
const mostEntries = 20_000;

/** Paths that start with the typed text. A directory ends with a slash, so that the next Tab lists its entries. */
export async function pathsFrom(workspace: string, typed: string): Promise<string[]> {
  const at = typed.lastIndexOf("/") + 1;
  const [above, start] = [typed.slice(0, at), typed.slice(at)];
  const directory = meantPath(above === "" ? "." : above, { workspace });
  if (directory === undefined) return [];
  const names = await namesIn(directory);
  // Hidden names are offered only after their dot was typed.
  const fitting = names.filter((name) => name.startsWith(start) && (start !== "" || !name.startsWith(".")));
  return fitting.map((name) => above + name);
}

async function namesIn(directory: string): Promise<string[]> {
  const names: string[] = [];
  try {
    for await (const entry of await opendir(directory)) {
      names.push(entry.isDirectory() ? `${entry.name}/` : entry.name);
      if (names.length === mostEntries) break;
    }
  } catch {
    return []; // missing or unreadable
  }
  return names;
}

/** What is typed of a mention at the end of a line, from its `@` on. */
export const mentionAtEnd = (line: string): string | undefined =>
  /(?:^|[\s([{<,;:])(?<mention>@(?:"[^"]*|[^\s"]*))$/u.exec(line)?.groups?.["mention"];

/** The path that is meant by what is typed of a mention. */
export const mentionedPath = (mention: string): string => mention.replace(/^@"?/u, "");

/** Quotes a path with blanks, or whose quote is already open; a complete one gets its closing quote. */
export function asMention(path: string, typed: string): string {
  const isWhole = !path.endsWith("/");
  if (typed.startsWith('@"') || /\s/u.test(path)) return `@"${path}${isWhole ? '" ' : ""}`;
  return `@${path}${isWhole ? " " : ""}`;
}
