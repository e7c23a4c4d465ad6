/** Lines reporting that changes were undone, redone or kept. */

import { countOf } from "../../base/amounts.ts";
import { visibleLine } from "../../base/visible-text.ts";
import type { Block, UndoneBlock } from "../../view/blocks.ts";
import { byWords } from "../../view/plain.ts";
import { Icon } from "../icon.tsx";

type ReviewLink = { onReview: (turn: number) => void };

export function UndoneLine({ block, onReview }: { block: UndoneBlock } & ReviewLink) {
  const { turn, files, parts, again, by } = block;
  const names = files.map((path) => (parts.includes(path) ? `${path} (in part)` : path));
  return (
    <p class="line line-quiet">
      <Icon name={again ? "redo" : "undo"} />
      <span>
        {again ? "Redone" : "Undone"}
        {byWords(by)} (<TurnLink turn={turn} onReview={onReview} />
        ): {someNames(names)}
      </span>
    </p>
  );
}

export function KeptLine({ block, onReview }: { block: Extract<Block, { type: "kept" }> } & ReviewLink) {
  const { turn, files, by } = block;
  return (
    <p class="line line-quiet">
      <Icon name="check" />
      <span>
        Kept for good{byWords(by)} (<TurnLink turn={turn} onReview={onReview} />
        ): {files ? someNames(files) : "all of its changes"}
      </span>
    </p>
  );
}

const TurnLink = ({ turn, onReview }: { turn: number } & ReviewLink) => (
  <button type="button" class="link" onClick={() => onReview(turn)}>
    request {turn}
  </button>
);

/** A formatter can change very many files. */
const shownNames = 6;

function someNames(names: readonly string[]): string {
  const shown = names.slice(0, shownNames).map(visibleLine).join(", ");
  const left = names.length - shownNames;
  return left > 0 ? `${shown} and ${countOf(left, "more", "more")}` : shown;
}
