/** A question that stands on the screen: what is asked, and the keys or lines that answer it. */

import type { AskedBlock, QuestionBlock } from "../view/blocks.ts";
import { askedLines } from "../view/message-lines.ts";
import { questionLines } from "../view/plain.ts";
import type { Style } from "../view/style.ts";
import { waitingLines } from "../view/waiting-lines.ts";

/**
 * `answer`: the line that the key stands for. `needs`: what must follow the key, Enter or words of the person, which are
 * put after the answer and a comma. `isBack`: Esc answers the same, and stops nothing.
 */
export type CardOffer = {
  key: string;
  words: string;
  answer: string;
  needs?: "enter" | "words";
  isBack?: boolean;
};

/** About a call that waits for a yes. */
export type CallQuestion = Omit<QuestionBlock, "type" | "key">;

/** `choice`: one of several, or own words. `plan`: the steps may be changed before they are approved. */
export type CardContent =
  | { type: "approval"; question: CallQuestion }
  | { type: "choice"; asked: AskedBlock }
  | { type: "plan"; asked: AskedBlock }
  | { type: "lines"; lines: readonly string[] };

/** `prompt`: asks for a line, where there are no keys. */
export type Card = { content: CardContent; offers: readonly CardOffer[]; prompt: string };

/** The whole card, for a terminal that prints it once. */
export function cardLines(content: CardContent, style: Style, columns: number): readonly string[] {
  switch (content.type) {
    case "approval": {
      const { question } = content;
      const { waiting } = question;
      return waiting
        ? waitingLines({ ...question, waiting }, style, columns).lines
        : questionLines(question, style, columns);
    }
    case "choice":
    case "plan":
      return askedLines(content.asked, style);
    case "lines":
      return content.lines;
    default:
      return content satisfies never;
  }
}
