/** Sets of characters as ranges of code points, and how grammars write them. */

/** In order, without overlaps. */
export type CharacterRanges = readonly (readonly [first: number, last: number])[];

const greatest = 0x10_ffff;

/** Every character; halves of one are none. */
export const allCharacters: CharacterRanges = [
  [0, 0xd7ff],
  [0xe000, greatest],
];

export function unionOf(sets: readonly CharacterRanges[]): CharacterRanges {
  const joined: [number, number][] = [];
  for (const [first, last] of sets.flat().toSorted(([one], [other]) => one - other)) {
    const before = joined.at(-1);
    if (before && first <= before[1] + 1) before[1] = Math.max(before[1], last);
    else joined.push([first, last]);
  }
  return joined;
}

export function without(all: CharacterRanges, others: CharacterRanges): CharacterRanges {
  let left = all;
  for (const [from, to] of others)
    left = left.flatMap(([first, last]): [number, number][] => [
      ...(first < from ? [[first, Math.min(last, from - 1)] as [number, number]] : []),
      ...(last > to ? [[Math.max(first, to + 1), last] as [number, number]] : []),
    ]);
  return left;
}

export const has = (ranges: CharacterRanges, code: number): boolean =>
  ranges.some(([first, last]) => first <= code && code <= last);
