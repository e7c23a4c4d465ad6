/**
 * Shows nothing twice: neither a failed request's reason, nor what an answer said that broke off and came again, nor
 * the mode that a session begins in.
 */

import { withAdvice } from "../../protocol/advice.ts";
import type { Block, EndingBlock } from "../../view/blocks.ts";

export function withoutEchoes(blocks: readonly Block[]): readonly Block[] {
  const echoes = new Set<Block>(modeAtStart(blocks));
  for (const [at, block] of blocks.entries()) {
    if (block.type === "failure" && restOfTurn(blocks, at).some(isOfModel)) {
      const said = new Set([block.key, ...block.said]);
      for (const before of blocks.slice(0, at + 1)) if (said.has(before.key)) echoes.add(before);
    }
    if (block.type !== "ending" || block.stopped !== "failed") continue;
    for (const before of blocks.slice(Math.max(0, at - 2), at).toReversed()) {
      if (!isEcho(before, block)) break;
      echoes.add(before);
    }
  }
  return echoes.size === 0 ? blocks : blocks.filter((block) => !echoes.has(block));
}

/** The mode that a session begins in stands in its settings. */
function modeAtStart(blocks: readonly Block[]): Block[] {
  const first = blocks.findIndex(({ type }) => type === "user");
  return blocks
    .slice(0, Math.max(0, first))
    .filter((block) => block.type === "event" && block.about === "mode");
}

/** Once a turn has ended, what was said last stands. */
function restOfTurn(blocks: readonly Block[], at: number): readonly Block[] {
  const rest = blocks.slice(at + 1);
  const end = rest.findIndex(({ type }) => type === "ending");
  return end === -1 ? rest : rest.slice(0, end);
}

/** The model has begun to say something again. */
const isOfModel = (block: Block): boolean =>
  (block.type === "text" && block.by === "model") || block.type === "reasoning" || block.type === "call";

/** Matches the failure of the last answer, and the placeholder text for the answer that never arrived. */
function isEcho(block: Block, { because, advice }: EndingBlock): boolean {
  if (because === undefined) return false;
  if (block.type === "failure") return block.text === because;
  return (
    block.type === "text" &&
    block.by === "toolwright" &&
    block.text.endsWith(`: ${withAdvice(because, advice)}`)
  );
}
