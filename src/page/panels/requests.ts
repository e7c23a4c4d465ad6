/** The message of a request, as text and as a draft. */

import { typedIn } from "../../protocol/messages.ts";
import type { SessionState } from "../../protocol/session-state.ts";
import { shownText } from "../../view/shown-text.ts";
import type { MessageDraft } from "../composer/drafts.ts";

export function requestOf({ turns }: Pick<SessionState, "turns">, turn: number): string {
  const request = turns.find((each) => each.turn === turn)?.request ?? [];
  const texts = request.flatMap((part) => (part.type === "text" ? [shownText(part)] : []));
  return texts.join("\n").trim();
}

/** A draft for sending the request again, with all its attachments. */
export function draftOf({ turns }: Pick<SessionState, "turns">, turn: number): MessageDraft {
  const request = turns.find((each) => each.turn === turn)?.request ?? [];
  const texts = request.filter((part) => part.type === "text");
  return {
    text: typedIn(texts, "\n"),
    images: request.filter((part) => part.type === "image"),
    files: texts.filter(({ file }) => file !== undefined),
  };
}

/** The first line, shortened for a list. */
export function firstWords(text: string, most = 120): string {
  const [first = ""] = text.split("\n", 1);
  const characters = Array.from(first.slice(0, 2 * most));
  const isWhole = characters.length <= most && first.length <= 2 * most && first.length === text.length;
  return isWhole ? first : `${characters.slice(0, most).join("")}…`;
}
