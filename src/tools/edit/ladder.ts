/** The ladder of tolerance: how a passage may differ from the file and still match, strictest rung first. */

export type Tolerance =
  | "exact"
  | "line-endings"
  | "line-numbers"
  | "trailing-space"
  | "indentation"
  | "look-alikes"
  | "quoting"
  | "nearest";

type Rung = {
  tolerance: Tolerance;
  /** What may differ between the passage and the file. */
  allows: string;
  /** What is done about the difference, and what is refused. */
  rule: string;
  /** What the comparison ignores, in a few words. */
  overlooked: string;
  /** For the result: how the passage differed. */
  said: string;
  /** Whether `all` may change several matches found on this rung. */
  takesAll: boolean;
};

/**
 * Tried in order. On the first rung with any match there must be exactly one; otherwise all are reported and nothing
 * changes. A rung is skipped for an edit that changes the very thing it ignores.
 */
export const ladder: readonly Rung[] = [
  {
    tolerance: "exact",
    allows: "Nothing.",
    rule: "The passage may begin and end within a line.",
    overlooked: "nothing",
    said: "",
    takesAll: true,
  },
  {
    tolerance: "line-endings",
    allows: "LF where the file has CRLF, or the other way round.",
    rule: "Lines that stay keep their endings; new ones get those of the lines they replace.",
    overlooked: "line endings",
    said: "",
    takesAll: true,
  },
  {
    tolerance: "line-numbers",
    allows: "Line numbers copied from how files are shown.",
    rule: "Only if every line has one and they count upwards one by one; they are taken off both texts.",
    overlooked: "line numbers",
    said: "line numbers were taken off `old`",
    takesAll: true,
  },
  {
    tolerance: "trailing-space",
    allows:
      "White space at the ends of lines, empty lines around the passage, a newline at the end of the file.",
    rule: "Lines that stay keep their white space.",
    overlooked: "white space at line ends",
    said: "`old` differed in white space at the ends of its lines",
    takesAll: true,
  },
  {
    tolerance: "indentation",
    allows: "Indentation of whole lines: all shifted alike, tabs for spaces, or another width of a level.",
    rule: "The replacement is shifted in the same way; refused where that is not plain for a line of it.",
    overlooked: "indentation",
    said: "`old` was indented differently; `new` was indented as the file is",
    takesAll: true,
  },
  {
    tolerance: "look-alikes",
    allows:
      "Curly for straight quotes, dashes, no-break and other spaces, an ellipsis, composed and decomposed letters.",
    rule: "Only what really changes is written; the file's own characters stay elsewhere.",
    overlooked: "look-alike characters",
    said: "`old` had other quotes, dashes, spaces or composed letters than the file",
    takesAll: true,
  },
  {
    tolerance: "quoting",
    allows:
      'Text that was quoted once too often: `\\n`, `\\t` and `\\"` written out, a code fence or `>` around it.',
    rule: "Taken off both texts; refused where the replacement could be meant in two ways.",
    overlooked: "quoting and escaping",
    said: "`old` was quoted or escaped once too often",
    takesAll: false,
  },
  {
    tolerance: "nearest",
    allows: "Lines around the change that have changed since, or were copied wrongly.",
    rule: "Nearly all lines are there, no other place comes close, and every line that goes is there as it was named.",
    overlooked: "lines that stay",
    said: "some lines of `old` that stay differ from the file",
    takesAll: false,
  },
];

export const rungOf = (tolerance: Tolerance): Rung | undefined =>
  ladder.find((rung) => rung.tolerance === tolerance);
