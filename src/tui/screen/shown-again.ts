/** How much of a session is shown again when it is opened: whole requests, the last ones. */

import type { Block } from "../../view/blocks.ts";

/** Of several requests; the last one is shown whole, however long it is. */
const mostBlocks = 40;

/** `from`: the place of the first block. */
export function shownAgain(blocks: readonly Block[]): { from: number; requests: number } {
  const begins = blocks.flatMap((block, at) =>
    block.type === "user" && block.how === undefined ? [at] : [],
  );
  const last = begins.at(-1);
  if (last === undefined) return { from: blocks.length, requests: 0 };
  const from = begins.find((at) => blocks.length - at <= mostBlocks) ?? last;
  return { from, requests: begins.length - begins.indexOf(from) };
}
