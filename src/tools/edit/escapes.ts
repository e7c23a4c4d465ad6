/** Text that was escaped once too often: as JSON writes it, or as markup does. */

import { parseJson } from "../../base/json.ts";

/** `strip`: undefined where the text is not quoted so throughout. `isPlain`: it is not quoted so anywhere. */
export type Quoting = {
  strip: (text: string) => string | undefined;
  isPlain: (text: string) => boolean;
  /** Whether taking it off would make something doubtful of the replacement. */
  isDoubtful?: (fresh: string, old: string) => boolean;
  /** Whether lines of the file are quoted so themselves. */
  isContent?: (text: string, file: readonly string[]) => boolean;
  /** It stands around whole lines. */
  whole?: true;
};

/** Every quotation mark has a backslash before it, as it has inside JSON. */
const hasOnlyEscapedQuotes = (text: string): boolean => !/(?<!\\)(?:\\\\)*"/.test(text);

/** The inside of a JSON string; real line ends are let pass. Undefined if it could not be one. */
function unescaped(text: string): string | undefined {
  // A backslash before a real line end is the text's own.
  if (!hasOnlyEscapedQuotes(text) || /(?<!\\)(?:\\\\)*\\[\r\n\t]/.test(text)) return undefined;
  // eslint-disable-next-line no-control-regex -- what JSON does not allow inside a string
  const json = text.replace(/[\x00-\x1f]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`);
  const read = parseJson(`"${json}"`);
  return read.ok && typeof read.value === "string" ? read.value : undefined;
}

const hasWrittenLineEnd = (text: string): boolean => /(?<!\\)(?:\\\\)*\\n/.test(text);

/** Line ends of one kind written out and of the other kind real; or a string would be broken in two by them. */
function isDoubtful(fresh: string, old: string): boolean {
  if (hasWrittenLineEnd(old) && fresh.includes("\n")) return true;
  if (!hasWrittenLineEnd(fresh)) return false;
  if (!hasWrittenLineEnd(old) && old.includes("\n")) return true;
  const known = new Set(unescaped(old)?.split("\n"));
  const lines = (unescaped(fresh) ?? "").split("\n");
  return lines.some(
    (line, at) => !(known.has(line) && known.has(lines[at + 1] ?? "")) && isBroken(line, lines[at + 1]),
  );
}

/** A string that begins in one line and ends in the next. */
const isBroken = (line: string, next = ""): boolean =>
  ["'", '"', "`"].some((quote) => [line, next].every((words) => (words.split(quote).length - 1) % 2 === 1));

/**
 * Line ends written out where code has none: behind a bracket or semicolon, or before indentation, and not in quotes.
 */
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

/** Backslashes before all of these quotation marks, or before none. */
function isAllOrNone(text: string, quote: string): boolean {
  const all = text.split(quote).length;
  const escaped = text.split(`\\${quote}`).length;
  return escaped === 1 || escaped === all;
}

export const unescapings = {
  /** As inside a JSON string. */
  json: { strip: unescaped, isPlain: (text) => !text.includes("\\"), isDoubtful },
  /** Only quotation marks have backslashes before them. */
  quotes: {
    strip: (text) =>
      /\\["']/.test(text) && !text.includes("\\\\") && ["'", '"'].every((quote) => isAllOrNone(text, quote))
        ? text.replace(/\\(["'])/g, "$1")
        : undefined,
    isPlain: (text) => !/\\["']/.test(text),
  },
  /** A whole JSON string with its quotation marks. */
  literal: {
    whole: true,
    strip: (text) => {
      const read = /^\s*"[^]*"\s*$/.test(text) ? parseJson(text) : undefined;
      return read?.ok === true && typeof read.value === "string" ? read.value : undefined;
    },
    isPlain: (text) => !/^\s*"[^]*"\s*$/.test(text),
  },
  /** `&lt;` for `<` and the like; what is escaped throughout has none of these signs itself. */
  markup: {
    strip: (text) =>
      /[<>]|&(?!(?:lt|gt|quot|apos|#39|amp);)/.test(text)
        ? undefined
        : text.replace(entity, (one) => named[one] ?? one),
    isPlain: (text) => text.search(entity) === -1,
  },
} satisfies Record<string, Quoting>;
