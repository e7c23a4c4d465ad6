/** Translates ripgrep's regular expressions (Rust's `regex` crate) to JavaScript. */

import { type Expected, refuse } from "../../base/expected.ts";

/** Returns the source for a RegExp with the `u` flag. Syntax known to only one engine is refused, as ripgrep would. */
export function toJavaScript(pattern: string): Expected<string> {
  let source = "";
  for (let at = 0; at < pattern.length;) {
    const piece = pieceAt(pattern, at);
    if (typeof piece === "string") return refuse(piece);
    source += piece.source;
    at += piece.length;
  }
  return { ok: true, value: source };
}

type PatternPiece = { source: string; length: number };

const word = "\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}\\p{Join_Control}";
const atEdge = `(?:(?<=[${word}])(?![${word}])|(?<![${word}])(?=[${word}]))`;
const offEdge = `(?:(?<=[${word}])(?=[${word}])|(?<![${word}])(?![${word}]))`;

/** Class escapes: Rust's are Unicode-aware, JavaScript's are not. */
const classes: Readonly<Record<string, string>> = {
  d: "\\p{Nd}",
  D: "\\P{Nd}",
  s: "\\p{White_Space}",
  S: "\\P{White_Space}",
};
const outsideClass: Readonly<Record<string, string>> = {
  ...classes,
  w: `[${word}]`,
  W: `[^${word}]`,
  b: atEdge,
  B: offEdge,
  "<": `(?<![${word}])(?=[${word}])`,
  ">": `(?<=[${word}])(?![${word}])`,
};
const insideClass: Readonly<Record<string, string>> = { ...classes, w: word };
const controls: Readonly<Record<string, string>> = { a: "\\x07", f: "\\f", t: "\\t", r: "\\r", v: "\\v" };

function pieceAt(pattern: string, at: number): PatternPiece | string {
  const character = pattern[at] ?? "";
  if (character === "\\") return escapeAt(pattern, at, outsideClass);
  if (character === "[") return classAt(pattern, at);
  if (character === "(") return groupAt(pattern, at);
  if (character === ".") return { source: "[^\\n\\r]", length: 1 };
  // Literal in Rust when alone, but an error under JavaScript's `u` flag.
  if (character === "]" || character === "}") return { source: `\\${character}`, length: 1 };
  if (character === "{") return countAt(pattern, at);
  return { source: character, length: 1 };
}

function escapeAt(
  pattern: string,
  at: number,
  known: Readonly<Record<string, string>>,
): PatternPiece | string {
  const next = pattern[at + 1];
  if (next === undefined) return "it ends in a backslash";
  const own = known[next] ?? controls[next];
  if (own !== undefined) return { source: own, length: 2 };
  if (next === "n") return "a line end cannot be searched for";
  if (/[0-9]/.test(next)) return "backreferences are not supported";
  const property = /^\\[pP](?:\{[^}]*\}|[A-Z])/.exec(pattern.slice(at, at + 64))?.[0];
  if (property !== undefined)
    return { source: property.replace(/^(\\[pP])([A-Z])$/, "$1{$2}"), length: property.length };
  const code = /^\\(?:x\{([0-9A-Fa-f]+)\}|x([0-9A-Fa-f]{2})|u\{([0-9A-Fa-f]+)\}|u([0-9A-Fa-f]{4}))/.exec(
    pattern.slice(at, at + 16),
  );
  if (code) return { source: `\\u{${code[1] ?? code[2] ?? code[3] ?? code[4]}}`, length: code[0].length };
  if (/[\p{L}\p{N}]/u.test(next)) return `the escape \\${next} is not known`;
  return { source: codePointEscape(next), length: 2 };
}

function codePointEscape(character: string): string {
  return character.charCodeAt(0) < 128 ? `\\u{${character.charCodeAt(0).toString(16)}}` : character;
}

const quantifier = /^\{(\d+)(,(\d*))?\}/;

function countAt(pattern: string, at: number): PatternPiece | string {
  const count = quantifier.exec(pattern.slice(at, at + 32))?.[0];
  if (count === undefined) return "a brace that is no repetition must be written \\{";
  return { source: count, length: count.length };
}

/** Groups: plain, named and with flags. Look-around exists only in JavaScript, so it is refused. */
function groupAt(pattern: string, at: number): PatternPiece | string {
  const rest = pattern.slice(at, at + 4);
  if (!rest.startsWith("(?")) return { source: "(", length: 1 };
  if (rest.startsWith("(?:")) return { source: "(?:", length: 3 };
  if (/^\(\?<?[=!]/.test(rest)) return "look-around is not supported";
  if (rest.startsWith("(?P<")) return { source: "(?<", length: 4 };
  if (rest.startsWith("(?<")) return { source: "(?<", length: 3 };
  return scopedFlagsAt(pattern, at);
}

/** `(?i:…)` and `(?s-i:…)` mean the same in both; flags that apply to the rest of the group do not. */
function scopedFlagsAt(pattern: string, at: number): PatternPiece | string {
  const flags = /^\(\?([ims]*(?:-[ims]+)?):/.exec(pattern.slice(at, at + 12))?.[0];
  return flags === undefined ? "these flags are not supported" : { source: flags, length: flags.length };
}

/** A bracketed class. Rust reads nested brackets and operators differently: they are refused. */
function classAt(pattern: string, at: number): PatternPiece | string {
  const negated = pattern[at + 1] === "^";
  let source = negated ? "[^\\n\\r" : "[";
  let from = at + (negated ? 2 : 1);
  // A leading `]` is a member.
  if (pattern[from] === "]") {
    source += "\\]";
    from++;
  }
  for (let here = from; here < pattern.length;) {
    const member = memberAt(pattern, here);
    if (typeof member === "string") return member;
    if (member.source === "]") return { source: `${source}]`, length: here + 1 - at };
    source += member.source;
    here += member.length;
  }
  return "a [ is not closed";
}

const posixClasses: Readonly<Record<string, string>> = {
  alpha: "A-Za-z",
  digit: "0-9",
  alnum: "0-9A-Za-z",
  upper: "A-Z",
  lower: "a-z",
  space: "\\t\\v\\f\\r ",
  punct: "!-\\/:-@\\[-`\\{-~",
  word: "\\w",
  xdigit: "0-9A-Fa-f",
};

function memberAt(pattern: string, at: number): PatternPiece | string {
  const character = pattern[at] ?? "";
  if (character === "\\")
    return pattern[at + 1] === "b" ? "\\b in brackets is not known" : escapeAt(pattern, at, insideClass);
  if (character === "[") {
    const posix = /^\[:([a-z]+):\]/.exec(pattern.slice(at, at + 12));
    const members = posixClasses[posix?.[1] ?? ""];
    return posix && members !== undefined
      ? { source: members, length: posix[0].length }
      : "brackets within brackets are not supported";
  }
  if (["&&", "--", "~~"].includes(pattern.slice(at, at + 2)))
    return `${character}${character} in brackets is not supported`;
  if (character === "]") return { source: "]", length: 1 };
  return {
    source: /[-^]/.test(character) ? character : /[()|{}/]/.test(character) ? `\\${character}` : character,
    length: 1,
  };
}
