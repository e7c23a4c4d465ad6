/** A model that cannot see: replaces pictures by a note, since servers would refuse the whole request. */

import type { Message, ContentPart } from "../protocol/messages.ts";
import type { Model } from "./provider.ts";
import { wrapModel } from "./wrapped-model.ts";

export function sightless(model: Model): Model {
  return wrapModel(model, {
    sees: false,
    ask: (prompt, ...rest) =>
      model.ask({ ...prompt, messages: prompt.messages.map(withoutPictures) }, ...rest),
  });
}

function withoutPictures(message: Message): Message {
  if (message.role === "assistant" || message.content.every(({ type }) => type === "text")) return message;
  return { ...message, content: message.content.map(inWords) };
}

const inWords = (part: ContentPart): ContentPart =>
  part.type === "text"
    ? part
    : { type: "text", text: `[A picture (${part.mediaType}), which this model cannot see.]` };
