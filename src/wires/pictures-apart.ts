/** For formats whose tool results hold only text: moves pictures of results into a user message that follows. */

import type { JsonObject } from "../base/json.ts";
import type { AssistantPart, Message, ContentPart } from "../protocol/messages.ts";

type ToolMessage = Extract<Message, { role: "tool" }>;

/**
 * How one format encodes its messages. An answer may encode to nothing. Every request repeats the unchanged beginning
 * of the conversation, so equal messages should yield the same encoded objects (`formsOf`).
 */
export type MessageForms = {
  user: (content: readonly ContentPart[]) => JsonObject[];
  answer: (parts: readonly AssistantPart[]) => JsonObject[];
  result: (result: ToolMessage) => JsonObject[];
};

/** The messages in order. Pictures follow after all results of an answer, before the next user text. */
export function withPicturesApart(
  messages: readonly Message[],
  { user, answer, result }: MessageForms,
): JsonObject[] {
  const out: JsonObject[] = [];
  const pictures: ContentPart[] = [];
  const tellPictures = (): void => {
    if (pictures.length > 0) out.push(...user(pictures.splice(0)));
  };
  for (const message of messages) {
    if (message.role === "user") {
      const { content } = message;
      out.push(...user(pictures.length === 0 ? content : [...pictures.splice(0), ...content]));
    } else if (message.role === "assistant") {
      tellPictures();
      out.push(...answer(message.content));
    } else {
      out.push(...result(message));
      pictures.push(...picturesOf(message));
    }
  }
  tellPictures();
  return out;
}

function picturesOf({ callId, name, content }: ToolMessage): ContentPart[] {
  const pictures = content.filter((part) => part.type === "image");
  return pictures.length === 0
    ? []
    : [{ type: "text", text: `The result of ${name} (${callId}):` }, ...pictures];
}
