/** Where a text stands in a part of the page, without regard to case, also across elements of one line. */

/** More than these nobody goes through. */
const most = 1_000;

export function rangesOf(root: HTMLElement, words: string): Range[] {
  const wanted = words.toLowerCase();
  if (wanted.trim() === "") return [];
  const ranges: Range[] = [];
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node && ranges.length < most; node = walker.nextNode())
    if (node instanceof Text) findIn(node, wanted, ranges);
  return ranges;
}

function findIn(node: Text, wanted: string, ranges: Range[]): void {
  const text = node.data.toLowerCase();
  // A few letters have another length in lower case: then places cannot be told.
  if (text.length !== node.data.length) return;
  for (
    let at = text.indexOf(wanted);
    at >= 0 && ranges.length < most;
    at = text.indexOf(wanted, at + wanted.length)
  ) {
    const range = document.createRange();
    range.setStart(node, at);
    range.setEnd(node, at + wanted.length);
    ranges.push(range);
  }
}
