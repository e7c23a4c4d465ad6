/** A conversation for formats whose results hold only text: their pictures follow, told by the user. */

import type { JsonObject } from "../base/json.ts";
import type { AssistantPart, Message, Part } from "../protocol/messages.ts";

type Result = Extract<Message, { role: "tool" }>;

/**
 * How the messages of one format look. An answer may be none at all. The unchanged beginning of a conversation is told
 * in each request: its messages should have the same forms there (`formsOf`).
 */
export type MessageForms = {
  user: (content: readonly Part[]) => JsonObject[];
  answer: (parts: readonly AssistantPart[]) => JsonObject[];
  result: (result: Result) => JsonObject[];
};

/** The messages in order. Pictures stand after all results of an answer, before what a person says there. */
export function withPicturesApart(
  messages: readonly Message[],
  { user, answer, result }: MessageForms,
): JsonObject[] {
  const out: JsonObject[] = [];
  const pictures: Part[] = [];
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

function picturesOf({ callId, name, content }: Result): Part[] {
  const pictures = content.filter((part) => part.type === "image");
  return pictures.length === 0
    ? []
    : [{ type: "text", text: `The result of ${name} (${callId}):` }, ...pictures];
}
