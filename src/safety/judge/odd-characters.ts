/** Detects characters that make a command line look like a different one. */

/** Code points, both inclusive. */
type Range = readonly [first: number, last: number];

const kinds: readonly { readonly ranges: readonly Range[]; readonly because: string }[] = [
  {
    ranges: [
      [0x202a, 0x202e],
      [0x2066, 0x2069],
      [0x200e, 0x200f],
      [0x061c, 0x061c],
    ],
    because: "it holds characters that turn the direction of the text",
  },
  {
    // Soft hyphen, joiners, Hangul fillers, variation selectors, tags, the byte order mark.
    ranges: [
      [0x00ad, 0x00ad],
      [0x034f, 0x034f],
      [0x115f, 0x1160],
      [0x17b4, 0x17b5],
      [0x180b, 0x180f],
      [0x200b, 0x200d],
      [0x2060, 0x2064],
      [0x206a, 0x206f],
      [0x3164, 0x3164],
      [0xfe00, 0xfe0f],
      [0xfeff, 0xfeff],
      [0xffa0, 0xffa0],
      [0xe0000, 0xe0fff],
    ],
    because: "it holds characters that cannot be seen",
  },
  {
    ranges: [
      [0x01, 0x08],
      [0x0b, 0x1f],
      [0x7f, 0x9f],
    ],
    because: "it holds control characters",
  },
  {
    ranges: [
      [0x00a0, 0x00a0],
      [0x1680, 0x1680],
      [0x2000, 0x200a],
      [0x2028, 0x2029],
      [0x202f, 0x202f],
      [0x205f, 0x205f],
      [0x3000, 0x3000],
    ],
    because: "it holds blanks that are none for the shell",
  },
  {
    ranges: [
      [0x10fffc, 0x10fffd],
      [0xfffe, 0xffff],
      [0xd800, 0xdfff],
    ],
    because: "it holds characters that stand for nothing",
  },
];

const plain = /^[\t\n\x20-\x7E]*$/u;

/** Why the line may not be what it looks like. The price: emoji with joiners are reported, even in quotes. */
export function oddCharacters(line: string): string[] {
  if (plain.test(line)) return [];
  const codes = new Set(Array.from(line, (character) => character.codePointAt(0) ?? 0));
  const isIn = (ranges: readonly Range[]): boolean =>
    [...codes].some((code) => ranges.some(([first, last]) => code >= first && code <= last));
  return kinds.filter(({ ranges }) => isIn(ranges)).map(({ because }) => because);
}
