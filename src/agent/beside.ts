/** Asks the model something beside the conversation: it has all of it before it, and is told of neither again. */

import { type PlainAnswer, askPlainly } from "./answer/plain-answer.ts";
import { promptOf } from "./prompt.ts";
import type { TurnContext } from "./turn-context.ts";

type BesideQuestion = { text: string; /** Most characters accepted. */ characters: number };

/** The beginning of the prompt is that of the next turn, so that providers have it cached. Throws as `askPlainly` does. */
export function askBeside({ text, characters }: BesideQuestion, context: TurnContext): Promise<PlainAnswer> {
  const prompt = promptOf(context);
  const asked = { role: "user" as const, content: [{ type: "text" as const, text }] };
  return askPlainly(
    { prompt: { ...prompt, messages: [...prompt.messages, asked], toolChoice: "none" }, characters },
    context,
  );
}
