/** Undoes one level of excess escaping in an edit, as in JSON or in markup. */

import { parseJson } from "../../base/json.ts";

/** `strip`: undefined unless the whole text is quoted this way. `isPlain`: no part of it is. */
export type Quoting = {
  strip: (text: string) => string | undefined;
  isPlain: (text: string) => boolean;
  /** Whether stripping would make the replacement ambiguous. */
  isDoubtful?: (fresh: string, old: string) => boolean;
  /** Whether lines of the file are themselves quoted this way. */
  isContent?: (text: string, file: readonly string[]) => boolean;
  /** The quoting encloses whole lines. */
  whole?: true;
};

/** Every quotation mark is preceded by a backslash, as inside JSON. */
const hasOnlyEscapedQuotes = (text: string): boolean => !/(?<!\\)(?:\\\\)*"/.test(text);

/** Decodes the inside of a JSON string, tolerating real line ends. Undefined if it cannot be one. */
function decodeJsonText(text: string): string | undefined {
  // A backslash before a real line end is part of the text.
  if (!hasOnlyEscapedQuotes(text) || /(?<!\\)(?:\\\\)*\\[\r\n\t]/.test(text)) return undefined;
  // eslint-disable-next-line no-control-regex -- what JSON does not allow inside a string
  const json = text.replace(/[\x00-\x1f]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`);
  const read = parseJson(`"${json}"`);
  return read.ok && typeof read.value === "string" ? read.value : undefined;
}

const hasWrittenLineEnd = (text: string): boolean => /(?<!\\)(?:\\\\)*\\n/.test(text);

/**
 * Ambiguous: escaped line ends of one kind mixed with real ones of the other, or a string that stripping would split.
 */
function isDoubtful(fresh: string, old: string): boolean {
  if (hasWrittenLineEnd(old) && fresh.includes("\n")) return true;
  if (!hasWrittenLineEnd(fresh)) return false;
  if (!hasWrittenLineEnd(old) && old.includes("\n")) return true;
  const known = new Set(decodeJsonText(old)?.split("\n"));
  const lines = (decodeJsonText(fresh) ?? "").split("\n");
  return lines.some(
    (line, at) => !(known.has(line) && known.has(lines[at + 1] ?? "")) && isBroken(line, lines[at + 1]),
  );
}

/** A string that begins on one line and ends on the next. */
const isBroken = (line: string, next = ""): boolean =>
  ["'", '"', "`"].some((quote) => [line, next].every((words) => (words.split(quote).length - 1) % 2 === 1));

/** Escaped line ends where code has none: after a bracket or semicolon, or before indentation, and outside quotes. */
export function hasStrayLineEnd(text: string): boolean {
  return text
    .split("\n")
    .some((line) =>
      [...line.matchAll(/(?<!\\)(?:(?<=[;{}])\\n(?=[\s\w}@#<]|\/[/*]|$)|\\n(?= {2}|\t|\\t))/g)].some(
        ({ index }) =>
          ["'", '"', "`"].every((quote) => (line.slice(0, index).split(quote).length - 1) % 2 === 0),
      ),
    );
}

const named: Readonly<Record<string, string>> = {
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&apos;": "'",
  "&#39;": "'",
  "&amp;": "&",
};
const entity = /&(?:lt|gt|quot|apos|#39|amp);/g;

/** Either all of these quotation marks are preceded by a backslash, or none are. */
function isAllOrNone(text: string, quote: string): boolean {
  const all = text.split(quote).length;
  const escaped = text.split(`\\${quote}`).length;
  return escaped === 1 || escaped === all;
}

export const unescapings = {
  /** As inside a JSON string. */
  json: { strip: decodeJsonText, isPlain: (text) => !text.includes("\\"), isDoubtful },
  /** Only quotation marks are escaped. */
  quotes: {
    strip: (text) =>
      /\\["']/.test(text) && !text.includes("\\\\") && ["'", '"'].every((quote) => isAllOrNone(text, quote))
        ? text.replace(/\\(["'])/g, "$1")
        : undefined,
    isPlain: (text) => !/\\["']/.test(text),
  },
  /** A complete JSON string including its quotation marks. */
  literal: {
    whole: true,
    strip: (text) => {
      const read = /^\s*"[^]*"\s*$/.test(text) ? parseJson(text) : undefined;
      return read?.ok === true && typeof read.value === "string" ? read.value : undefined;
    },
    isPlain: (text) => !/^\s*"[^]*"\s*$/.test(text),
  },
  /** `&lt;` for `<` and the like; fully escaped text contains none of these characters itself. */
  markup: {
    strip: (text) =>
      /[<>]|&(?!(?:lt|gt|quot|apos|#39|amp);)/.test(text)
        ? undefined
        : text.replace(entity, (one) => named[one] ?? one),
    isPlain: (text) => text.search(entity) === -1,
  },
} satisfies Record<string, Quoting>;
