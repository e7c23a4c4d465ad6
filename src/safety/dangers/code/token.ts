/** Tokens shared by all languages whose code is read, and how each writes them. */

export type CodeToken =
  | { readonly type: "name" | "number" | "sign"; readonly text: string }
  /** A string; `isCommand`: in backticks or similar, so that it is executed in place. */
  | { readonly type: "text"; readonly parts: readonly Part[]; readonly isCommand: boolean };

/** A part of a string: literal text, or embedded code whose value is inserted. */
export type Part = string | readonly CodeToken[];

export type CodeLanguage = "python" | "javascript" | "perl" | "ruby" | "php";

/** How a string is written between its delimiters. */
export type Quote = {
  /** The opening bracket, if the delimiters nest. */
  readonly open?: string | undefined;
  readonly close: string;
  /** A backslash only keeps the next character from ending the string. */
  readonly isRaw?: boolean;
  /** `${…}`, `#{…}`, `{…}`, or `$name` and `@name`. */
  readonly embeds?: string | undefined;
  readonly isOneLine?: boolean;
  readonly isCommand?: boolean;
};

type Lexis = {
  /** A blank or a comment; line ends are signs. */
  readonly blank: RegExp;
  readonly name: RegExp;
  /** What may be embedded between double quotes and backticks. */
  readonly embeds?: string;
  readonly backticks: "command" | "text" | "none";
  readonly hasPatterns: boolean;
};

const hashed = /[^\S\n]+|\\\n|#[^\n]*|\n\s{0,80}(?=&?\.\p{L})/uy;
const slashed = /[^\S\n]+|\/\/[^\n]*|#![^\n]*|\/\*[^]*?(?:\*\/|$)|\n\s{0,80}(?=\??\.\p{L})/uy;

export const lexes: Readonly<Record<CodeLanguage, Lexis>> = {
  python: { blank: hashed, name: /[\p{L}_][\p{L}\p{N}_]*/uy, backticks: "none", hasPatterns: false },
  javascript: {
    blank: slashed,
    name: /#?[\p{L}_$][\p{L}\p{N}_$]*/uy,
    embeds: "${",
    backticks: "text",
    hasPatterns: true,
  },
  perl: {
    blank: hashed,
    name: /[$@%&]{1,2}\{\^?\w+\}|[$@%&]{0,2}(?:\^?[\p{L}_][\p{L}\p{N}_]*(?:::\w+)*)|[$@]{1,2}(?:\d+|[!&0_/\\,;.](?!\w))/uy,
    embeds: "$",
    backticks: "command",
    hasPatterns: true,
  },
  ruby: {
    blank: hashed,
    name: /[$@]{0,2}[\p{L}_][\p{L}\p{N}_]*(?:[?!](?!=))?/uy,
    embeds: "#{",
    backticks: "command",
    hasPatterns: true,
  },
  php: {
    blank: /[^\S\n]+|(?:\/\/|#)[^\n]*|\/\*[^]*?(?:\*\/|$)/uy,
    name: /\$?[\p{L}_][\p{L}\p{N}_]*/uy,
    embeds: "$",
    backticks: "command",
    hasPatterns: false,
  },
};
