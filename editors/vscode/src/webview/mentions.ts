/** `@selection` and `@problems` in a message: asks the extension for what they stand for, and sends that along. */

import type { Command } from "../../../../src/protocol/commands.ts";
import { type ContentPart, typedIn } from "../../../../src/protocol/messages.ts";
import { type MentionWord, mentionWords } from "../common/chat/messages.ts";

type ReadMentions = (words: readonly MentionWord[]) => Promise<readonly ContentPart[]>;

export async function withMentions(command: Command, read: ReadMentions): Promise<Command> {
  if (command.type !== "send") return command;
  const text = typedIn(command.content, "\n");
  const words = mentionWords.filter((word) => new RegExp(`(?<!\\S)${word}\\b`, "u").test(text));
  if (words.length === 0) return command;
  return { ...command, content: [...command.content, ...(await read(words))] };
}
