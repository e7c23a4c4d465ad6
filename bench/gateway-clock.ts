/** A clock that all processes of this machine share. */

/** Milliseconds. */
export const now = (): number => Number(process.hrtime.bigint()) / 1e6;

/**
 * A word that tells when it was written. It ends in what nobody holds back, as a space at the end of a piece may be.
 */
export const stamped = (): string => ` t${Math.round(now() * 1000)};`;

/** How old the stamped words of a text are, in milliseconds. */
export const agesOf = (text: string, at: number): number[] =>
  [...text.matchAll(/t(\d+);/gu)].map(([, stamp]) => at - Number(stamp) / 1000);
