/** Asks how to proceed when later work is in the way of an undo, with the conflicts file by file. */

import { useLayoutEffect, useRef } from "preact/hooks";
import type { OnConflict } from "../../protocol/commands.ts";
import { choicesOf, didWords, sinceWords, wayWords } from "../../view/review.ts";
import { visibleLine } from "../../view/visible.ts";
import type { ChangeCommands, InTheWay } from "./changing.ts";

type ConflictChoiceProps = {
  inTheWay: InTheWay;
  turn: number;
  files: readonly (Parameters<typeof didWords>[0] & { path: string })[];
  changing: ChangeCommands;
};

const names: Readonly<Record<OnConflict, string>> = {
  skip: "Skip these files",
  restore: "Restore",
  merge: "Merge",
};

export function ConflictChoice({ inTheWay, turn, files, changing }: ConflictChoiceProps) {
  const place = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => place.current?.focus(), []);
  const { conflicts } = inTheWay;
  return (
    <div
      class="changes-conflict"
      role="group"
      aria-label="The file was changed later"
      tabIndex={-1}
      ref={place}
    >
      <p role="alert">
        <strong>Nothing has been undone yet:</strong> there are later changes.
      </p>
      <ul>
        {conflicts.map((conflict) => (
          <li key={conflict.path}>
            <span class="mono">{visibleLine(conflict.path)}</span>: request {turn}{" "}
            {didWords(files.find(({ path }) => path === conflict.path))}; {visibleLine(sinceWords(conflict))}
          </li>
        ))}
      </ul>
      <dl class="changes-ways">
        {choicesOf(conflicts).map((way) => (
          <div key={way}>
            <dt>
              <button
                type="button"
                class={way === "restore" ? "button danger" : "button"}
                disabled={changing.busy}
                onClick={() => void changing.choose(way)}
              >
                {names[way]}
              </button>
            </dt>
            <dd>{wayWords[way]}</dd>
          </div>
        ))}
      </dl>
      <button type="button" class="button" onClick={() => changing.leave()}>
        Cancel
      </button>
    </div>
  );
}
