/** Renders a file's content as part of a message: its name, and a fence that the content cannot close. */

import type { TextPart } from "./messages.ts";

/** `name`: on one line. `about`: what is sent, in words. An empty `text` adds no content. */
export function filePart({ name, about, text }: { name: string; about: string; text: string }): TextPart {
  return { type: "text", text: text === "" ? `[${about}]` : `[${about}]\n${fencedText(text)}`, file: name };
}

function fencedText(text: string): string {
  const longest = (text.match(/`{3,}/gu) ?? []).reduce((most, run) => Math.max(most, run.length), 2);
  const fence = "`".repeat(longest + 1);
  return `${fence}\n${text}${text.endsWith("\n") ? "" : "\n"}${fence}`;
}

/** A name for use inside a line of a message: without line breaks or invisible characters. */
export const nameInLine = (name: string): string =>
  name.slice(0, longestName).replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, (odd) => {
    const code = odd.codePointAt(0) ?? 0;
    return `\\u${code.toString(16).padStart(4, "0")}`;
  });

const longestName = 400;
