/** What Tab makes of a line that is being typed: our commands and those of files, modes, and paths behind an @. */

import { opendir } from "node:fs/promises";
import { modes } from "../../../protocol/fact-words.ts";
import { meantPath } from "../../../runtime/messages/attachment.ts";
import { conversationCommands } from "../../../runtime/options/conversation-commands.ts";
import type { Runtime } from "../../../runtime/runtime.ts";
import { visibleLine } from "../../view/visible.ts";

/** What may stand in place of the end of what was typed, and that end: as the line editor wants it. */
export type Completion = [candidates: string[], end: string];

type Place = Pick<Runtime, "workspace" | "fileCommands">;

/** More are no help to anybody who looks for one, */
const mostCandidates = 200;
/** and a directory may hold any number. */
const mostEntries = 20_000;

const nothing: Completion = [[], ""];

/** `line`: up to the cursor. */
export async function complete(place: Place, line: string): Promise<Completion> {
  if (/^\/\S*$/u.test(line)) return startingWith(line, await commandNames(place));
  const [, mode] = /^\/mode +(\S*)$/iu.exec(line) ?? [];
  if (mode !== undefined) return startingWith(mode, modes);
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

async function commandNames({ fileCommands }: Place): Promise<string[]> {
  const { commands } = await fileCommands.list();
  return [...conversationCommands, ...commands].map(({ name }) => `/${name} `);
}

const startingWith = (end: string, words: readonly string[]): Completion =>
  few(
    words.filter((word) => word.startsWith(end)),
    end,
  );

/** No name may play with the terminal that lists it. */
function few(candidates: readonly string[], end: string): Completion {
  const shown = candidates.filter((candidate) => visibleLine(candidate) === candidate);
  return shown.length > mostCandidates ? nothing : [shown.toSorted(), end];
}

/** Paths that begin with what was typed; a directory's ends with its slash, so that the next Tab looks into it. */
async function pathsFrom({ workspace }: Place, typed: string): Promise<string[]> {
  const at = typed.lastIndexOf("/") + 1;
  const [above, start] = [typed.slice(0, at), typed.slice(at)];
  const directory = meantPath(above === "" ? "." : above, { workspace });
  if (directory === undefined) return [];
  const names = await namesIn(directory);
  // A hidden name is offered once its dot was typed.
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
    return []; // it is not there, or not for us to read
  }
  return names;
}

/** In quotes where it has blanks, or where quotes were begun; what is complete is closed. */
function asMention(path: string, typed: string): string {
  const isWhole = !path.endsWith("/");
  if (typed.startsWith('@"') || /\s/u.test(path)) return `@"${path}${isWhole ? '" ' : ""}`;
  return `@${path}${isWhole ? " " : ""}`;
}
