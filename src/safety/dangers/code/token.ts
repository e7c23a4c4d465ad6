/** Tokens shared by all languages whose code is read, and how each writes them. */

export type CodeToken =
  | { readonly type: "name" | "number" | "sign"; readonly text: string }
  | { readonly type: "text"; readonly parts: readonly Part[] };

/** A part of a string: literal text, or embedded code whose value is inserted. */
export type Part = string | readonly CodeToken[];

export type CodeLanguage = "python" | "javascript";

/** How a string is written between its delimiters. */
export type Quote = {
  readonly close: string;
  /** A backslash only keeps the next character from ending the string. */
  readonly isRaw?: boolean;
  /** What opens code inside: `${` or `{`. */
  readonly embeds?: string | undefined;
  readonly isOneLine?: boolean;
};

type Lexis = {
  /** A blank or a comment; line ends are signs. */
  readonly blank: RegExp;
  readonly name: RegExp;
};

const hashed = /[^\S\n]+|\\\n|#[^\n]*|\n\s{0,80}(?=&?\.\p{L})/uy;
const slashed = /[^\S\n]+|\/\/[^\n]*|#![^\n]*|\/\*[^]*?(?:\*\/|$)|\n\s{0,80}(?=\??\.\p{L})/uy;

export const lexes: Readonly<Record<CodeLanguage, Lexis>> = {
  python: { blank: hashed, name: /[\p{L}_][\p{L}\p{N}_]*/uy },
  javascript: {
    blank: slashed,
    name: /#?[\p{L}_$][\p{L}\p{N}_$]*/uy,
  },
};
