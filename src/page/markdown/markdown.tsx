/** Renders Markdown, also while it is still being written. */

import { useLayoutEffect, useRef } from "preact/hooks";
import "./markdown.css";
import { type Growing, growMarkdown, nothingYet, type MarkdownPiece, pieceHtml } from "./growing.ts";
import { colourIn } from "./highlight.ts";
import { elementOf } from "./sanitize.ts";

export function Markdown({ text, isOpen }: { text: string; isOpen: boolean }) {
  const place = useRef<HTMLDivElement>(null);
  const view = useRef<MarkdownView>(undefined);
  useLayoutEffect(() => {
    if (place.current) view.current ??= markdownView(place.current);
    view.current?.show(text, isOpen);
  }, [text, isOpen]);
  useLayoutEffect(() => () => view.current?.stop(), []);
  return <div class="prose" ref={place} />;
}

type MarkdownView = { show: (text: string, isOpen: boolean) => void; stop: () => void };

/** The largest share of time that may go into rendering text as it streams. */
const share = 1 / 12;
/** More frequent updates would not help any reader. */
const leastMs = 40;

/** Displays growing Markdown: finished parts stay untouched, and new code is appended. */
function markdownView(place: HTMLElement): MarkdownView {
  const shown: { piece: MarkdownPiece; element: HTMLElement }[] = [];
  let state: Growing = nothingYet;
  let source = "";
  let restUntil = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const draw = (isOpen: boolean): void => {
    const began = performance.now();
    state = growMarkdown(isOpen ? state : startOf(state, source), source, !isOpen);
    const pieces = [...state.done, ...state.open];
    for (const [at, piece] of pieces.entries()) drawPiece(place, shown, { at, piece });
    for (const { element } of shown.splice(pieces.length)) element.remove();
    const ended = performance.now();
    restUntil = ended + Math.max(leastMs, (ended - began) / share);
  };

  return {
    show(text, isOpen) {
      // Not a continuation of the earlier text: starts over.
      if (text.length < source.length || !text.startsWith(source.slice(-20), Math.max(0, source.length - 20)))
        state = nothingYet;
      source = text;
      clearTimeout(timer);
      const wait = isOpen ? restUntil - performance.now() : 0;
      if (wait <= 0) draw(isOpen);
      else timer = setTimeout(() => draw(true), wait);
    },
    stop: () => clearTimeout(timer),
  };
}

/** Parses the finished text once as a whole, so that it looks the same as after a reload. */
const startOf = (state: Growing, source: string): Growing =>
  state.taken === source.length ? state : nothingYet;

type DrawnPieces = { piece: MarkdownPiece; element: HTMLElement }[];

function drawPiece(
  place: HTMLElement,
  shown: DrawnPieces,
  { at, piece }: { at: number; piece: MarkdownPiece },
): void {
  const known = shown[at];
  if (known?.piece === piece) return;
  if (known && (isLonger(known, piece) || pieceHtml(known.piece) === pieceHtml(piece))) {
    const isFinished = known.piece.type === "code" && known.piece.isOpen && !isStillOpen(piece);
    known.piece = piece;
    if (isFinished) colourIn(known.element);
    return;
  }
  const element = elementOf(pieceHtml(piece));
  if (known) known.element.replaceWith(element);
  else place.append(element);
  shown[at] = { piece, element };
  if (!isStillOpen(piece)) colourIn(element);
}

const isStillOpen = (piece: MarkdownPiece): boolean => piece.type === "code" && piece.isOpen;

/** Appends to code that has only become longer. */
function isLonger({ piece: before, element }: DrawnPieces[number], piece: MarkdownPiece): boolean {
  if (before.type !== "code" || piece.type !== "code" || before.language !== piece.language) return false;
  if (!before.isOpen || !piece.text.startsWith(before.text)) return false;
  const code = element.querySelector("code")?.firstChild;
  if (!(code instanceof Text)) return false;
  // The element's text ends with a line break that is not part of the code.
  code.insertData(code.length - 1, piece.text.slice(before.text.length));
  return true;
}
