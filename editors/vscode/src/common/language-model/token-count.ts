/** Estimates tokens without asking anybody: VS Code counts every piece of a prompt, many times. */

import { estimateTokenCount } from "tokenx";
import type { ChatPart } from "./chat-parts.ts";

/** Tokens that formats add around a message, call or result. */
const frame = 5;
/** Providers count a picture by its pixels: from below a hundred to a few thousand. */
const picture = 1_500;

export const tokensOf = (parts: readonly ChatPart[]): number =>
  parts.reduce((sum, part) => sum + partTokens(part), frame);

function partTokens(part: ChatPart): number {
  switch (part.type) {
    case "text":
      return estimateTokenCount(part.text);
    case "call":
      return frame + estimateTokenCount(`${part.name} ${JSON.stringify(part.input ?? {})}`);
    case "result":
      return tokensOf(part.content);
    case "data":
      return part.mediaType.startsWith("image/") ? picture : Math.ceil(part.bytes.length / 4);
    default:
      return part satisfies never;
  }
}
