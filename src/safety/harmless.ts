/**
 * Commands that plainly only read, inside the workspace: the short list that runs without a question.
 * Conservative on purpose: one program, literal words, options from a list, no shell operator, nothing that reaches
 * outside. A parser that understands whole command lines takes this place in a later release.
 */
import { readers, type Reader } from "./readers.ts";

/** `program --version` tells and ends, for these. Not for those that choose a toolchain by files of the workspace. */
const versioned = new Set(["node", "npm", "git", "python3", "tsc", "gcc"]);

/** Whether the line is one plain command that only reads the workspace, as far as its words tell (see `reach.ts`). */
export function isPlainlyHarmless(line: string): boolean {
  const words = plainWords(line);
  if (!words) return false;
  const [program = "", ...rest] = words;
  if (versioned.has(program)) return rest.length === 1 && (rest[0] === "--version" || rest[0] === "version");
  const reader = readers.get(program);
  return reader !== undefined && onlyKnownOptions(rest, reader) && operandsOf(words).every(staysInside);
}

/** The words of a line made of nothing but literal words, without their quotes, or undefined. */
export function plainWords(line: string): string[] | undefined {
  const word = /^(?:[A-Za-z0-9_./:@%+,=-]+|'[^'\p{Cc}]*'|"[^"$`\\!\p{Cc}]*")+/u;
  const words: string[] = [];
  let rest = line.trim();
  if (rest.length > 2_000) return undefined;
  while (rest !== "") {
    const found = word.exec(rest)?.[0];
    if (found === undefined) return undefined;
    words.push(found.replaceAll(/'([^']*)'|"([^"]*)"/gu, "$1$2"));
    const after = rest.slice(found.length);
    rest = after.replace(/^[ \t]+/u, "");
    if (rest !== "" && rest === after) return undefined;
  }
  const first = words[0] ?? "";
  return first === "" || first.includes("=") ? undefined : words;
}

/** The words that may name files: none of the options that are let through has a file for its value. */
export function operandsOf([, ...rest]: readonly string[]): string[] {
  const end = rest.includes("--") ? rest.indexOf("--") : rest.length;
  return rest.filter((word, at) => at > end || isOperand(word));
}

const isOperand = (word: string): boolean => word === "-" || !word.startsWith("-");

/** Whole names of long options only: the programs take abbreviations too. */
function onlyKnownOptions(words: readonly string[], { short, long, operand }: Reader): boolean {
  return words.every((word) => {
    if (isOperand(word)) return operand?.test(word) ?? true;
    if (word === "--") return true;
    return word.startsWith("--") ? long.test(word.slice(2).replace(/=.*$/su, "")) : short.test(word.slice(1));
  });
}

/** False for words that may name something outside the workspace. */
function staysInside(word: string): boolean {
  return !word.startsWith("/") && !word.startsWith("~") && !word.split("/").includes("..");
}
