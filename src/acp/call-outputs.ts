/** What running calls have printed so far. */

import type { ToolCallContent } from "@agentclientprotocol/sdk";
import { otherProgramBounds } from "../base/bounds.ts";
import type { Signal } from "../protocol/facts.ts";
import { endOf, textContent } from "./calls.ts";

/** `added`: what has come since the last time. */
type CallOutput = { text: string; left: number; added: string };

/** Only the end of each output is kept: all of it is in the log. */
export class CallOutputs {
  readonly #outputs = new Map<string, CallOutput>();

  hear({ callId, offset, text }: Signal & { type: "output-delta" }): void {
    const { text: before, left, added } = this.#outputs.get(callId) ?? { text: "", left: 0, added: "" };
    const heard = left + before.length;
    if (offset + text.length <= heard) return;
    const piece = offset > heard ? `\n…\n${text}` : text.slice(heard - offset);
    const all = before + piece;
    const cut = Math.max(0, all.length - otherProgramBounds.text.most);
    this.#outputs.set(callId, {
      text: all.slice(cut),
      left: offset + text.length - all.length + cut,
      added: (added + piece).slice(-otherProgramBounds.text.most),
    });
  }

  /** The outputs that have grown since the last time. */
  news(): { callId: string; content: ToolCallContent; added: string }[] {
    const grown = [...this.#outputs].filter(([, { added }]) => added !== "");
    return grown.map(([callId, output]) => {
      const { text, left, added } = output;
      output.added = "";
      return { callId, content: textContent(endOf(text, left)), added };
    });
  }

  /** What it has printed, and what of that was not told. */
  over(callId: string): { printed: string; added: string } {
    const { text: printed = "", added = "" } = this.#outputs.get(callId) ?? {};
    this.#outputs.delete(callId);
    return { printed, added };
  }
}
