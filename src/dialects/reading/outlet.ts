/** Lets text out as it comes, but holds white space back until it is known whether text or a call follows it. */

import type { ModelEvent } from "../../protocol/model-events.ts";

export interface Outlet {
  put(text: string): ModelEvent[];
  /** Markup stands here: white space around it is layout, not text. */
  cut(): void;
  /** It was no markup: the last `cut` did not happen. */
  uncut(): void;
  /** What follows is another paragraph. */
  apart(): void;
  /** The white space that is still held, where nothing was cut. */
  readonly held: string;
  rest(): ModelEvent[];
}

export function outlet(type: "text-delta" | "reasoning-delta"): Outlet {
  let held: string[] = [];
  /** What is put between the last text and the next one, whose white space is dropped; undefined: nothing is. */
  let gap: string | undefined;
  let hasText = false;
  let beforeCut: { held: string[]; gap: string | undefined } = { held, gap };
  return {
    put(text) {
      const solid = text.trimEnd();
      if (solid === "") {
        if (text !== "" && gap === undefined) held.push(text);
        return [];
      }
      const out = gap === undefined ? held.join("") + solid : (hasText ? gap : "") + solid.trimStart();
      held = solid.length < text.length ? [text.slice(solid.length)] : [];
      gap = undefined;
      hasText = true;
      return [{ type, text: out }];
    },
    cut() {
      beforeCut = { held, gap };
      held = [];
      gap = "";
    },
    uncut() {
      ({ held, gap } = beforeCut);
    },
    apart() {
      held = [];
      gap = "\n\n";
    },
    get held() {
      return held.join("");
    },
    rest() {
      const text = held.join("");
      held = [];
      return text === "" ? [] : [{ type, text }];
    },
  };
}
