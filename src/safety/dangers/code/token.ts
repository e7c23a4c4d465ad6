/** Pieces of code in any of the languages that are looked into, and how each language writes them. */

export type Token =
  | { readonly type: "name"; readonly text: string }
  | { readonly type: "number"; readonly text: string }
  /** A string; `command`: in backticks or the like, so it is run where it stands. */
  | { readonly type: "text"; readonly parts: readonly Part[]; readonly command: boolean }
  /** A list of words: `qw(a b)`, `%w[a b]`. */
  | { readonly type: "words"; readonly texts: readonly string[] }
  | { readonly type: "sign"; readonly text: string };

/** Of a string: as it stands, or code whose value goes there. */
export type Part = string | readonly Token[];

/** How a language writes comments and strings. */
export type Lexis = {
  readonly lineComments: readonly string[];
  readonly blockComments: boolean;
  /** Begin a name, as part of it: `$x`, `@x`. */
  readonly sigils: string;
  /** Quotes in which code may stand, and how it is written there. */
  readonly interpolates: Readonly<Record<string, Interpolation>>;
  /** Quotes in which a backslash only protects itself and the quote. */
  readonly plainQuotes: string;
  /** Whether text in backticks is run as a command. */
  readonly backticks: "command" | "text" | "none";
  /** Quotes of its own: prefixes and triple quotes, `q()` and `s///`, `%w()` and `:symbol`. */
  readonly own: "python" | "perl" | "ruby" | "none";
  /** Whether a slash may begin a regular expression. */
  readonly slashPatterns: boolean;
};

/** `${…}`, `#{…}`, or `$name`, `@name`, `{$…}` as Perl and PHP have it. */
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
  // Of all others together: what begins a comment in one is code in another, so nothing does.
  other: { ...plain, sigils: "$", interpolates: {}, backticks: "command" },
} as const satisfies Record<string, Lexis>;
