/** Tab completion of a line: our commands, command files, modes, efforts of reasoning, and paths after an @. */

import { visibleLine } from "../../base/visible-text.ts";
import { conversationCommands } from "../../configuration/options/conversation-commands.ts";
import { modes } from "../../protocol/fact-words.ts";
import { reasonings } from "../../protocol/messages.ts";
import type { Runtime } from "../../runtime/runtime.ts";
import type { LineCompletion } from "../../tui/line/line-editor.ts";
import { asMention, mentionAtEnd, mentionedPath, pathsFrom } from "../../tui/typed-paths.ts";

type CompletionContext = Pick<Runtime, "workspace" | "fileCommands" | "store">;

/** A longer list helps no one. */
const mostCandidates = 200;

const nothing: LineCompletion = [[], ""];

/** `line` is the text up to the cursor. */
export async function complete(place: CompletionContext, line: string): Promise<LineCompletion> {
  if (/^\/\S*$/u.test(line)) return startingWith(line, await commandNames(place));
  const { name, rest } = /^\/(?<name>\S+) +(?<rest>.*)$/u.exec(line)?.groups ?? {};
  if (name !== undefined && rest !== undefined) {
    const command = name.toLowerCase();
    if (takesFile.includes(command)) return few(await pathsFrom(place.workspace, rest), rest);
    const words = command === "resume" ? await sessionsHere(place) : takesWord[command];
    if (words !== undefined && !rest.includes(" ")) return startingWith(rest, words);
  }
  const mention = mentionAtEnd(line);
  if (mention === undefined) return nothing;
  const found = await pathsFrom(place.workspace, mentionedPath(mention));
  return few(
    found.map((path) => asMention(path, mention)),
    mention,
  );
}

const takesFile: readonly string[] = ["attach", "export"];

/** What the argument of a command may begin with. */
export const takesWord: Readonly<Record<string, readonly string[]>> = {
  mode: modes,
  reasoning: reasonings,
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
