/** What a rule finds wrong: one line for people, with its place. */

export type Problem = { path: string; line: number; words: string };

export const inWords = ({ path, line, words }: Problem): string => `${path}:${line}: ${words}`;
