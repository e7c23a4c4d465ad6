/** Corrects drifted indentation: detects a uniform shift of all lines, and shifts the replacement alike. */

import { allOrNone } from "../../base/expected.ts";

/** The lines as the file would indent them; `undefined` where an indentation has no counterpart there. */
export type Shift = (lines: readonly string[]) => readonly string[] | undefined;

export const noShift: Shift = (lines) => lines;

export const indentOf = (line: string): string => /^[ \t]*/.exec(line)?.[0] ?? "";

/** An indentation as the model wrote it and as it is in the file. */
type IndentLevel = { wrote: string; stands: string };

/** Spaces per level, if detectable: in the model's lines, and in the file. */
type Units = { wrote: number | undefined; stands: number | undefined };

/** Maps any indentation from the model's form to the file's; `undefined` if it cannot be mapped. */
type IndentRule = (indent: string, units: Units) => string | undefined;

/**
 * The shift that turns `passage` into `region` of a file, both with the same text. `undefined` if no uniform shift
 * does, or if only some lines already have the right indentation: then another block was meant.
 */
export function shiftBetween(
  passage: readonly string[],
  region: readonly string[],
  file: readonly string[],
): Shift | undefined {
  const levels = levelsOf(passage, region);
  if (levels === undefined) return undefined;
  const known = [...levels].map(([wrote, stands]) => ({ wrote, stands }));
  if (known.every(({ wrote, stands }) => wrote === stands)) return noShift;
  if (known.some(({ wrote, stands }) => wrote !== "" && wrote === stands) && !isSameInColumns(known))
    return undefined;
  const unit = unitOfFile(file);
  const rule = addingRule(known) ?? removingRule(known) ?? inColumns(known) ?? scalingRule(known, unit);
  if (rule === undefined) return undefined;
  return (lines) => {
    const units = { wrote: unitOf([...passage, ...lines]), stands: unit };
    return allOrNone(lines.map((line) => shiftLine(line, levels, (indent) => rule(indent, units))));
  };
}

const linesForUnit = 5000;
const unitsOf = new WeakMap<readonly string[], { unit: number | undefined }>();

/** Cached per list of lines, which must not change. */
function unitOfFile(file: readonly string[]): number | undefined {
  const known = unitsOf.get(file) ?? { unit: unitOf(file.slice(0, linesForUnit)) };
  unitsOf.set(file, known);
  return known.unit;
}

/** `undefined` if one indentation of the passage maps to two in the file. */
function levelsOf(passage: readonly string[], region: readonly string[]): Map<string, string> | undefined {
  const levels = new Map<string, string>();
  for (const [at, line] of passage.entries()) {
    if (line.trim() === "") continue;
    const [wrote, stands] = [indentOf(line), indentOf(region[at] ?? "")];
    if ((levels.get(wrote) ?? stands) !== stands) return undefined;
    levels.set(wrote, stands);
  }
  return levels;
}

function shiftLine(
  line: string,
  levels: ReadonlyMap<string, string>,
  rule: (indent: string) => string | undefined,
): string | undefined {
  if (line.trim() === "") return "";
  const indent = indentOf(line);
  const carried = levels.get(indent) ?? rule(indent);
  return carried === undefined ? undefined : carried + line.slice(indent.length);
}

/**
 * Adds the same prefix to every line. If only one depth is known and the file uses another level width, deeper lines
 * would be ambiguous.
 */
function addingRule(levels: readonly IndentLevel[]): IndentRule | undefined {
  const [{ wrote, stands } = { wrote: "", stands: "" }] = levels;
  const prefix = stands.slice(0, stands.length - wrote.length);
  if (!levels.every((level) => level.stands === prefix + level.wrote)) return undefined;
  return (indent, units) => {
    if (/^\t+$/.test(stands) && /^ +$/.test(indent)) {
      const deep = (indent.length - wrote.length) / (units.wrote ?? 4);
      return wrote === "" && Number.isInteger(deep) ? stands + "\t".repeat(deep) : undefined;
    }
    if (prefix.includes(" ") && indent.includes("\t")) return undefined;
    return levels.length === 1 && isOtherWidth(units) ? undefined : prefix + indent;
  };
}

function removingRule(levels: readonly IndentLevel[]): IndentRule | undefined {
  const [{ wrote, stands } = { wrote: "", stands: "" }] = levels;
  const prefix = wrote.slice(0, wrote.length - stands.length);
  if (!levels.every((level) => level.wrote === prefix + level.stands)) return undefined;
  return (indent, units) => {
    const isUnclear = (levels.length === 1 && isOtherWidth(units)) || !indent.startsWith(prefix);
    return isUnclear ? undefined : indent.slice(prefix.length);
  };
}

const isOtherWidth = ({ wrote, stands }: Units): boolean =>
  wrote !== undefined && stands !== undefined && wrote !== stands;

/** Tabs for spaces or vice versa, possibly shifted by some columns. */
function inColumns(levels: readonly IndentLevel[]): IndentRule | undefined {
  const isTabbed = levels.some(({ stands }) => stands.includes("\t"));
  if (!isTabbed && !levels.some(({ wrote }) => wrote.includes("\t"))) return undefined;
  const fits = tabWidths.flatMap((width) => {
    const offsets = new Set(
      levels.map((level) => columns(level.stands, width) - columns(level.wrote, width)),
    );
    const [offset = 0] = offsets;
    return offsets.size === 1 ? [{ width, offset }] : [];
  });
  const plain = fits.filter(({ offset }) => offset === 0);
  const chosen = plain.length > 0 ? plain : fits;
  if (chosen.length === 0) return undefined;
  const isMixed = isTabbed && levels.some(({ stands }) => stands.startsWith(" "));
  return (indent) => {
    if (isMixed) return undefined;
    const ways = chosen.map(({ width, offset }) =>
      whiteSpace(columns(indent, width) + offset, isTabbed ? width : 0),
    );
    const tidy = ways.filter((way) => way !== undefined && !(isTabbed && way.includes(" ")));
    const [only, another] = new Set(tidy.length > 0 ? tidy : ways);
    return another === undefined ? only : undefined;
  };
}

const tabWidths = [4, 2, 8, 3, 1, 5, 6, 7] as const;

/** Whether only tabs and spaces were exchanged. */
const isSameInColumns = (levels: readonly IndentLevel[]): boolean =>
  tabWidths.some((width) =>
    levels.every(({ wrote, stands }) => columns(wrote, width) === columns(stands, width)),
  );

/** White space of this many columns, in tabs of the given width; in spaces if that is 0. */
function whiteSpace(wide: number, width: number): string | undefined {
  if (wide < 0) return undefined;
  return width === 0 ? " ".repeat(wide) : "\t".repeat(Math.floor(wide / width)) + " ".repeat(wide % width);
}

/** Two spaces per level in one, four in the other. One level in the file must be one in the passage. */
function scalingRule(levels: readonly IndentLevel[], unit: number | undefined): IndentRule | undefined {
  const all = levels.map(({ wrote, stands }) => wrote + stands).join("");
  const [first, second] = levels.toSorted((a, b) => a.wrote.length - b.wrote.length);
  if (!isSpaces(all) || !first || !second) return undefined;
  const [wider, wide] = [
    second.stands.length - first.stands.length,
    second.wrote.length - first.wrote.length,
  ];
  const carry = (length: number): number =>
    first.stands.length + ((length - first.wrote.length) * wider) / wide;
  const deeper = unit === undefined || wider < unit ? 1 : wider / unit;
  const isWhole = wider > 1 && Number.isInteger(deeper) && isLevel(wide / deeper, carry(0) === 0);
  if (!isWhole || !levels.every(({ wrote, stands }) => carry(wrote.length) === stands.length))
    return undefined;
  return (indent) => {
    const length = carry(indent.length);
    return length >= 0 && Number.isInteger(length) && isSpaces(indent) ? " ".repeat(length) : undefined;
  };
}

/** If the passage is also shifted, eight spaces more likely mean two levels. */
const isLevel = (width: number, isInPlace: boolean): boolean =>
  [2, 3, 4].includes(width) || (width === 8 && isInPlace);

const isSpaces = (text: string): boolean => text === " ".repeat(text.length);

function columns(indent: string, width: number): number {
  let wide = 0;
  for (const character of indent) wide += character === "\t" ? width - (wide % width) : 1;
  return wide;
}

/** The number of spaces by which lines most often go one level deeper. */
function unitOf(lines: readonly string[]): number | undefined {
  const counts = new Map<number, number>();
  let before: number | undefined;
  for (const line of lines) {
    if (line.trim() === "") continue;
    const indent = indentOf(line);
    const depth = indent.includes("\t") ? undefined : indent.length;
    const deeper = depth === undefined || before === undefined ? 0 : depth - before;
    if (deeper > 1) counts.set(deeper, (counts.get(deeper) ?? 0) + 1);
    before = depth;
  }
  const [most] = [...counts].toSorted((a, b) => b[1] - a[1]);
  return most?.[0];
}
