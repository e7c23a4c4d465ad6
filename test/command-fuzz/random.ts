/** Randomness that can be repeated: the same seed makes the same scripts. */

export type Random = {
  /** A whole number below `limit`. */
  below: (limit: number) => number;
  pick: <T>(from: readonly T[]) => T;
  chance: (part: number) => boolean;
};

/** Mulberry32. */
export function randomFrom(seed: number): Random {
  let state = seed | 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  const pick = <T>(from: readonly T[]): T => {
    const [found] = from.slice(below(from.length));
    if (found === undefined) throw new Error("there is nothing to pick from");
    return found;
  };
  return { below, pick, chance: (part) => next() < part };
}
