/** Characters that make a command line look like another one. */

const kinds: readonly { readonly test: RegExp; readonly because: string }[] = [
  {
    test: /[\u202A-\u202E\u2066-\u2069\u200E\u200F\u061C]/u,
    because: "it holds characters that turn the direction of the text",
  },
  {
    test: /[\u00AD\u034F\u115F\u1160\u17B4\u17B5\u180B-\u180F\u200B-\u200D\u2060-\u2064\u206A-\u206F\u3164\uFE00-\uFE0F\uFEFF\uFFA0\u{E0000}-\u{E0FFF}]/u,
    because: "it holds characters that cannot be seen",
  },
  { test: /[\u0001-\u0008\u000B-\u001F\u007F-\u009F]/u, because: "it holds control characters" },
  {
    test: /[\u00A0\u1680\u2000-\u200A\u2028\u2029\u202F\u205F\u3000]/u,
    because: "it holds blanks that are none for the shell",
  },
  {
    test: /[\u{10FFFC}\u{10FFFD}\uFFFE\uFFFF]|[\uD800-\uDFFF]/u,
    because: "it holds characters that stand for nothing",
  },
];

/** Why the line cannot be taken for what it looks like. Emoji with their joiners inside quotes are the price. */
export const oddCharacters = (line: string): string[] =>
  kinds.filter(({ test }) => test.test(line)).map(({ because }) => because);
