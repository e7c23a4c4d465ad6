/** The state of the second scanner: its position, and the constructs around that position. */

/** A construct around the current position. */
export type Frame =
  | Commands
  | { readonly kind: "double-quotes" }
  /** The body of an expanding heredoc, which ends with its text. */
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
  /** The position of its second parenthesis, and the count up to there. */
  readonly start: number;
  readonly counted: number;
  depth: number;
  /** Something in it looks like a comment. */
  hasComment: boolean;
};

/** Text in which words are commands: the whole line, or the content of `$(…)`, `<(…)`, back-ticks. */
export type Commands = {
  readonly kind: "commands";
  /** A parenthesis ends it. */
  readonly isNested: boolean;
  /** Bash finds its end without parsing it: comments, `case` and heredocs in it are ambiguous. */
  readonly isWary: boolean;
  readonly groups: Group[];
  readonly heredocs: Heredoc[];
  hadHeredoc: boolean;
  /** The next word is the target of a redirection. */
  isTarget: boolean;
} & WordState;

type WordState = {
  /** Where the current word begins; -1 between words. */
  wordStart: number;
  position: WordPosition;
  /** The word is the regular expression after `=~`. */
  isPattern: boolean;
};

/** What the next word may be: any command, one after assignments, the name after `for`, one for `coproc`. */
export type WordPosition = "command" | "prefix" | "argument" | "name" | "coproc";

export type Group =
  | { readonly kind: "subshell" }
  /** `a=(…)`, or parentheses of a pattern: the word continues after them. */
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
  /** Counts the openers of a text within this one: a heredoc body, or text between back-ticks. */
  readonly inside: (text: string, kind: "commands" | "body") => number;
};

/** The limit for nested frames. */
const mostFrames = 128;

/** Whatever follows, the text is not understood: no parser has found infinitely many openers. */
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

/** Counts a substitution that contains commands, and enters it. */
export function openCommands(scan: Scan, at: number): void {
  scan.count += 1;
  scan.at = at;
  push(scan, newCommands(true, scan.frames.some(isLoose)));
}

const isLoose = (frame: Frame): boolean =>
  frame.kind === "arithmetic" || (frame.kind === "commands" && isWary(frame));

export const isWary = ({ isWary, groups }: Commands): boolean =>
  isWary || groups.some(({ kind }) => kind === "pattern");

/** The next position that is not a line continuation. */
export function afterContinuations(text: string, at: number): number {
  let next = at;
  while (text[next] === "\\" && text[next + 1] === "\n") next += 2;
  return next;
}

/** Advances past the single quotes that open here. */
export function skipSingleQuotes(scan: Scan): void {
  const close = scan.text.indexOf("'", scan.at + 1);
  if (close < 0) giveUp(scan);
  else scan.at = close + 1;
}

/** Advances past the quotes of `$'…'`, starting at the first quote. */
export function skipAnsiQuotes(scan: Scan): void {
  for (scan.at += 1; scan.at < scan.text.length; scan.at += 1) {
    if (scan.text[scan.at] === "\\") scan.at += 1;
    else if (scan.text[scan.at] === "'") return void (scan.at += 1);
  }
  giveUp(scan);
}
