/** Strips untrusted text of characters that people cannot see or that only mislead. */

/** Characters that Unicode marks as not displayed; those that join letters or choose between text and emoji stay. */
const hidden =
  /[[\p{Cc}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}]--[\u{fe0e}-\u{fe0f}\u{200c}-\u{200d}\t\n]]/gv;

/**
 * Removes control characters, direction marks and invisible letters; line ends become "\n". Characters that join
 * letters stay.
 */
export const visible = (text: string): string => text.replaceAll(/\r\n?/gu, "\n").replaceAll(hidden, "");

/** The first line of a text that may be pages long, for titles. */
export function firstLine(text: string, most = 80): string {
  const [line = ""] = text.trim().split("\n", 1);
  return line.length > most ? `${line.slice(0, most - 1)}…` : line;
}
