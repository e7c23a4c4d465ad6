/** The files that a request changed, to review, undo, redo and keep: all, by file or by hunk. */

import { useSignal } from "@preact/signals";
import { useEffect, useMemo, useRef, useLayoutEffect } from "preact/hooks";
import type { Expected } from "../../base/expected.ts";
import { visibleLine } from "../../base/visible-text.ts";
import type { OnConflict } from "../../protocol/commands.ts";
import { checkpointsOf } from "../../protocol/fold-changes.ts";
import type { ReviewValue } from "../../remote/api-reports.ts";
import { choicesOf, didWords, sinceWords, wayWords } from "../../view/review.ts";
import type { PanelProps } from "../contract.ts";
import "./changes-panel.css";
import { actionIn, actionsOnAll, fileStatus, reviewKey, withChanges } from "./change-actions.ts";
import { ChangedFile } from "./changed-file.tsx";
import { type ChangeCommands, useChanging, type InTheWay } from "./changing.ts";
import { KeepButton } from "./keep-button.tsx";
import { LineBadge } from "./line-badge.tsx";
import { ProblemLine } from "./problem-line.tsx";
import { requestOf } from "./requests.ts";

export function ChangesPanel({ turn: wanted, view, ask, client }: PanelProps & { turn?: number }) {
  const checkpoints = useMemo(() => withChanges(checkpointsOf(view.state)), [view.id, view.facts]);
  const chosen = useSignal<number | undefined>(wanted);
  useEffect(() => {
    chosen.value = wanted;
  }, [wanted, view.id]);
  const turn =
    checkpoints.find((checkpoint) => checkpoint.turn === chosen.value)?.turn ?? checkpoints.at(-1)?.turn;
  const heading = useRef<HTMLHeadingElement>(null);
  const changing = useChanging(ask, () => heading.current?.focus());
  const key = useMemo(() => reviewKey(checkpoints), [checkpoints]);
  const review = useReview({ client, session: view.id, turn, key });
  if (turn === undefined) return <p class="muted">No files were changed in this session.</p>;
  return (
    <div class="changes-panel">
      <RequestChoice turns={checkpoints.map((checkpoint) => checkpoint.turn)} turn={turn} choose={choose} />
      <h2 class="changes-heading" tabIndex={-1} ref={heading}>
        Request {turn}: <span class="changes-request">{visibleLine(requestOf(view.state, turn))}</span>
      </h2>
      <ProblemLine problem={changing.problem} />
      {review === undefined ? (
        <p class="muted">Loading…</p>
      ) : review.ok ? (
        <ReviewDetails review={review.value} changing={changing} />
      ) : (
        <ProblemLine problem={review.problem} />
      )}
    </div>
  );

  function choose(other: number): void {
    chosen.value = other;
    changing.leave();
  }
}

type ReviewRequest = Pick<PanelProps, "client"> & { session: string; turn: number | undefined; key: string };

/** Reloaded whenever the facts indicate a change; the previous review is shown meanwhile. */
function useReview({ client, session, turn, key }: ReviewRequest): Expected<ReviewValue> | undefined {
  const loaded = useSignal<{ of: string; review: Expected<ReviewValue> } | undefined>(undefined);
  const of = `${session} ${turn}`;
  useEffect(() => {
    if (turn === undefined) return undefined;
    let isOver = false;
    const load = async (): Promise<void> => {
      const review = await client.review(session, turn);
      if (!isOver) loaded.value = { of, review };
    };
    void load();
    return () => {
      isOver = true;
    };
  }, [of, key]);
  return loaded.value?.of === of ? loaded.value.review : undefined;
}

type RequestChoiceProps = { turns: readonly number[]; turn: number; choose: (turn: number) => void };

function RequestChoice({ turns, turn, choose }: RequestChoiceProps) {
  if (turns.length < 2) return null;
  const at = turns.indexOf(turn);
  const [before, after] = [turns[at - 1], turns[at + 1]];
  return (
    <div class="changes-buttons" role="group" aria-label="Which request">
      <button
        type="button"
        class="button quiet"
        disabled={before === undefined}
        onClick={() => before !== undefined && choose(before)}
      >
        ← Earlier request
      </button>
      <button
        type="button"
        class="button quiet"
        disabled={after === undefined}
        onClick={() => after !== undefined && choose(after)}
      >
        Later request →
      </button>
    </div>
  );
}

/** With more files than this, they start folded. */
const mostOpen = 6;

function ReviewDetails({ review, changing }: { review: ReviewValue; changing: ChangeCommands }) {
  const { turn, files, directories, status, added, removed } = review;
  const { inTheWay } = changing;
  return (
    <>
      <p class="changes-sum">
        {files.length === 1 ? "1 file" : `${files.length} files`}{" "}
        <LineBadge added={added} removed={removed} />{" "}
        <span class={`changes-status changes-${status}`}>{fileStatus(status)}</span>
      </p>
      <AllButtons review={review} changing={changing} />
      {inTheWay && inTheWay.first.turn === turn ? (
        <ConflictChoice inTheWay={inTheWay} turn={turn} files={files} changing={changing} />
      ) : null}
      {directories.map((directory) => (
        <p key={directory.path} class="changes-directory">
          <span class="mono">{visibleLine(directory.path)}/</span>{" "}
          <span class="muted">
            {actionIn(directory)} · {fileStatus(directory.status)}
          </span>
        </p>
      ))}
      {files.map((file) => (
        <ChangedFile
          key={file.path}
          file={file}
          turn={turn}
          changing={changing}
          whole={status}
          isOpen={files.length <= mostOpen}
        />
      ))}
    </>
  );
}

function AllButtons({ review, changing }: { review: ReviewValue; changing: ChangeCommands }) {
  const { undo, redo, keep } = actionsOnAll(review);
  const { turn } = review;
  return (
    <div class="changes-buttons">
      {undo ? (
        <button
          type="button"
          class="button"
          disabled={changing.busy}
          onClick={() => void changing.ask({ type: "undo", turn })}
        >
          Undo all
        </button>
      ) : null}
      {redo ? (
        <button
          type="button"
          class="button"
          disabled={changing.busy}
          onClick={() => void changing.ask({ type: "redo", turn })}
        >
          Redo all
        </button>
      ) : null}
      {keep ? (
        <KeepButton
          label="Keep all"
          says="This cannot be undone."
          busy={changing.busy}
          keep={() => void changing.ask({ type: "keep", turn })}
        />
      ) : null}
    </div>
  );
}

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

/** Asks how to proceed when later work is in the way of an undo, with the conflicts file by file. */
function ConflictChoice({ inTheWay, turn, files, changing }: ConflictChoiceProps) {
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
