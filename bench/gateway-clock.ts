/** A clock shared by all processes of this machine. */

/** Milliseconds. */
export const now = (): number => Number(process.hrtime.bigint()) / 1e6;

/** A word with its time of writing. It ends in a character that is never held back, as a trailing space may be. */
export const stamped = (): string => ` t${Math.round(now() * 1000)};`;

/** The ages of the stamped words in a text, in milliseconds. */
export const agesOf = (text: string, at: number): number[] =>
  [...text.matchAll(/t(\d+);/gu)].map(([, stamp]) => at - Number(stamp) / 1000);
