/** What the second scanner knows while it reads: where it stands, and inside of what. */

/** What a reader of the text is inside of, innermost last. */
export type Frame =
  | Commands
  | { readonly kind: "double-quotes" }
  /** The body of a heredoc that expands: ends with its text. */
  | { readonly kind: "body" }
  /** `${…}` */
  | { readonly kind: "braces" }
  /** A subscript, or `$[…]`. */
  | { readonly kind: "brackets"; depth: number }
  | Arithmetic;

/** `((…))` or `$((…))`, until it turns out to be commands in two pairs of parentheses. */
export type Arithmetic = {
  readonly kind: "arithmetic";
  readonly isExpansion: boolean;
  /** Where its second parenthesis stands, and what was counted until then. */
  readonly start: number;
  readonly counted: number;
  depth: number;
  /** Something in it looks like a comment. */
  hasComment: boolean;
};

/** Text in which words are commands: the whole, or what stands in `$(…)`, `<(…)`, back-ticks. */
export type Commands = {
  readonly kind: "commands";
  /** A parenthesis ends it. */
  readonly isNested: boolean;
  /** Bash finds its end without reading it: comments, `case` and heredocs in it may mean two things. */
  readonly isWary: boolean;
  readonly groups: Group[];
  readonly heredocs: Heredoc[];
  hadHeredoc: boolean;
  /** The next word is the target of a redirection. */
  isTarget: boolean;
} & WordState;

type WordState = {
  /** Where the word begins that is being read; -1 between words. */
  wordStart: number;
  position: Position;
  /** It is the regular expression behind `=~`. */
  isPattern: boolean;
};

/** What the next word may be: any command, one behind assignments, the name that `for` wants, one for `coproc`. */
export type Position = "command" | "prefix" | "argument" | "name" | "coproc";

export type Group =
  | { readonly kind: "subshell" }
  /** `a=(…)`, or parentheses of a pattern: the word goes on behind them. */
  | { readonly kind: "array" | "pattern"; readonly word: WordState }
  | { readonly kind: "case"; state: "word" | "in" | "pattern" | "body"; hasParenthesis: boolean };

export type Heredoc = {
  readonly delimiter: string;
  readonly isQuoted: boolean;
  readonly isIndented: boolean;
};

export type Scan = {
  readonly text: string;
  at: number;
  count: number;
  readonly frames: Frame[];
  /** Counts the openers of another text that is in this one: a body, what stands between back-ticks. */
  readonly inside: (text: string, kind: "commands" | "body") => number;
};

/** More frames within each other are not told apart. */
const mostFrames = 128;

/** Whatever else comes, the text is not understood: no parser has found so many. */
export function giveUp(scan: Scan): void {
  scan.count = Number.POSITIVE_INFINITY;
  scan.at = scan.text.length;
}

export function push(scan: Scan, frame: Frame): void {
  scan.frames.push(frame);
  if (scan.frames.length > mostFrames) giveUp(scan);
}

export const newCommands = (isNested: boolean, isWary: boolean): Commands => ({
  kind: "commands",
  isNested,
  isWary,
  groups: [],
  heredocs: [],
  hadHeredoc: false,
  wordStart: -1,
  position: "command",
  isTarget: false,
  isPattern: false,
});

/** Counts a substitution that holds commands, and goes into it. */
export function openCommands(scan: Scan, at: number): void {
  scan.count += 1;
  scan.at = at;
  push(scan, newCommands(true, scan.frames.some(isLoose)));
}

const isLoose = (frame: Frame): boolean =>
  frame.kind === "arithmetic" || (frame.kind === "commands" && isWary(frame));

export const isWary = ({ isWary, groups }: Commands): boolean =>
  isWary || groups.some(({ kind }) => kind === "pattern");

/** The next place that is not a line continuation. */
export function afterContinuations(text: string, at: number): number {
  let next = at;
  while (text[next] === "\\" && text[next + 1] === "\n") next += 2;
  return next;
}

/** Moves behind the single quotes that open here. */
export function skipSingleQuotes(scan: Scan): void {
  const close = scan.text.indexOf("'", scan.at + 1);
  if (close < 0) giveUp(scan);
  else scan.at = close + 1;
}

/** Moves behind the quotes of `$'…'`; it stands at the first quote. */
export function skipAnsiQuotes(scan: Scan): void {
  for (scan.at += 1; scan.at < scan.text.length; scan.at += 1) {
    if (scan.text[scan.at] === "\\") scan.at += 1;
    else if (scan.text[scan.at] === "'") return void (scan.at += 1);
  }
  giveUp(scan);
}
