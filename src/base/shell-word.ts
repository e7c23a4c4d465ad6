/** Quotes words for a POSIX shell. */

/** The text that a shell reads as exactly this word. */
export const shellQuoted = (word: string): string =>
  /^[A-Za-z0-9_./:@%+,=-]+$/u.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
