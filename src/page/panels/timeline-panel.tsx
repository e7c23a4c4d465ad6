/** The session's requests in order: time, message, state of the changes, and a way back to each. */

import { useSignal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import { type Checkpoint, checkpointsOf } from "../../protocol/fold-changes.ts";
import type { SessionState } from "../../protocol/session-state.ts";
import { statusWords } from "../../view/review.ts";
import { visibleLine } from "../../view/visible.ts";
import type { MessageDraft } from "../composer/drafts.ts";
import type { PanelProps } from "../contract.ts";
import "./changes-panel.css";
import { LineBadge } from "./line-badge.tsx";
import { ProblemLine } from "./problem-line.tsx";
import { draftOf, firstWords, requestOf } from "./requests.ts";

type TimelinePanelProps = PanelProps & {
  /** Opens the changes of that request. */
  onTurn: (turn: number) => void;
  /** Called after the conversation was scrolled to a request. */
  onGo: () => void;
  /** Opens the fork of everything before a request, with that request as a draft. */
  onFork: (session: string, draft: MessageDraft) => void;
};

export function TimelinePanel({ view, client, onTurn, onGo, onFork }: TimelinePanelProps) {
  const checkpoints = useMemo(() => checkpointsOf(view.state), [view.id, view.facts]);
  const problem = useSignal<string | undefined>(undefined);
  const busy = useSignal(false);
  if (checkpoints.length === 0) return <p class="muted">No requests yet.</p>;
  const fork = async (turn: number): Promise<void> => {
    if (busy.peek()) return;
    busy.value = true;
    problem.value = undefined;
    const forked = await client.fork(view.id, turn);
    busy.value = false;
    if (forked.ok) onFork(forked.value.id, draftOf(view.state, turn));
    else problem.value = forked.problem;
  };
  return (
    <div class="timeline-panel">
      <ProblemLine problem={problem.value} />
      <ol class="timeline-turns">
        {checkpoints.map((checkpoint) => (
          <Turn
            key={checkpoint.turn}
            checkpoint={checkpoint}
            state={view.state}
            onTurn={onTurn}
            onGo={() => {
              goTo(checkpoint.turn);
              onGo();
            }}
            onAgain={() => void fork(checkpoint.turn)}
          />
        ))}
      </ol>
    </div>
  );
}

type TurnProps = {
  checkpoint: Checkpoint;
  state: SessionState;
  onTurn: (turn: number) => void;
  onGo: () => void;
  onAgain: () => void;
};

function Turn({ checkpoint, state, onTurn, onGo, onAgain }: TurnProps) {
  const { turn, startedAt, added, removed, files, directories } = checkpoint;
  const hasChanges = files.length + directories.length > 0;
  const words = requestOf(state, turn);
  return (
    <li class="timeline-turn" aria-label={`Request ${turn}`}>
      <div class="timeline-head">
        <time dateTime={new Date(startedAt).toISOString()} class="muted">
          {new Date(startedAt).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" })}
        </time>
        {hasChanges ? (
          <>
            <LineBadge added={added} removed={removed} />
            <span class={`changes-status changes-${checkpoint.status}`}>{statusWords(checkpoint)}</span>
          </>
        ) : (
          <span class="muted">no changes</span>
        )}
      </div>
      <p class="timeline-words">{visibleLine(firstWords(words === "" ? "(an image)" : words))}</p>
      <div class="changes-buttons">
        <button type="button" class="button small" onClick={onGo}>
          Go to request
        </button>
        {hasChanges ? (
          <button type="button" class="button small" onClick={() => onTurn(turn)}>
            Show changes
          </button>
        ) : null}
        <button type="button" class="button small" onClick={onAgain}>
          Edit and try again
        </button>
      </div>
    </li>
  );
}

/** Relies on the id that the conversation gives each request. */
function goTo(turn: number): void {
  const place = document.getElementById(`turn-${turn}`);
  place?.scrollIntoView({ block: "start" });
  place?.focus({ preventScroll: true });
}
