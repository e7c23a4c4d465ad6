/** A violation of a rule, printed as one line with its location. */

export type Problem = { path: string; line: number; words: string };

export const inWords = ({ path, line, words }: Problem): string => `${path}:${line}: ${words}`;
