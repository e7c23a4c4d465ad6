/** Streams arguments for display while they are written: the pieces join to the JSON of the final call. */

import type { Json } from "../../base/json.ts";
import type { BlockReader } from "../reading/reader.ts";

export interface ArgumentDisplay {
  /** An argument begins. Text is shown as it arrives, anything else once complete. */
  open(key: string, isText: boolean): void;
  piece(text: string): void;
  /** The argument has ended with this value. */
  close(value: Json): void;
  end(): void;
}

/** `padding`: which line breaks around a text are layout, and not shown. */
export function argumentDisplay(
  reader: Pick<BlockReader, "showArguments">,
  padding: "each" | "pair" | "none",
): ArgumentDisplay {
  let count = 0;
  let text: ReturnType<typeof textInside> | undefined;
  const show = (shown: string): void => reader.showArguments(JSON.stringify(shown).slice(1, -1));
  return {
    open(key, isText) {
      reader.showArguments(`${count === 0 ? "{" : ","}${JSON.stringify(key)}:${isText ? '"' : ""}`);
      count += 1;
      text = isText ? textInside(padding) : undefined;
    },
    piece(piece) {
      if (text) show(text.sure(piece));
    },
    close(value) {
      if (!text || typeof value !== "string") return reader.showArguments(JSON.stringify(value));
      show(value.slice(text.length));
      reader.showArguments('"');
    },
    end() {
      reader.showArguments(count === 0 ? "{}" : "}");
    },
  };
}

/** The part of an incomplete text that certainly belongs to it. */
function textInside(padding: "each" | "pair" | "none"): {
  sure(piece: string): string;
  readonly length: number;
} {
  let waiting = "";
  let length = 0;
  let begun = false;
  let isOpen = true;
  return {
    sure(piece) {
      if (!isOpen) return "";
      waiting += piece;
      if (!begun && /^\r?$/.test(waiting)) return "";
      if (!begun && padding !== "none" && /^\r?\n/.test(waiting)) {
        // Whether a pair of line breaks is layout is known only at the end.
        isOpen = padding === "each";
        waiting = isOpen ? waiting.replace(/^\r?\n/, "") : "";
      }
      begun = true;
      const end = waiting.search(padding === "each" ? /(?:\r?\n?|[\uD800-\uDBFF])$/ : /[\uD800-\uDBFF]?$/);
      const sure = waiting.slice(0, end);
      waiting = waiting.slice(end);
      length += sure.length;
      return sure;
    },
    get length() {
      return length;
    },
  };
}
