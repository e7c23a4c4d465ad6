/** Detects placeholder lines such as "// ... existing code ...", which would destroy the text they stand for. */

import { hunksOf } from "./hunks.ts";
import { type Hint, mayBeOmission, saysOmission } from "./omission-words.ts";

/** `had`: the previous texts. `replaces`: the one that the new text replaces. */
type PreviousTexts = { path: string; had: readonly string[]; replaces?: string };

/** The first placeholder line of a replacement that none of the previous texts contains. */
export function newPlaceholder(fresh: string, { path, had, replaces }: PreviousTexts): string | undefined {
  const known = new Set(had.flatMap((text) => text.split("\n").map((line) => line.trim())));
  const sure = placeholdersIn(fresh, path).find((line) => !known.has(line));
  if (sure !== undefined || replaces === undefined) return sure;
  const likely = placeholdersIn(fresh, path, "likely").filter((line) => !known.has(line));
  return likely.length === 0 ? undefined : likely.find(standsForLost({ fresh, replaces }));
}

/** How explicit a line must be: if lines are removed in its place, ambiguous words suffice. */
type Sureness = "sure" | "likely";

/** All placeholder lines, trimmed. The path tells the kind of text. */
export function placeholdersIn(text: string, path = "", sureness: Sureness = "sure"): string[] {
  const kind = kindOf(path);
  const lines = text.split("\n");
  const quoted = quotedLines(lines, kind);
  return lines
    .filter((line, at) => {
      if (quoted.has(at) || line.length > longestLine) return false;
      if (leavesOut(line.trim(), kind)) return true;
      return sureness === "likely" && mayLeaveOut(line.trim(), kind, () => isAlone(lines, at));
    })
    .map((line) => line.trim());
}

/** Whether a line is the only content of its block. */
function isAlone(lines: readonly string[], at: number): boolean {
  const nextFrom = (from: number, step: 1 | -1): string | undefined => {
    let next = from + step;
    while (lines[next]?.trim() === "") next += step;
    return lines[next];
  };
  const depth = depthOf(lines[at]);
  const [above, below] = [nextFrom(at, -1), nextFrom(at, 1)];
  const isWithin = depth > 0 && depthOf(above) < depth && (below === undefined || depthOf(below) < depth);
  return isWithin || /[{(>]\s*(?:\{?\/\*.*\*\/\}?|<!--.*-->)\s*[})<]/.test(lines[at] ?? "");
}

const depthOf = (line = ""): number => line.length - line.trimStart().length;

/** Whether more lines are removed than added at a new line. */
function standsForLost({ fresh, replaces }: { fresh: string; replaces: string }): (line: string) => boolean {
  const [old, made] = [linesOf(replaces), linesOf(fresh)];
  const stay = new Set(made);
  const losing = hunksOf(old, made).filter(({ from, to, lines }) => {
    const lost = old.slice(from, to).filter((line) => line !== "" && !stay.has(line)).length;
    return lost + 1 - lines.filter((line) => line !== "").length >= leastLost;
  });
  return (line) => losing.some(({ lines }) => lines.includes(line));
}

const linesOf = (text: string): string[] => text.split("\n").map((line) => line.trim());

const leastLost = 2;

const longestLine = 300;

export const placeholderAdvice =
  "Write out every line that is to be in the file, or change less: replace short passages, each copied whole.";

/** `signs`: a bare ellipsis cannot be code. `prose`: "#" and "--" do not begin comments; code is quoted. */
type CommentKind = "signs" | "code" | "python" | "prose";

function kindOf(path: string): CommentKind {
  const ending = /\.([^./]+)$/.exec(path.toLowerCase())?.[1] ?? "";
  if (/^(?:md|mdx|markdown|txt|rst|adoc|org|tex)$/.test(ending)) return "prose";
  if (/^(?:py|pyi|ipynb)$/.test(ending)) return "python";
  const hasNone =
    /^(?:[cm]?[jt]sx?|jsonc?|json5|java|cs|go|rs|kts?|swift|html?|css|scss|less|xml|svg|sql|vue|svelte|toml|dart|scala)$/;
  return hasNone.test(ending) ? "signs" : "code";
}

/** Lines inside multi-line strings, and code quoted in prose, are data. */
function quotedLines(lines: readonly string[], kind: CommentKind): Set<number> {
  const quoted = new Set<number>();
  let open: string | undefined;
  for (const [at, line] of lines.entries()) {
    if (open !== undefined) quoted.add(at);
    for (const [mark] of line.matchAll(marks[kind])) {
      if (open === undefined) open = mark;
      else if (open === mark) open = undefined;
    }
  }
  // An unclosed quote is not one, so the lines after it are not data.
  return open === undefined ? quoted : new Set();
}

const marks: Readonly<Record<CommentKind, RegExp>> = {
  signs: /(?<!\\)`/g,
  code: /(?<!\\)`/g,
  python: /"""|'''/g,
  prose: /^\s*(?:```|~~~)/g,
};

function leavesOut(line: string, kind: CommentKind): boolean {
  if (line === "") return false;
  const comment = commentIn(line, kind);
  if (comment === undefined) return isNaked(line, kind);
  const { words, hint } = stripMarks(comment.words);
  // In prose, lists and headings begin like comments.
  if (words === "") return hint === "leading" && !comment.isLoose && kind !== "prose";
  return saysOmission(words, hint);
}

/** Whether the line is a placeholder if lines are lost in its place. */
function mayLeaveOut(line: string, kind: CommentKind, isOnly: () => boolean): boolean {
  const comment = commentIn(line, kind);
  if (comment === undefined)
    return (
      /^[[(<]\s*(?:\.{3}|\u2026).*[\])>]$/.test(line) ||
      (kind === "signs" && />\s*(?:\.{3}|\u2026)\s*<\//.test(line))
    );
  const { words, hint } = stripMarks(comment.words);
  return kind !== "prose" && (hint === "leading" || mayBeOmission(words, isOnly()));
}

/** Without a comment sign, only what is clearly not code counts, judging by its words or context. */
function isNaked(line: string, kind: CommentKind): boolean {
  const { words, hint } = stripMarks(line);
  if (words === "") return kind === "signs" && /^[[(<]?\s*(?:\.{3,}|\u2026)\s*[\])>]?$/.test(line);
  const hasSpace = /\s|[\u3040-\u9FFF\uAC00-\uD7AF]/.test(words) || /^(?:\.{3}|\u2026)\s+[([]/.test(line);
  if (!hasSpace || hint === "none" || /[=;{}"'`$]|=>|\(\)/.test(words)) return false;
  if (/\.{3}|\u2026/.test(line)) return saysOmission(words, "around");
  return /^[[(<].*[\])>]$/.test(line) && saysOmission(words, "none");
}

/** `isLoose`: the comment sign has other uses as well. */
type Comment = { words: string; isLoose: boolean };

function commentIn(line: string, kind: CommentKind): Comment | undefined {
  for (const { begins, isLoose = false, notIn, onlyIn } of styles) {
    const isOther = notIn === kind || (onlyIn !== undefined && onlyIn !== kind);
    const words = isOther ? undefined : begins.exec(line)?.[1];
    if (words !== undefined) return { words, isLoose };
  }
  if (kind === "prose") return undefined;
  const inner =
    /(?:\/\*+|<!--+|\(\*)(.*?)(?:\*+\/|--+>|\*\))/.exec(line) ?? /[\s{([;,](?:\/\/|#)\s(.*)$/.exec(line);
  const words = inner?.[1];
  if (inner === null || words === undefined || isInString(line, inner.index)) return undefined;
  return { words, isLoose: true };
}

const styles: readonly { begins: RegExp; isLoose?: true; notIn?: CommentKind; onlyIn?: CommentKind }[] = [
  { begins: /^\{?\s*\/\*+(.*?)(?:\*+\/\s*\}?)?$/ },
  { begins: /^<!--+(.*?)(?:--+>)?$/ },
  { begins: /^\{#(.*)#\}$/ },
  { begins: /^\{\{!(?:--)?(.*?)(?:--)?\}\}$/ },
  { begins: /^<%--(.*)--%>$/ },
  { begins: /^<%#(.*)%>$/ },
  { begins: /^<#(.*)#>$/ },
  { begins: /^\{\*(.*)\*\}$/ },
  { begins: /^@\*(.*)\*@$/ },
  { begins: /^\(\*(.*)\*\)$/ },
  { begins: /^\{-(.*)-\}$/ },
  { begins: /^\/\/+!?(.*)$/ },
  { begins: /^#+(.*)$/, notIn: "prose" },
  { begins: /^--+(.*)$/, notIn: "prose" },
  { begins: /^;+(.*)$/, notIn: "prose" },
  { begins: /^%+(.*)$/ },
  { begins: /^(?:rem|dnl)\s(.*)$/i },
  { begins: /^-#\s(.*)$/ },
  { begins: /^::\s(.*)$/, onlyIn: "code" },
  { begins: /^["'!]\s([^"']*)$/, isLoose: true, onlyIn: "code" },
  { begins: /^(?:"""|''')(.*)(?:"""|''')$/, isLoose: true, onlyIn: "python" },
  { begins: /^\*+\s(.*)$/, isLoose: true },
];

function isInString(line: string, place: number): boolean {
  const before = line.slice(0, place + 1);
  return ["'", '"', "`"].some((quote) => (before.split(quote).length - 1) % 2 === 1);
}

/** Strips surrounding dots, brackets and other marks, and tells which there were. */
function stripMarks(text: string): { words: string; hint: Hint } {
  const trimmed = text.trim().replace(/[\u22EE\u22EF\uFE19]+|[\u30FB\u3002\u00B7]{3,}/g, "\u2026");
  const words = trimmed.toLowerCase().replace(edges, "").replace(/\s+/g, " ");
  if (/^[\s([{<*_-]*(?:\.{3}|\u2026|\. \. \.)/.test(trimmed)) return { words, hint: "leading" };
  const isAround = /^[\s*_]*[([<\uFF08\u3010]|(?:\.{3}|\u2026|\. \. \.)[\s)\]}>*_-]*$/.test(trimmed);
  return { words, hint: isAround ? "around" : "none" };
}

const marksAround = "\\s.\u2026()[\\]<>{}*_=~:,!\u3002\uFF08\uFF09\u3010\u3011-";
const edges = new RegExp(`^[${marksAround}]+|[${marksAround}]+$`, "g");
