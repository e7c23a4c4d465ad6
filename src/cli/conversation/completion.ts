/** Tab completion of a line: our commands, command files, modes, efforts of reasoning, and paths after an @. */

import { conversationCommands } from "../../configuration/options/conversation-commands.ts";
import { modes } from "../../protocol/fact-words.ts";
import { reasonings } from "../../protocol/messages.ts";
import type { Runtime } from "../../runtime/runtime.ts";
import type { LineCompletion } from "../../tui/line/line-editor.ts";
import { asMention, mentionAtEnd, mentionedPath, pathsFrom } from "../../tui/typed-paths.ts";
import { visibleLine } from "../../view/visible.ts";

type CompletionContext = Pick<Runtime, "workspace" | "fileCommands">;

/** A longer list helps no one. */
const mostCandidates = 200;

const nothing: LineCompletion = [[], ""];

/** `line` is the text up to the cursor. */
export async function complete(place: CompletionContext, line: string): Promise<LineCompletion> {
  if (/^\/\S*$/u.test(line)) return startingWith(line, await commandNames(place));
  const [, mode] = /^\/mode +(\S*)$/iu.exec(line) ?? [];
  if (mode !== undefined) return startingWith(mode, modes);
  const [, reasoning] = /^\/reasoning +(\S*)$/iu.exec(line) ?? [];
  if (reasoning !== undefined) return startingWith(reasoning, reasonings);
  const [, file] = /^\/attach +(.*)$/iu.exec(line) ?? [];
  if (file !== undefined) return few(await pathsFrom(place.workspace, file), file);
  const mention = mentionAtEnd(line);
  if (mention === undefined) return nothing;
  const found = await pathsFrom(place.workspace, mentionedPath(mention));
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
