/** Finds a text in a part of the page, ignoring case and across pieces of one line. */

import { matchesIn, type PiecePosition } from "./find-matches.ts";

/** Elements that begin and end a line; in others, such as emphasis, the text continues. */
const lines =
  "p, li, td, th, pre, div, h1, h2, h3, h4, h5, h6, section, article, summary, button, dt, dd, blockquote";

export function rangesOf(root: HTMLElement, words: string): Range[] {
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
