/** How the second scanner reads commands: only as much grammar as tells where a substitution may occur. */

import { openArithmetic, readBackTicks, readDollar } from "./dollar.ts";
import { readBodies, readDelimiter } from "./heredocs.ts";
import {
  afterContinuations,
  type Commands,
  giveUp,
  type Group,
  isWary,
  openCommands,
  type WordPosition,
  push,
  type Scan,
  skipSingleQuotes,
} from "./scan.ts";

/** Characters without a meaning for the scanner. */
const ordinary = /[^ \t\n\\'"`$<>();&|#[]+/uy;

/** Advances by at least one character. */
export function readCommands(scan: Scan, frame: Commands): void {
  switch (scan.text[scan.at]) {
    case " ":
    case "\t":
      endWord(scan, frame);
      scan.at += 1;
      return;
    case "\n":
      return endLine(scan, frame);
    case "(":
      return openGroup(scan, frame);
    case ")":
      return closeGroup(scan, frame);
    case "<":
    case ">":
      return readRedirection(scan, frame);
    case "|":
      if (frame.isPattern && frame.wordStart >= 0) scan.at += 1;
      else separate(scan, frame);
      return;
    case ";":
    case "&":
      return separate(scan, frame);
    case "#":
      return readHash(scan, frame);
    default:
      return readWord(scan, frame);
  }
}

function readWord(scan: Scan, frame: Commands): void {
  const { text, at } = scan;
  const character = text[at];
  if (character === "\\" && text[at + 1] === "\n") return void (scan.at += 2);
  startWord(frame, at);
  if (character === "\\") scan.at += 2;
  else if (character === "'") skipSingleQuotes(scan);
  else if (character === "`") readBackTicks(scan, frame);
  else if (character === "$") readDollar(scan, frame);
  else if (character === "[") readBracket(scan, frame);
  else if (character === '"') {
    scan.at += 1;
    push(scan, { kind: "double-quotes" });
  } else {
    ordinary.lastIndex = at;
    ordinary.exec(text);
    scan.at = Math.max(ordinary.lastIndex, at + 1);
  }
}

function startWord(frame: Commands, at: number): void {
  if (frame.wordStart < 0) frame.wordStart = at;
}

/** `name[…]` where a command may begin, and `[…]` in `a=(…)`: nothing inside the brackets ends the word. */
function readBracket(scan: Scan, frame: Commands): void {
  const { text, at } = scan;
  const before = text.slice(frame.wordStart, Math.min(at, frame.wordStart + 256)).replaceAll("\\\n", "");
  const isElement = frame.groups.at(-1)?.kind === "array" && before === "";
  const mayAssign =
    frame.position !== "argument" && frame.position !== "name" && /^[A-Za-z_]\w*$/u.test(before);
  scan.at += 1;
  if (isElement || mayAssign) push(scan, { kind: "brackets", depth: 1 });
}

function readHash(scan: Scan, frame: Commands): void {
  if (frame.wordStart >= 0) return void (scan.at += 1);
  if (isWary(frame)) return giveUp(scan);
  const end = scan.text.indexOf("\n", scan.at);
  scan.at = end < 0 ? scan.text.length : end;
}

function endLine(scan: Scan, frame: Commands): void {
  separate(scan, frame);
  readBodies(scan, frame);
}

/** `;`, `&`, `|`, a line's end. */
function separate(scan: Scan, frame: Commands): void {
  const { text, at } = scan;
  endWord(scan, frame);
  const isRedirection = text[at] === "&" && text[at + 1] === ">";
  if (!isRedirection) begin(frame, "command");
  const group = frame.groups.at(-1);
  const ends = text[at] === ";" && (text[at + 1] === ";" || text[at + 1] === "&");
  // Bash 5.2 drops a `;` after a heredoc in a substitution: `$(cat <<E … rm a; ls /)` removes `ls` and `/`, too.
  if (text[at] === ";" && !ends && frame.isNested && frame.hadHeredoc) return giveUp(scan);
  scan.at += ends ? 2 : 1;
  if (ends && group?.kind === "case") group.state = "pattern";
}

function begin(frame: Commands, position: WordPosition): void {
  frame.position = position;
  frame.isTarget = false;
}

function openGroup(scan: Scan, frame: Commands): void {
  const { text, at } = scan;
  if (frame.wordStart >= 0) return openInWord(scan, frame);
  const group = frame.groups.at(-1);
  const second = afterContinuations(text, at + 1);
  scan.at = at + 1;
  if (frame.isPattern) startPattern(frame, at);
  else if (group?.kind === "case" && group.state === "pattern" && !group.hasParenthesis)
    group.hasParenthesis = true;
  else if (text[second] === "(" && (frame.position === "command" || frame.position === "name"))
    openArithmetic(scan, { start: second, isExpansion: false });
  else openSubshell(scan, frame);
}

/** Apparent arithmetic turned out to be a subshell in a subshell. */
export function openSubshell(scan: Scan, frame: Commands): void {
  addGroup(scan, frame, { kind: "subshell" });
  begin(frame, "command");
}

/** The text after `=~` is one word, whatever its parentheses contain. */
function startPattern(frame: Commands, at: number): void {
  const { position, isPattern } = frame;
  frame.groups.push({ kind: "pattern", word: { wordStart: at, position, isPattern } });
}

/** Parentheses that open within a word: `a=(`, `f(`, `@(`, and after `=~`. */
function openInWord(scan: Scan, frame: Commands): void {
  const { wordStart, position, isPattern } = frame;
  const last = scan.text[scan.at - 1] ?? "";
  const isArray = last === "=" && !isPattern;
  if (isArray || isPattern || "?*+@!".includes(last)) {
    addGroup(scan, frame, { kind: isArray ? "array" : "pattern", word: { wordStart, position, isPattern } });
    frame.wordStart = -1;
  } else {
    endWord(scan, frame);
    openSubshell(scan, frame);
  }
  scan.at += 1;
}

function addGroup(scan: Scan, { groups }: Commands, group: Group): void {
  groups.push(group);
  if (groups.length > mostGroups) giveUp(scan);
}

const mostGroups = 1_024;

function closeGroup(scan: Scan, frame: Commands): void {
  endWord(scan, frame);
  const group = frame.groups.at(-1);
  if (group?.kind === "case" && group.state === "pattern") {
    group.state = "body";
    group.hasParenthesis = false;
  } else if (group?.kind === "case") {
    frame.groups.pop(); // it was not a `case` after all
    return;
  } else if (group) frame.groups.pop();
  else if (frame.isNested) closeSubstitution(scan, frame);
  scan.at += 1;
  begin(frame, "command");
  if (group?.kind === "array" || group?.kind === "pattern") Object.assign(frame, group.word);
}

function closeSubstitution(scan: Scan, { heredocs }: Commands): void {
  scan.frames.pop();
  // Where the heredoc bodies are then differs from shell to shell.
  if (heredocs.length > 0) giveUp(scan);
}

function readRedirection(scan: Scan, frame: Commands): void {
  const { text, at } = scan;
  const next = afterContinuations(text, at + 1);
  if (text[next] === "(") {
    startWord(frame, at);
    return openCommands(scan, next + 1);
  }
  const before = frame.wordStart < 0 ? "" : text.slice(frame.wordStart, Math.min(at, frame.wordStart + 256));
  if (/^(?:\d+|\{\w+\})$/u.test(before)) frame.wordStart = -1; // the number or name of a descriptor is not a word
  endWord(scan, frame);
  const third = afterContinuations(text, next + 1);
  const isDouble = text[at] === "<" && text[next] === "<";
  const isHeredoc = isDouble && text[third] !== "<";
  if (isHeredoc) scan.at = third;
  else if (isDouble) scan.at = third + 1; // `<<<`
  else scan.at = "&|>".includes(text[next] ?? " ") ? next + 1 : at + 1;
  if (isHeredoc) readDelimiter(scan, frame);
  frame.isTarget = !isHeredoc;
  if (frame.position === "command") frame.position = "prefix";
}

/** Decides from the word that ends here what the next one may be. */
export function endWord(scan: Scan, frame: Commands): void {
  const start = frame.wordStart;
  if (start < 0) return;
  frame.wordStart = -1;
  const group = frame.groups.at(-1);
  const word = scan.text.slice(start, Math.min(scan.at, start + 256)).replaceAll("\\\n", "");
  frame.isPattern = word === "=~";
  if (group?.kind === "pattern" && word === "case") return giveUp(scan);
  if (group?.kind === "pattern" || group?.kind === "array") return;
  if (group?.kind === "case" && group.state !== "body") return readCase(frame, group, word);
  if (frame.isTarget) frame.isTarget = false;
  else frame.position = positionAfter(scan, frame, word);
}

function readCase(frame: Commands, group: Group & { kind: "case" }, word: string): void {
  if (group.state === "word") group.state = "in";
  else if (group.state === "in" && word === "in") group.state = "pattern";
  else if (group.state === "pattern" && word === "esac" && !group.hasParenthesis) {
    frame.groups.pop();
    begin(frame, "command");
  }
}

/** Words after which a command may begin. */
const leading = new Set([
  "if",
  "then",
  "else",
  "elif",
  "fi",
  "do",
  "done",
  "while",
  "until",
  "!",
  "{",
  "}",
  "time",
  "-p",
  "--",
  "esac",
]);

function positionAfter(scan: Scan, frame: Commands, word: string): WordPosition {
  const { position } = frame;
  if (position === "name") return "command";
  if (position === "command" || position === "coproc") {
    if (word === "case") addGroup(scan, frame, newCase(isWary(frame) ? scan : undefined));
    if (word === "esac" && frame.groups.at(-1)?.kind === "case") frame.groups.pop();
    if (leading.has(word)) return "command";
    if (word === "for" || word === "select" || word === "function") return "name";
    if (word === "coproc") return "coproc";
  }
  if (position === "argument") return position;
  if (/^[A-Za-z_]\w*(?:\[|\+?=)/u.test(word)) return "prefix";
  return position === "coproc" ? "command" : "argument";
}

/** In a wary text it is unclear which parentheses belong to the patterns. */
function newCase(wary: Scan | undefined): Group {
  if (wary) giveUp(wary);
  return { kind: "case", state: "word", hasParenthesis: false };
}
