/**
 * A diff: side by side if there is room and both sides have something, otherwise unified. Signs mark removed and added
 * lines, so colour is not essential.
 */

import { useMemo } from "preact/hooks";
import "./diff-view.css";
import { type DiffBlock, diffBlocks, type DiffLine } from "../../view/diff-blocks.ts";

export function DiffView({ text }: { text: string }) {
  const blocks = useMemo(() => diffBlocks(text), [text]);
  return (
    <div class="diff-view mono" role="group" aria-label="Changes, line by line">
      {blocks.map((block, at) => (
        <Block key={at} block={block} isAlone={!isSame(blocks[at - 1]) && !isSame(blocks[at + 1])} />
      ))}
    </div>
  );
}

const isSame = (block: DiffBlock | undefined): boolean => block?.type === "same";

/** `isAlone`: no unchanged lines around it, as in a new file. */
function Block({ block, isAlone }: { block: DiffBlock; isAlone: boolean }) {
  switch (block.type) {
    case "heading":
      return <div class="diff-heading">{block.text}</div>;
    case "hunk":
      return <div class="diff-hunk">{block.text}</div>;
    case "same":
      return <Same lines={block.lines} />;
    case "change":
      return (
        <div class={`diff-sides ${isAlone && isOneSided(block) ? "diff-one" : ""}`}>
          <del class="diff-side">
            {block.removed.map((line, at) => (
              <Line key={at} line={line} kind="removed" />
            ))}
          </del>
          <ins class="diff-side">
            {block.added.map((line, at) => (
              <Line key={at} line={line} kind="added" />
            ))}
          </ins>
        </div>
      );
    default:
      return block satisfies never;
  }
}

const isOneSided = ({ removed, added }: DiffBlock & { type: "change" }): boolean =>
  removed.length === 0 || added.length === 0;

/** Shown on both sides, but read out only once. */
function Same({ lines }: { lines: readonly DiffLine[] }) {
  const all = lines.map((line, at) => <Line key={at} line={line} kind="same" />);
  return (
    <div class="diff-sides">
      <div class="diff-side">{all}</div>
      <div class="diff-side diff-copy" aria-hidden="true">
        {all}
      </div>
    </div>
  );
}

const signs = { removed: "−", added: "+", same: " " } as const;

function Line({ line, kind }: { line: DiffLine; kind: keyof typeof signs }) {
  return (
    <div class={`diff-line diff-${kind}`}>
      <Numbers line={line} />
      <span class="diff-sign">{signs[kind]}</span>
      <span class="diff-text">
        <Text line={line} />
        {line.note === undefined ? null : <span class="diff-note"> ({line.note})</span>}
      </span>
    </div>
  );
}

/** An unchanged line has two numbers; side by side, each side shows its own. */
function Numbers({ line: { number, before } }: { line: DiffLine }) {
  return (
    <span class="diff-number" aria-hidden="true">
      {before === undefined || before === number ? (
        number
      ) : (
        <>
          <span class="diff-now">{number}</span>
          <span class="diff-before">{before}</span>
        </>
      )}
    </span>
  );
}

function Text({ line: { text, marked } }: { line: DiffLine }) {
  if (!marked || marked.from === marked.to) return text;
  return (
    <>
      {text.slice(0, marked.from)}
      <mark class="diff-marked">{text.slice(marked.from, marked.to)}</mark>
      {text.slice(marked.to)}
    </>
  );
}
