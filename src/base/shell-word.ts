/** Words as a POSIX shell reads them. */

/** What a shell has to read to get just this word. */
export const shellQuoted = (word: string): string =>
  /^[A-Za-z0-9_./:@%+,=-]+$/u.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
