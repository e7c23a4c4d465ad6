/** Incremental Markdown: renders finished parts once and re-renders only the end while the text grows. */

import type { Token, Tokens } from "marked";
import { showable, visibleText } from "../../base/visible-text.ts";
import { codeHtml, lex, type Links, tokensHtml } from "../../view/markdown/markdown-html.ts";
import { languageOf } from "../../view/markdown/source.ts";

/** A top-level block. Code is a kind of its own, so that new text can be appended to it. */
export type MarkdownPiece =
  | { type: "html"; html: string; raw: string }
  | { type: "code"; language: string; text: string; isOpen: boolean };

/**
 * `done` changes only when a link that it refers to is defined later. `tail` is the text after it, up to `taken`
 * characters of the source; `open` is its current rendering.
 */
export type Growing = {
  done: readonly MarkdownPiece[];
  open: readonly MarkdownPiece[];
  taken: number;
  tail: string;
  links: Links;
  /** All links, including the tail's, with which `done` was rendered. */
  shown: Links;
  fence?: CodeFence;
};

/** An unclosed code block at the start of the tail; the text before `scanned` does not close it. */
type CodeFence = { marker: string; language: string; from: number; scanned: number };

const noLinks: Links = Object.create(null);
export const nothingYet: Growing = {
  done: [],
  open: [],
  taken: 0,
  tail: "",
  links: noLinks,
  shown: noLinks,
};

/** Updates for a longer text: `source` begins with the earlier text. `isWhole`: the text is complete. */
export function growMarkdown(before: Growing, source: string, isWhole: boolean): Growing {
  const end = isWhole ? source.length : showable(source);
  if (end <= before.taken && !isWhole) return before;
  const tail = before.tail + visibleText(source.slice(before.taken, end));
  const next = { ...before, taken: end, tail };
  return withinFence(next, isWhole) ?? lexTail(next, isWhole);
}

export const pieceHtml = (piece: MarkdownPiece): string =>
  piece.type === "code" ? codeHtml(piece.language, piece.text) : piece.html;

function lexTail(before: Growing, isWhole: boolean): Growing {
  const { fence: _, ...state } = before;
  const { tokens, links } = lex(state.tail, state.links);
  const finished = isWhole ? tokens.length : countFinished(tokens, state.tail);
  const finishedText = rawOf(tokens.slice(0, finished));
  // The lexer preserves every character; should it ever not, the whole tail stays open.
  const isExact = state.tail.startsWith(finishedText);
  const count = isExact ? finished : 0;
  const tail = isExact ? state.tail.slice(finishedText.length) : state.tail;
  const known = count === 0 ? state.links : linksOf(finishedText, state.links);
  const done = isSame(links, state.shown) ? state.done : state.done.map((piece) => withLinks(piece, links));
  const open = tokens.slice(count);
  return {
    ...state,
    done: count === 0 ? done : [...done, ...piecesOf(tokens.slice(0, count), false)],
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

function withLinks(piece: MarkdownPiece, links: Links): MarkdownPiece {
  if (piece.type === "code" || !piece.raw.includes("[")) return piece;
  const html = tokensHtml(lex(piece.raw, links).tokens);
  return html === piece.html ? piece : { ...piece, html };
}

/**
 * Tokens that later text cannot change: those before the last non-blank one whose first two lines are complete. Until
 * then, a further line could turn its first line into a table, which would also end the paragraph before it.
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

/**
 * A line of `===` turns all lines up to the previous empty one into a heading, even some that would otherwise be
 * separate.
 */
const mayBeHeading = (type: string, text: string): boolean =>
  type === "paragraph" && !/\n[ \t]*\n/u.test(text);

/** The labels and titles of link definitions may span any number of lines until they are closed. */
function mayBeDefinition(type: string, text: string, raw: string): boolean {
  if (type === "def") return /^\s*["'(]/u.test(text.slice(raw.length)) || raw.length === text.length;
  return /^ {0,3}\[/u.test(raw) && /^ {0,3}\[(?:\\[^]|[^[\]\\])*\\?$/u.test(text);
}

function piecesOf(tokens: readonly Token[], isOpen: boolean): MarkdownPiece[] {
  const shown = tokens.filter(({ type }) => type !== "space" && type !== "def");
  return shown.map((token, at): MarkdownPiece => {
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

/** Only for fences at the margin: the content of an indented one would have to be unindented. */
function fenceAt(tail: string, open: readonly Token[]): { fence?: CodeFence } {
  const [first] = open;
  const found = open.length === 1 && first && isCode(first) ? opening.exec(tail) : null;
  if (!found || !first || !isCode(first)) return {};
  const [line, marker = ""] = found;
  return {
    fence: { marker, language: languageOf(first.lang), from: line.length, scanned: line.length },
  };
}

/** Fast path for long code: if no new line closes the block, it has only become longer. */
function withinFence(state: Growing, isWhole: boolean): Growing | undefined {
  const { fence, tail } = state;
  if (!fence || isWhole) return undefined;
  const closing = new RegExp(`^ {0,3}${fence.marker}[~\`]* *$`, "mu");
  if (closing.test(tail.slice(fence.scanned))) return undefined;
  const text = tail.slice(fence.from).replace(/\n$/u, "");
  const scanned = Math.max(fence.from, tail.lastIndexOf("\n") + 1);
  const open: MarkdownPiece = { type: "code", language: fence.language, text, isOpen: true };
  return { ...state, open: [open], fence: { ...fence, scanned } };
}
