/** What was asked for in a request, in words. */
import type { SessionState } from "../../../protocol/session-state.ts";

export function requestOf({ turns }: Pick<SessionState, "turns">, turn: number): string {
  const request = turns.find((each) => each.turn === turn)?.request ?? [];
  const texts = request.flatMap((part) => (part.type === "text" ? [part.text] : []));
  return texts.join("\n").trim();
}

/** Its first line, not too long for a list. */
export function firstWords(text: string, most = 120): string {
  const [first = ""] = text.split("\n", 1);
  const characters = Array.from(first.slice(0, 2 * most));
  const isWhole = characters.length <= most && first.length <= 2 * most && first.length === text.length;
  return isWhole ? first : `${characters.slice(0, most).join("")}…`;
}
