/** One row for each call: how it was decided, the list that it set and the session that it started stand in it. */

import type { Block } from "../../view/blocks.ts";

export function rowsOf(blocks: readonly Block[]): readonly Block[] {
  const calls = blocks.filter((block) => block.type === "call");
  const children = new Set(calls.map(({ child }) => child));
  const asked = new Set(blocks.flatMap((block) => (block.type === "asked" ? [block.callId] : [])));
  const lists = latestLists(blocks);
  return blocks.filter((block) => {
    switch (block.type) {
      case "question":
      case "asked":
      case "todos":
        return false;
      case "call":
        return !block.todos || asked.has(block.callId) || lists.has(block);
      case "event":
        return block.session === undefined || !children.has(block.session);
      default:
        return true;
    }
  });
}

/** Of the calls that set a request's list, the last one shows it. */
function latestLists(blocks: readonly Block[]): ReadonlySet<Block> {
  const latest = new Map<number, Block>();
  let ended = 0;
  for (const block of blocks) {
    if (block.type === "ending") ended += 1;
    if (block.type === "call" && block.todos) latest.set(ended, block);
  }
  return new Set(latest.values());
}
