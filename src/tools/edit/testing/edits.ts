/**
 * Random files and edits for tests, with the expected untouched bytes computed independently of the code under test.
 */

import * as fc from "fast-check";
import type { Replacement } from "../replace.ts";

/**
 * A file in bytes; the edit changes its lines `from` to before `to`, whose bytes begin and end at `start` and `end`.
 */
export type FileEdit = { bytes: Buffer; edit: Replacement; start: number; end: number; fresh: string[] };

type TestLine = { words: string; ending: string };
const words = fc.constantFrom(
  "if (a) {",
  "}",
  "return",
  "x = 1;",
  '"quoted"',
  "\u00E9t\u00E9 \u2013 \u201Ca\u201D",
  "\u4F60\u597D",
  "- item",
  "$&",
  "\uD83D\uDE00",
  "",
);
const line = fc.tuple(
  fc.constantFrom("", "  ", "    ", "\t", "\t\t"),
  words,
  fc.constantFrom("", "", "", " ", "\t"),
);

const lines = fc.array(line, { minLength: 3, maxLength: 30 });
const damages = ["none", "none", "lf", "crlf", "trailing", "numbers", "shifted"] as const;

/** Byte order mark or none, LF, CRLF or both, with and without a final newline, UTF-8 and Latin-1. */
export const fileEdit: fc.Arbitrary<FileEdit> = fc
  .record({
    lines,
    endings: fc.constantFrom("\n", "\r\n", "mixed"),
    coins: fc.array(fc.boolean(), { minLength: 30, maxLength: 30 }),
    mark: fc.boolean(),
    isLatin: fc.boolean(),
    isEnded: fc.boolean(),
    at: fc.nat(),
    length: fc.nat(8),
    change: fc.constantFrom("replace", "insert", "delete", "two"),
    damage: fc.constantFrom(...damages),
  })
  .map((made) => {
    const all = made.lines.map(([indent, text, space], at): TestLine => {
      const isLast = at === made.lines.length - 1 && !made.isEnded;
      const mixed = made.coins[at] === true ? "\r\n" : "\n";
      const ending = isLast ? "" : made.endings === "mixed" ? mixed : made.endings;
      return { words: indent + latin(text, made.isLatin) + (text === "" ? "" : ` ${at}`) + space, ending };
    });
    const first = made.at % (all.length - 2);
    const last = Math.min(all.length, first + 3 + made.length);
    return editOf(all, { ...made, first, last });
  });

/** Latin-1 has no other characters. */
const latin = (text: string, isLatin: boolean): string =>
  isLatin && /[^\0-\xFF]/u.test(text) ? "caf\u00E9" : text;

type EditRecipe = {
  first: number;
  last: number;
  mark: boolean;
  isLatin: boolean;
  change: string;
  damage: (typeof damages)[number];
};

function editOf(all: readonly TestLine[], making: EditRecipe): FileEdit {
  const { first, last, mark, isLatin } = making;
  const encode = (text: string): Buffer => Buffer.from(text, isLatin ? "latin1" : "utf8");
  const begin = isLatin || !mark ? "" : "\uFEFF";
  const joined = (some: readonly TestLine[]): string =>
    some.map(({ words: text, ending }) => text + ending).join("");
  const middle = first + 1 + Math.floor((last - first - 2) / 2);
  // Which of two empty lines was removed cannot be determined.
  const isEmpty = (at: number): boolean => (all[at]?.words ?? "").trim() === "";
  const isUnclear = isEmpty(middle) && (isEmpty(middle - 1) || isEmpty(middle + 1));
  const change = making.change === "delete" && isUnclear ? "replace" : making.change;
  const to = change === "insert" ? middle : middle + 1;
  const fresh =
    { replace: ["fresh line"], insert: ["fresh line"], delete: [], two: ["fresh one", "  fresh two"] }[
      change
    ] ?? [];
  const passage = all.slice(first, last).map(({ words: text }) => text);
  // Damage can turn one empty line into another.
  const isTelling = passage.some((text) => text.trim() !== "");
  const damage = isTelling ? making.damage : "none";
  const changed = [...passage.slice(0, middle - first), ...fresh, ...passage.slice(to - first)];
  return {
    bytes: encode(begin + joined(all)),
    start: encode(begin + joined(all.slice(0, middle))).length,
    end: encode(begin + joined(all.slice(0, to))).length,
    fresh,
    edit: { old: damagedText(passage, damage, first), new: damagedText(changed, damage, first), all: false },
  };
}

function damagedText(passage: readonly string[], damage: (typeof damages)[number], first: number): string {
  const each: Readonly<Record<string, (words: string, at: number) => string>> = {
    trailing: (text) => (/\s$/.test(text) ? text.trimEnd() : `${text} `),
    numbers: (text, at) => `${first + at + 1}\t${text}`,
    shifted: (text) => (text.trim() === "" ? text : `  ${text}`),
  };
  return passage.map(each[damage] ?? ((text) => text)).join(damage === "crlf" ? "\r\n" : "\n");
}

/**
 * A file of blocks that repeat with small differences; a damaged copy of a part of it, one line of which becomes
 * `MARK`.
 */
export type RepeatedEdit = {
  file: string;
  edit: Replacement;
  wanted: string;
  /** The damage turned it into an exact copy of another block. */
  isOfAnother: boolean;
};

const harm = fc.record({
  at: fc.nat(),
  kind: fc.constantFrom("space", "indent", "odd", "drop", "extra", "quote", "split"),
});

export const repeatedEdit: fc.Arbitrary<RepeatedEdit> = fc
  .record({
    blocks: fc.array(fc.nat(4), { minLength: 2, maxLength: 7 }),
    size: fc.integer({ min: 3, max: 8 }),
    from: fc.nat(),
    length: fc.integer({ min: 1, max: 10 }),
    target: fc.nat(),
    harms: fc.array(harm, { maxLength: 4 }),
    shift: fc.constantFrom("", "", "  ", "\t"),
  })
  .map((made) => {
    const file = made.blocks.flatMap((kind, block) => blockOf(kind, block, made.size));
    const from = made.from % file.length;
    const taken = file.slice(from, from + made.length);
    const telling = taken.flatMap((text, at) => (text === "" ? [] : [at]));
    const target = telling[made.target % Math.max(1, telling.length)] ?? 0;
    const old = taken.map((text) => (text === "" ? text : made.shift + text));
    const harmed = harmedLines(old, { target, harms: made.harms });
    const fresh = harmed.map(({ text, isTarget }) => (isTarget ? `${/^\s*/.exec(text)?.[0]}MARK` : text));
    const wanted = file.map((text, at) => (at === from + target ? "MARK" : text));
    const bare = harmed.map(({ text }) => text.trim());
    const starts = file.flatMap((_, at) =>
      bare.every((text, line) => file[at + line]?.trim() === text) ? [at] : [],
    );
    return {
      isOfAnother: starts.length === 1 && starts[0] !== from,
      file: file.join("\n"),
      edit: { old: harmed.map(({ text }) => text).join("\n"), new: fresh.join("\n"), all: false },
      wanted: wanted.join("\n"),
    };
  });

/** Blocks of one kind are equal but for one line, if they differ at all. */
function blockOf(kind: number, block: number, size: number): string[] {
  const own = kind < 3 ? `  name = "block ${block}";` : `  name = "same";`;
  const inside = Array.from({ length: size }, (_, at) => `  call_${(at + kind) % 5}("value", ${at});`);
  return [`function run() {`, ...inside.slice(0, kind), own, ...inside.slice(kind), "}", ""];
}

type Harming = { target: number; harms: readonly { at: number; kind: string }[] };

/** Damages all lines but the one to be changed. */
function harmedLines(
  lines: readonly string[],
  { target, harms }: Harming,
): { text: string; isTarget: boolean }[] {
  const kept: (string | undefined)[] = [...lines];
  for (const { at, kind } of harms) {
    const place = at % kept.length;
    const text = kept[place];
    if (text === undefined || place === target) continue;
    if (kind === "space") kept[place] = `${text}  `;
    if (kind === "indent") kept[place] = ` ${text}`;
    if (kind === "odd") kept[place] = text.replace(/[a-z](?=[a-z]*\()/, "Q");
    if (kind === "drop") kept[place] = undefined;
    if (kind === "extra") kept[place] = `${text}\n  // a line that is nowhere`;
    if (kind === "quote") kept[place] = text.replaceAll('"', "\u201C");
    if (kind === "split") kept[place] = text.replace(", ", ",\n    ");
  }
  return kept.flatMap((text, at) => (text === undefined ? [] : [{ text, isTarget: at === target }]));
}
