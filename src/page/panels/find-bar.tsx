/** Search within the conversation: highlights the matches and steps through them. */

import { useSignal } from "@preact/signals";
import { useId, useLayoutEffect, useRef } from "preact/hooks";
import { useFocusWithin } from "../app/focus.ts";
import "./search-panel.css";
import { matchesIn, type PiecePosition } from "./find-matches.ts";

type FindBarProps = { root: () => HTMLElement | undefined; onClose: () => void };

/** Names of the CSS highlights for matches. */
const [all, current] = ["found", "found-now"] as const;

export function FindBar({ root, onClose }: FindBarProps) {
  const { words, found, at, look, go } = useFind(root);
  const field = useId();
  const place = useRef<HTMLDivElement>(null);
  useFocusWithin(place, true);
  useLayoutEffect(() => unmark, []);
  const count = found.length;
  return (
    <div
      class="find-bar"
      ref={place}
      role="search"
      aria-label="Search in this conversation"
      onKeyDown={(event) => {
        if (event.key === "Escape") onClose();
      }}
    >
      <label for={field} class="visually-hidden">
        Search in this conversation
      </label>
      <input
        id={field}
        class="field"
        type="search"
        autocomplete="off"
        placeholder="Find in this conversation"
        value={words}
        onInput={(event) => look(event.currentTarget.value, 0)}
        onKeyDown={(event) => {
          if (event.key === "Enter") go(event.shiftKey ? -1 : 1);
        }}
      />
      <span class="muted" role="status">
        {words.trim() === "" ? "" : count === 0 ? "not found" : `${at + 1} of ${count}`}
      </span>
      <Button label="Previous" off={count === 0} press={() => go(-1)} />
      <Button label="Next" off={count === 0} press={() => go(1)} />
      <Button label="Close" off={false} press={onClose} />
    </div>
  );
}

function Button({ label, off, press }: { label: string; off: boolean; press: () => void }) {
  return (
    <button type="button" class="button quiet" disabled={off} onClick={press}>
      {label}
    </button>
  );
}

function useFind(root: FindBarProps["root"]) {
  const words = useSignal("");
  const found = useSignal<readonly Range[]>([]);
  const at = useSignal(0);
  const look = (text: string, place: number): void => {
    const within = root();
    const ranges = within ? rangesOf(within, text) : [];
    words.value = text;
    found.value = ranges;
    at.value = ranges.length === 0 ? 0 : (place + ranges.length) % ranges.length;
    show(ranges, at.value);
  };
  // Searches again: text may have been added or re-rendered meanwhile.
  const go = (by: 1 | -1): void => look(words.peek(), at.peek() + by);
  return { words: words.value, found: found.value, at: at.value, look, go };
}

/** Uses the browser's highlights, which leave the conversation's elements unchanged. */
function show(found: readonly Range[], at: number): void {
  unmark();
  const now = found[at];
  if (!now || !("highlights" in CSS)) return;
  CSS.highlights.set(all, new Highlight(...found));
  CSS.highlights.set(current, new Highlight(now));
  const place = now.startContainer.parentElement;
  openAround(place);
  place?.scrollIntoView({ block: "center" });
}

function unmark(): void {
  if (!("highlights" in CSS)) return;
  CSS.highlights.delete(all);
  CSS.highlights.delete(current);
}

/** Unfolds the elements around a match, which would otherwise be hidden. */
function openAround(place: Element | null): void {
  for (let around = place?.closest("details"); around; around = around.parentElement?.closest("details"))
    around.open = true;
}

/** Elements that begin and end a line; in others, such as emphasis, the text continues. */
const lines =
  "p, li, td, th, pre, div, h1, h2, h3, h4, h5, h6, section, article, summary, button, dt, dd, blockquote";

/** Finds a text in a part of the page, ignoring case and across pieces of one line. */
function rangesOf(root: HTMLElement, words: string): Range[] {
  const nodes = textsIn(root);
  const texts = nodes.map((node) => ({ text: node.data, line: node.parentElement?.closest(lines) }));
  return matchesIn(texts, words).flatMap(({ from, to }) => {
    const range = document.createRange();
    return setEnds(range, nodes, { from, to }) ? [range] : [];
  });
}

function setEnds(
  range: Range,
  nodes: readonly Text[],
  { from, to }: { from: PiecePosition; to: PiecePosition },
): boolean {
  const [first, last] = [nodes[from.piece], nodes[to.piece]];
  if (!first || !last) return false;
  range.setStart(first, from.at);
  range.setEnd(last, to.at);
  return true;
}

function textsIn(root: HTMLElement): Text[] {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const nodes: Text[] = [];
  for (let node = walker.nextNode(); node; node = walker.nextNode())
    if (node instanceof Text) nodes.push(node);
  return nodes;
}
