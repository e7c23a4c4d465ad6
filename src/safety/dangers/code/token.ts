/** Tokens shared by all analysed languages, and the lexical rules of each. */

export type Token =
  | { readonly type: "name"; readonly text: string }
  | { readonly type: "number"; readonly text: string }
  /** A string; `command`: in backticks or similar, so it is executed in place. */
  | { readonly type: "text"; readonly parts: readonly Part[]; readonly command: boolean }
  /** A list of words: `qw(a b)`, `%w[a b]`. */
  | { readonly type: "words"; readonly texts: readonly string[] }
  | { readonly type: "sign"; readonly text: string };

/** A part of a string: literal text, or embedded code whose value is inserted. */
export type Part = string | readonly Token[];

/** How a language writes comments and strings. */
export type Lexis = {
  readonly lineComments: readonly string[];
  readonly blockComments: boolean;
  /** Characters that start a name and belong to it: `$x`, `@x`. */
  readonly sigils: string;
  /** Quotes in which code may be embedded, and its syntax there. */
  readonly interpolates: Readonly<Record<string, Interpolation>>;
  /** Quotes in which a backslash escapes only itself and the quote. */
  readonly plainQuotes: string;
  /** Whether text in backticks is executed as a command. */
  readonly backticks: "command" | "text" | "none";
  /** Language-specific quotes: prefixes and triple quotes, `q()` and `s///`, `%w()` and `:symbol`. */
  readonly own: "python" | "perl" | "ruby" | "none";
  /** Whether a slash may start a regular expression. */
  readonly slashPatterns: boolean;
};

/** `${…}`, `#{…}`, or `$name`, `@name`, `{$…}` as in Perl and PHP. */
export type Interpolation = "${" | "#{" | "$";

const plain: Lexis = {
  lineComments: [],
  blockComments: false,
  sigils: "",
  interpolates: {},
  plainQuotes: "",
  backticks: "none",
  own: "none",
  slashPatterns: false,
};

export const lexes = {
  python: { ...plain, lineComments: ["#"], own: "python" },
  javascript: {
    ...plain,
    lineComments: ["//", "#!"],
    blockComments: true,
    sigils: "#",
    interpolates: { "`": "${" },
    backticks: "text",
    slashPatterns: true,
  },
  perl: {
    ...plain,
    lineComments: ["#"],
    sigils: "$@%",
    interpolates: { '"': "$", "`": "$" },
    plainQuotes: "'",
    backticks: "command",
    own: "perl",
    slashPatterns: true,
  },
  ruby: {
    ...plain,
    lineComments: ["#"],
    sigils: "$@",
    interpolates: { '"': "#{", "`": "#{" },
    plainQuotes: "'",
    backticks: "command",
    own: "ruby",
    slashPatterns: true,
  },
  php: {
    ...plain,
    lineComments: ["//", "#"],
    blockComments: true,
    sigils: "$",
    interpolates: { '"': "$", "`": "$" },
    plainQuotes: "'",
    backticks: "command",
  },
  // Several languages share this row: what starts a comment in one is code in another, so nothing does.
  other: { ...plain, sigils: "$", interpolates: {}, backticks: "command" },
} as const satisfies Record<string, Lexis>;
