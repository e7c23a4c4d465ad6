/** Tab completion of a line: our commands, command files, modes, and paths after an @. */

import { opendir } from "node:fs/promises";
import { conversationCommands } from "../../configuration/options/conversation-commands.ts";
import { modes } from "../../protocol/fact-words.ts";
import { meantPath } from "../../runtime/messages/attachment.ts";
import type { Runtime } from "../../runtime/runtime.ts";
import type { LineCompletion } from "../../tui/line/line-editor.ts";
import { visibleLine } from "../../view/visible.ts";

type CompletionContext = Pick<Runtime, "workspace" | "fileCommands" | "store">;

/** A longer list helps no one. */
const mostCandidates = 200;
/** Bounds the scan: a directory may have any number of entries. */
const mostEntries = 20_000;

const nothing: LineCompletion = [[], ""];

/** `line` is the text up to the cursor. */
export async function complete(place: CompletionContext, line: string): Promise<LineCompletion> {
  if (/^\/\S*$/u.test(line)) return startingWith(line, await commandNames(place));
  const { name, rest } = /^\/(?<name>\S+) +(?<rest>.*)$/u.exec(line)?.groups ?? {};
  if (name !== undefined && rest !== undefined) {
    const command = name.toLowerCase();
    if (takesFile.includes(command)) return few(await pathsFrom(place, rest), rest);
    const words = command === "resume" ? await sessionsHere(place) : takesWord[command];
    if (words !== undefined && !rest.includes(" ")) return startingWith(rest, words);
  }
  const { mention } = /(?:^|[\s([{<,;:])(?<mention>@(?:"[^"]*|[^\s"]*))$/u.exec(line)?.groups ?? {};
  if (mention === undefined) return nothing;
  const found = await pathsFrom(place, mention.replace(/^@"?/u, ""));
  return few(
    found.map((path) => asMention(path, mention)),
    mention,
  );
}

const takesFile: readonly string[] = ["attach", "export"];

/** What the argument of a command may begin with. */
const takesWord: Readonly<Record<string, readonly string[]>> = {
  mode: modes,
  goal: ["off"],
  mcp: ["list", "login ", "accept "],
  permissions: ["forget "],
  queue: ["drop "],
  trust: ["all", "show ", "forget "],
  verbose: ["on", "off"],
};

/** The ends of their ids, which are enough. */
async function sessionsHere({ store, workspace }: CompletionContext): Promise<string[]> {
  const all = await store.list();
  return all.filter((one) => one.workspace === workspace).map(({ id }) => id.slice(-6));
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
