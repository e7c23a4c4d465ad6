/** Emits text as it arrives, but withholds white space until it is known whether text or a call follows. */

import type { ModelEvent } from "../../protocol/model-events.ts";

export interface Outlet {
  put(text: string): ModelEvent[];
  /** Markup is here: the surrounding white space is layout, not text. */
  cut(): void;
  /** It was not markup: reverts the last `cut`. */
  uncut(): void;
  /** Starts a new paragraph. */
  apart(): void;
  /** White space still withheld, if nothing was cut. */
  readonly held: string;
  rest(): ModelEvent[];
}

export function outlet(type: "text-delta" | "reasoning-delta"): Outlet {
  let held: string[] = [];
  /** Inserted between the last text and the next, whose white space is dropped; undefined: nothing is inserted. */
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
