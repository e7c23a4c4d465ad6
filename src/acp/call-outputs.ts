/** What running calls have printed so far. */

import type { ToolCallContent } from "@agentclientprotocol/sdk";
import type { Signal } from "../protocol/facts.ts";
import { acpBounds } from "./bounds.ts";
import { endOf, textContent } from "./calls.ts";

type CallOutput = { text: string; left: number; isNew: boolean };

/** Only the end of each output is kept: all of it is in the log. */
export class CallOutputs {
  readonly #outputs = new Map<string, CallOutput>();

  hear({ callId, offset, text }: Signal & { type: "output-delta" }): void {
    const { text: before, left } = this.#outputs.get(callId) ?? { text: "", left: 0 };
    const heard = left + before.length;
    if (offset + text.length <= heard) return;
    const all = offset > heard ? `${before}\n…\n${text}` : before + text.slice(heard - offset);
    const cut = Math.max(0, all.length - acpBounds.output.most);
    this.#outputs.set(callId, {
      text: all.slice(cut),
      left: offset + text.length - all.length + cut,
      isNew: true,
    });
  }

  /** The outputs that have grown since the last time. */
  news(): { callId: string; content: ToolCallContent }[] {
    const grown = [...this.#outputs].filter(([, { isNew }]) => isNew);
    for (const [, output] of grown) output.isNew = false;
    return grown.map(([callId, { text, left }]) => ({
      callId,
      content: textContent(endOf(text, left)),
    }));
  }

  over(callId: string): void {
    this.#outputs.delete(callId);
  }
}
