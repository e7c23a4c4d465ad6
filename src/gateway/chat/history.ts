/**
 * Builds the conversation history for a joining client from its frames: text only, user and assistant alternating (E3,
 * E4).
 */

import { gatewayBounds } from "../bounds.ts";
import type { ChatFrame, HistoryMessage } from "./frames.ts";

/** The newest messages; `more`: earlier ones are left out. */
export type History = { messages: readonly HistoryMessage[]; characters: number; more: boolean };

export const emptyHistory: History = { messages: [], characters: 0, more: false };

const mostMessages = gatewayBounds.chatMessages.most;
const mostText = gatewayBounds.chatText.most;

export function remember(history: History, frame: ChatFrame): History {
  if (frame.type === "chat.message") return withUserMessage(history, frame);
  if (frame.type !== "chat.stream.end") return history;
  return withMessage(history, { role: "assistant", text: frame.text, turn: frame.turn });
}

/** Messages to a running turn are joined to the turn's request. */
function withUserMessage(
  history: History,
  { how, text, images, turn }: ChatFrame & { type: "chat.message" },
): History {
  const last = history.messages.at(-1);
  if (how === "request" || last?.role !== "user")
    return withMessage(history, { role: "user", text, ...(images > 0 ? { images } : {}), turn });
  const all = (last.images ?? 0) + images;
  const joined = { ...last, text: `${last.text}\n\n${text}`, ...(all > 0 ? { images: all } : {}) };
  const characters = history.characters + joined.text.length - last.text.length;
  return { ...history, messages: [...history.messages.slice(0, -1), joined], characters };
}

/** Beyond the limits, the oldest requests are dropped with their answers; the latest message always stays. */
function withMessage(history: History, message: HistoryMessage): History {
  let messages = [...history.messages, message];
  let characters = history.characters + message.text.length;
  let { more } = history;
  while ((messages.length > mostMessages || characters > mostText) && messages.length > 2) {
    const [first, second] = messages;
    const gone = [first, ...(second?.role === "assistant" ? [second] : [])];
    messages = messages.slice(gone.length);
    characters -= gone.reduce((sum, each) => sum + (each?.text.length ?? 0), 0);
    more = true;
  }
  return { messages, characters, more };
}
