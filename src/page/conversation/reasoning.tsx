/** The model's reasoning, folded by default. */

import { useState } from "preact/hooks";
import type { Block } from "../../view/blocks.ts";
import { Icon } from "../icon.tsx";
import { Markdown } from "../markdown/markdown.tsx";
import { duration } from "./words.ts";

type ReasoningProps = { block: Extract<Block, { type: "reasoning" }>; took: number | undefined };

export function Reasoning({ block, took }: ReasoningProps) {
  const [isUnfolded, setUnfolded] = useState(false);
  const time = took === undefined || took < quick ? "" : ` for ${duration(took)}`;
  const words = block.open ? "Thinking…" : `Thought${time}`;
  return (
    <details class="reasoning" onToggle={({ currentTarget }) => setUnfolded(currentTarget.open)}>
      <summary class={block.open ? "working" : ""}>
        <Icon name="think" />
        <span>{words}</span>
        <Icon name="chevron" />
      </summary>
      {isUnfolded && <Markdown text={block.text} isOpen={block.open} />}
    </details>
  );
}

/** Shorter durations are not shown. */
const quick = 1_000;
