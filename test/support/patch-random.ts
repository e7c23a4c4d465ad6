/** Random choices, reproducible by seed. */

export type Random = {
  /** An integer from 0 up to, but not including, `end`. */
  upTo(end: number): number;
  chance(share: number): boolean;
  pick<T>(from: readonly T[]): T;
};

export function randomFrom(seed: string): Random {
  let state = Array.from(seed).reduce(
    (sum, letter) => Math.imul(sum ^ (letter.codePointAt(0) ?? 0), 0x01000193),
    0x811c9dc5,
  );
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const upTo = (end: number): number => Math.floor(next() * end);
  return {
    upTo,
    chance: (share) => next() < share,
    pick<T>(from: readonly T[]): T {
      const found = from[upTo(from.length)];
      if (found === undefined) throw new Error("There is nothing to pick from.");
      return found;
    },
  };
}
