/** Markdown that is still being written: what is finished is rendered once, only the end again and again. */

import type { Token, Tokens } from "marked";
import { showable, visibleText } from "../../view/visible.ts";
import { codeHtml, languageOf, lex, type Links, tokensHtml } from "./markdown-html.ts";

/** A top-level block. Code by itself, so that what comes to it can be appended. */
export type Piece =
  | { type: "html"; html: string; raw: string }
  | { type: "code"; language: string; text: string; isOpen: boolean };

/**
 * `done` never changes but where a link that was referred to is defined later. `tail` is the text behind it, as far as
 * `taken` characters of the source go, and `open` what that looks like by now.
 */
export type Growing = {
  done: readonly Piece[];
  open: readonly Piece[];
  taken: number;
  tail: string;
  links: Links;
  /** All links with those of the tail, as `done` was rendered with them. */
  shown: Links;
  fence?: Fence;
};

/** A block of code at the beginning of the tail that has no end yet; what is before `scanned` does not end it. */
type Fence = { marker: string; language: string; from: number; scanned: number };

const noLinks: Links = Object.create(null);
export const nothingYet: Growing = {
  done: [],
  open: [],
  taken: 0,
  tail: "",
  links: noLinks,
  shown: noLinks,
};

/** The same text, longer: `source` begins with what was given before. `isWhole`: nothing more comes. */
export function grown(before: Growing, source: string, isWhole: boolean): Growing {
  const end = isWhole ? source.length : showable(source);
  if (end <= before.taken && !isWhole) return before;
  const tail = before.tail + visibleText(source.slice(before.taken, end));
  const next = { ...before, taken: end, tail };
  return withinFence(next, isWhole) ?? lexed(next, isWhole);
}

export const pieceHtml = (piece: Piece): string =>
  piece.type === "code" ? codeHtml(piece.language, piece.text) : piece.html;

function lexed(before: Growing, isWhole: boolean): Growing {
  const { fence: _, ...state } = before;
  const { tokens, links } = lex(state.tail, state.links);
  const finished = isWhole ? tokens.length : countFinished(tokens, state.tail);
  const finishedText = rawOf(tokens.slice(0, finished));
  // The lexer keeps every character; if it ever did not, the whole tail would stay open.
  const isExact = state.tail.startsWith(finishedText);
  const count = isExact ? finished : 0;
  const tail = isExact ? state.tail.slice(finishedText.length) : state.tail;
  const known = count === 0 ? state.links : linksOf(finishedText, state.links);
  const done = isSame(links, state.shown) ? state.done : state.done.map((piece) => relinked(piece, links));
  const open = tokens.slice(count);
  return {
    ...state,
    done: count === 0 ? done : [...done, ...piecesOf(tokens.slice(0, count), tail !== "")],
    open: piecesOf(open, !isWhole),
    tail,
    links: known,
    shown: links,
    ...fenceAt(tail, open),
  };
}

const rawOf = (tokens: readonly Token[]): string => tokens.map(({ raw }) => raw).join("");

const linksOf = (text: string, known: Links): Links => (text.includes("]:") ? lex(text, known).links : known);

function isSame(some: Links, others: Links): boolean {
  const names = Object.keys(some);
  return (
    names.length === Object.keys(others).length &&
    names.every(
      (name) => some[name]?.href === others[name]?.href && some[name]?.title === others[name]?.title,
    )
  );
}

function relinked(piece: Piece, links: Links): Piece {
  if (piece.type === "code" || !piece.raw.includes("[")) return piece;
  const html = tokensHtml(lex(piece.raw, links).tokens);
  return html === piece.html ? piece : { ...piece, html };
}

/**
 * Tokens that nothing can change any more: those before the last one that says something and whose first two lines are
 * over. One line more may make a table of a line, and an end of the paragraph before it.
 */
function countFinished(tokens: readonly Token[], text: string): number {
  const settled = text.lastIndexOf("\n", text.lastIndexOf("\n") - 1);
  let finished = 0;
  let start = 0;
  for (const [at, { type, raw }] of tokens.entries()) {
    if (type !== "space" && start <= settled) finished = at;
    const rest = text.slice(start);
    if (mayBeHeading(type, rest) || mayBeDefinition(type, rest, raw)) break;
    start += raw.length;
  }
  return settled < 0 ? 0 : finished;
}

/** A line of `===` makes a heading of all lines above it up to an empty one, also of some that would else be apart. */
const mayBeHeading = (type: string, text: string): boolean =>
  type === "paragraph" && !/\n[ \t]*\n/u.test(text);

/** The names and titles of definitions go on over any number of lines until they are closed. */
function mayBeDefinition(type: string, text: string, raw: string): boolean {
  if (type === "def") return /^\s*["'(]/u.test(text.slice(raw.length)) || raw.length === text.length;
  return /^ {0,3}\[/u.test(raw) && /^ {0,3}\[(?:\\[^]|[^[\]\\])*\\?$/u.test(text);
}

function piecesOf(tokens: readonly Token[], isOpen: boolean): Piece[] {
  const shown = tokens.filter(({ type }) => type !== "space" && type !== "def");
  return shown.map((token, at): Piece => {
    if (isCode(token))
      return {
        type: "code",
        language: languageOf(token.lang),
        text: token.text,
        isOpen: isOpen && at === shown.length - 1,
      };
    return { type: "html", html: tokensHtml([token]), raw: token.raw };
  });
}

const isCode = (token: Token): token is Tokens.Code => token.type === "code";

const opening = /^(`{3,}|~{3,})[^\n]*\n/u;

/** Only a fence at the very margin: what is within an indented one is moved to the left. */
function fenceAt(tail: string, open: readonly Token[]): { fence?: Fence } {
  const [first] = open;
  const found = open.length === 1 && first && isCode(first) ? opening.exec(tail) : null;
  if (!found || !first || !isCode(first)) return {};
  const [line, marker = ""] = found;
  return {
    fence: { marker, language: languageOf(first.lang), from: line.length, scanned: line.length },
  };
}

/** The fast way for long code: no line that has come ends it, so it has only become longer. */
function withinFence(state: Growing, isWhole: boolean): Growing | undefined {
  const { fence, tail } = state;
  if (!fence || isWhole) return undefined;
  const closing = new RegExp(`^ {0,3}${fence.marker}[~\`]* *$`, "mu");
  if (closing.test(tail.slice(fence.scanned))) return undefined;
  const text = tail.slice(fence.from).replace(/\n$/u, "");
  const scanned = Math.max(fence.from, tail.lastIndexOf("\n") + 1);
  const open: Piece = { type: "code", language: fence.language, text, isOpen: true };
  return { ...state, open: [open], fence: { ...fence, scanned } };
}
