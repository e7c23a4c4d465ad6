/** Matches globs against paths in time that is proportional to their lengths, whatever they are. */

import { type Expected, refuse } from "./expected.ts";

export type PathMatcher = (path: string) => boolean;

/**
 * Known are `*`, `?`, `**`, sets like `[a-z]`, alternatives like `{a,b}`, and `\\` before a mark that means itself. A
 * wildcard matches any character but "/", also at the beginning of a name. The problem says why it cannot be used.
 */
export function pathMatcher(
  glob: string,
  { ignoresCase = false }: { ignoresCase?: boolean } = {},
): Expected<PathMatcher> {
  const same = (text: string): string => (ignoresCase ? text.toLowerCase() : text);
  if (glob.replace(/^\*\*\//u, "").length > longestGlob)
    return refuse(`it is longer than ${longestGlob} characters`);
  const ways = alternativesOf(same(glob));
  if (ways === undefined) return refuse(`it stands for more than ${mostAlternatives} others`);
  const globs = ways.map((way) => way.split("/").map(partOf));
  const matches = (path: string): boolean => {
    const names = same(path).split("/");
    return globs.some((parts) => meets(names, parts));
  };
  return { ok: true, value: matches };
}

const longestGlob = 1000;
const mostAlternatives = 256;

/** Expands braces; undefined if there would be too many alternatives. */
export function alternativesOf(glob: string): string[] | undefined {
  const done: string[] = [];
  const waiting = [glob];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const brace = firstBrace(next);
    if (brace === undefined) done.push(next);
    else for (const choice of brace.choices.toReversed()) waiting.push(brace.before + choice + brace.after);
    if (done.length + waiting.length > mostAlternatives) return undefined;
  }
  return done;
}

type Brace = { before: string; choices: string[]; after: string };

/** The first brace that is closed and contains a choice; all others are literal. */
function firstBrace(glob: string): Brace | undefined {
  for (let open = markAt(glob, "{", 0); open !== -1; open = markAt(glob, "{", open + 1)) {
    const inner = innerOf(glob, open);
    if (inner === undefined) continue;
    const { commas, close } = inner;
    const choices = [open, ...commas].map((from, at) => glob.slice(from + 1, commas[at] ?? close));
    const range = commas.length === 0 ? /^(.)\.\.(.)$/u.exec(choices[0] ?? "") : undefined;
    if (commas.length === 0 && !range) continue;
    const meant = range ? [`[${range[1]}-${range[2]}]`] : choices;
    return { before: glob.slice(0, open), choices: meant, after: glob.slice(close + 1) };
  }
  return undefined;
}

function innerOf(glob: string, open: number): { commas: number[]; close: number } | undefined {
  const commas: number[] = [];
  let depth = 0;
  for (let at = open; at < glob.length; at++) {
    const character = glob[at];
    if (character === "\\") at++;
    else if (character === "{") depth++;
    else if (character === "," && depth === 1) commas.push(at);
    else if (character === "}" && --depth === 0) return { commas, close: at };
  }
  return undefined;
}

function markAt(glob: string, mark: string, from: number): number {
  for (let at = from; at < glob.length; at++) {
    if (glob[at] === "\\") at++;
    else if (glob[at] === mark) return at;
  }
  return -1;
}

/** One character of a name, or (`star`) any number of them. */
type GlobMark = { is(character: string): boolean } | "star";
type GlobPart = "any directories" | GlobMark[];

function partOf(text: string): GlobPart {
  if (text === "**") return "any directories";
  const marks: GlobMark[] = [];
  const characters = Array.from(text);
  for (let at = 0; at < characters.length; at++) {
    const character = characters[at] ?? "";
    const set = character === "[" ? setAt(characters, at) : undefined;
    if (set) {
      marks.push(set.mark);
      at = set.end;
    } else if (character === "*") {
      if (marks.at(-1) !== "star") marks.push("star");
    } else if (character === "?") marks.push({ is: () => true });
    else {
      const meant = character === "\\" ? (characters[++at] ?? "\\") : character;
      marks.push({ is: (other) => other === meant });
    }
  }
  return marks;
}

/** Parses `[a-z]`, `[!x]`, `[^x]`; a leading `]` is a member. Undefined if the set is not closed. */
function setAt(characters: readonly string[], open: number): { mark: GlobMark; end: number } | undefined {
  const isNegated = characters[open + 1] === "!" || characters[open + 1] === "^";
  const first = open + (isNegated ? 2 : 1);
  const end = characters.indexOf("]", first + 1);
  if (end === -1) return undefined;
  const ranges: [string, string][] = [];
  for (let at = first; at < end; at++) {
    if (characters[at] === "\\" && at + 1 < end) at++;
    const from = characters[at] ?? "";
    const isRange = characters[at + 1] === "-" && at + 2 < end;
    ranges.push([from, (isRange ? characters[at + 2] : from) ?? ""]);
    if (isRange) at += 2;
  }
  const isMember = (other: string): boolean => ranges.some(([from, to]) => from <= other && other <= to);
  return { mark: { is: (other) => isMember(other) !== isNegated }, end };
}

/** Works backwards from both ends, so that many `**` cost no more than one. */
function meets(names: readonly string[], parts: readonly GlobPart[]): boolean {
  // `below[part]`: whether the names after the current one match the parts from there on.
  let below = [...parts, undefined].map((_, at) =>
    parts.slice(at).every((part) => part === "any directories"),
  );
  for (const name of names.toReversed()) {
    const here: boolean[] = Array.from({ length: parts.length + 1 }, () => false);
    for (let at = parts.length - 1; at >= 0; at--) {
      const part = parts[at];
      if (part === undefined) continue;
      if (part === "any directories") here[at] = below[at] === true || here[at + 1] === true;
      else here[at] = below[at + 1] === true && fits(name, part);
    }
    below = here;
  }
  return below[0] ?? false;
}

/** Backtracks only to the last star, which suffices. */
function fits(name: string, marks: readonly GlobMark[]): boolean {
  const characters = Array.from(name);
  let [read, at, star, resumed] = [0, 0, -1, 0];
  while (read < characters.length) {
    const mark = marks[at];
    if (mark === "star") {
      star = at++;
      resumed = read;
    } else if (mark?.is(characters[read] ?? "") === true) {
      at++;
      read++;
    } else if (star >= 0) {
      at = star + 1;
      read = ++resumed;
    } else return false;
  }
  return marks.slice(at).every((mark) => mark === "star");
}
