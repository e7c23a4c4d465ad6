/** One request of a session as words for a chat: text as it streams, what is being done, and where a person is needed. */

import type { Entry, FactOf, Signal } from "../../../../../src/client.ts";
import { t } from "../translate.ts";

export type TurnPiece =
  | { type: "text"; text: string }
  | { type: "doing"; title: string }
  /** Somebody has to answer in Toolwright's own view. */
  | { type: "waiting"; title: string }
  | { type: "end"; end: FactOf<"turn-end"> };

export class TurnWords {
  #block = -1;
  /** Characters of the block that were passed on. */
  #shown = 0;
  #hasSpoken = false;

  take(event: Entry | Signal): TurnPiece[] {
    switch (event.type) {
      case "text-delta":
        return this.#text(event.block, event.offset, event.text);
      case "text":
        return this.#text(event.block, 0, event.text);
      case "call-start":
        return [{ type: "doing", title: event.title }];
      case "approval-asked":
        return [{ type: "waiting", title: event.title }];
      case "question-asked":
        return [{ type: "waiting", title: event.question }];
      case "limit-asked":
        return [{ type: "waiting", title: t("The request has reached its limit of {0}.", event.most) }];
      case "turn-end":
        return [{ type: "end", end: event }];
      default:
        return [];
    }
  }

  /** A block's text is told several times: in pieces, from its start after a broken connection, and whole as a fact. */
  #text(block: number, offset: number, text: string): TurnPiece[] {
    if (block !== this.#block) [this.#block, this.#shown] = [block, 0];
    const isFirst = this.#shown === 0;
    const more = text.slice(Math.max(0, this.#shown - offset));
    this.#shown = Math.max(this.#shown, offset + text.length);
    if (more === "") return [];
    const apart = isFirst && this.#hasSpoken ? "\n\n" : "";
    this.#hasSpoken = true;
    return [{ type: "text", text: apart + more }];
  }
}

/** What a chat says under the answer; empty where all is said. */
export function endWords({ stopped, advice, changed, verified }: FactOf<"turn-end">): string {
  const lines = [
    ...(changed.length === 0 ? [] : [t("Changed {0}.", changed.map((path) => `\`${path}\``).join(", "))]),
    ...(verified.length === 0 ? [] : [t("Verified by {0}.", verified.join(", "))]),
    ...(stopped === "done"
      ? []
      : [`${t("Stopped: {0}.", stopped)}${advice === undefined ? "" : ` ${advice}`}`]),
  ];
  return lines.join(" ");
}
