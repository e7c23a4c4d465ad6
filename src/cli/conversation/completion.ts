/** Tab completion of a line: our commands, command files, modes, efforts of reasoning, and paths after an @. */

import { opendir } from "node:fs/promises";
import { conversationCommands } from "../../configuration/options/conversation-commands.ts";
import { modes } from "../../protocol/fact-words.ts";
import { reasonings } from "../../protocol/messages.ts";
import { meantPath } from "../../runtime/messages/attachment.ts";
import type { Runtime } from "../../runtime/runtime.ts";
import { visibleLine } from "../../view/visible.ts";
import type { LineCompletion } from "../terminal/line-editor.ts";

type CompletionContext = Pick<Runtime, "workspace" | "fileCommands">;

/** A longer list helps no one. */
const mostCandidates = 200;
/** Bounds the scan: a directory may have any number of entries. */
const mostEntries = 20_000;

const nothing: LineCompletion = [[], ""];

/** `line` is the text up to the cursor. */
export async function complete(place: CompletionContext, line: string): Promise<LineCompletion> {
  if (/^\/\S*$/u.test(line)) return startingWith(line, await commandNames(place));
  const [, mode] = /^\/mode +(\S*)$/iu.exec(line) ?? [];
  if (mode !== undefined) return startingWith(mode, modes);
  const [, reasoning] = /^\/reasoning +(\S*)$/iu.exec(line) ?? [];
  if (reasoning !== undefined) return startingWith(reasoning, reasonings);
  const [, file] = /^\/attach +(.*)$/iu.exec(line) ?? [];
  if (file !== undefined) return few(await pathsFrom(place, file), file);
  const { mention } = /(?:^|[\s([{<,;:])(?<mention>@(?:"[^"]*|[^\s"]*))$/u.exec(line)?.groups ?? {};
  if (mention === undefined) return nothing;
  const found = await pathsFrom(place, mention.replace(/^@"?/u, ""));
  return few(
    found.map((path) => asMention(path, mention)),
    mention,
  );
}

async function commandNames({ fileCommands }: CompletionContext): Promise<string[]> {
  const { commands } = await fileCommands.list();
  return [...conversationCommands, ...commands].map(({ name }) => `/${name} `);
}

const startingWith = (end: string, words: readonly string[]): LineCompletion =>
  few(
    words.filter((word) => word.startsWith(end)),
    end,
  );

/** Drops names that could manipulate the terminal. */
function few(candidates: readonly string[], end: string): LineCompletion {
  const shown = candidates.filter((candidate) => visibleLine(candidate) === candidate);
  return shown.length > mostCandidates ? nothing : [shown.toSorted(), end];
}

/** Paths that start with the typed text. A directory ends with a slash, so that the next Tab lists its entries. */
async function pathsFrom({ workspace }: CompletionContext, typed: string): Promise<string[]> {
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

/** Quotes a path with blanks, or whose quote is already open; a complete one gets its closing quote. */
function asMention(path: string, typed: string): string {
  const isWhole = !path.endsWith("/");
  if (typed.startsWith('@"') || /\s/u.test(path)) return `@"${path}${isWhole ? '" ' : ""}`;
  return `@${path}${isWhole ? " " : ""}`;
}
