/** The panel beside a conversation: changes, requests, to-dos. */

import { useSignal } from "@preact/signals";
import { useRef, useMemo } from "preact/hooks";
import { visibleLine } from "../../base/visible-text.ts";
import { type Checkpoint, checkpointsOf } from "../../protocol/fold-changes.ts";
import type { SessionState } from "../../protocol/session-state.ts";
import { statusWords } from "../../view/review.ts";
import type { MessageDraft } from "../composer/drafts.ts";
import type { PanelProps } from "../contract.ts";
import { Icon } from "../icon.tsx";
import { ChangesPanel } from "../panels/changes-panel.tsx";
import { LineBadge } from "../panels/line-badge.tsx";
import { ContextMeter, CostMeter } from "../panels/meters.tsx";
import { ProblemLine } from "../panels/problem-line.tsx";
import { draftOf, firstWords, requestOf } from "../panels/requests.ts";
import "../panels/changes-panel.css";
import { TodoList } from "../panels/todo-list.tsx";
import type { App } from "./app-state.ts";
import { useFocusWithin } from "./focus.ts";

export type SidePanelView = { show: "changes"; turn?: number } | { show: "timeline" } | { show: "todos" };

type SidePanelProps = {
  app: App;
  panel: PanelProps;
  side: SidePanelView;
  onSide: (side: SidePanelView | undefined) => void;
};

const tabs = [
  { show: "changes", name: "Changes" },
  { show: "timeline", name: "Requests" },
  { show: "todos", name: "To do" },
] as const;

export function SidePanel({ app, panel, side, onSide }: SidePanelProps) {
  const place = useRef<HTMLElement>(null);
  useFocusWithin(place, true);
  /**
   * On a narrow screen the panel covers the conversation, so it closes once the conversation has been scrolled to a
   * target.
   */
  const unveil = (): void => {
    const { current } = place;
    if (current && getComputedStyle(current).position === "fixed")
      requestAnimationFrame(() => onSide(undefined));
  };
  return (
    <aside
      class="side"
      ref={place}
      aria-label="Beside the conversation"
      onKeyDown={(event) => {
        if (event.key !== "Escape" || event.defaultPrevented) return;
        event.preventDefault();
        onSide(undefined);
      }}
    >
      <header class="side-head">
        <div class="side-tabs" role="group" aria-label="What is shown">
          {tabs.map(({ show, name }) => (
            <button
              type="button"
              key={show}
              class="side-tab"
              aria-pressed={side.show === show}
              onClick={() => onSide({ show })}
            >
              {name}
            </button>
          ))}
        </div>
        <button
          type="button"
          class="icon-button"
          aria-label="Close the panel"
          onClick={() => onSide(undefined)}
        >
          <Icon name="close" />
        </button>
      </header>
      <div class="side-meters">
        <CostMeter {...panel} />
        <ContextMeter {...panel} />
      </div>
      <div class="side-content" tabIndex={-1}>
        <SidePanelContent app={app} panel={panel} side={side} onSide={onSide} onGo={unveil} />
      </div>
    </aside>
  );
}

function SidePanelContent({ app, panel, side, onSide, onGo }: SidePanelProps & { onGo: () => void }) {
  switch (side.show) {
    case "changes":
      return (
        <ChangesPanel key={side.turn} {...panel} {...(side.turn === undefined ? {} : { turn: side.turn })} />
      );
    case "timeline":
      return (
        <TimelinePanel
          {...panel}
          onTurn={(turn) => onSide({ show: "changes", turn })}
          onGo={onGo}
          onFork={(session, draft) => {
            app.drafts.keep(session, draft);
            app.go({ type: "session", id: session });
          }}
        />
      );
    case "todos":
      return panel.view.state.todos.length === 0 ? (
        <p class="muted side-note">The model has no to-do list.</p>
      ) : (
        <TodoList items={panel.view.state.todos} />
      );
    default:
      return side satisfies never;
  }
}

type TimelinePanelProps = PanelProps & {
  /** Opens the changes of that request. */
  onTurn: (turn: number) => void;
  /** Called after the conversation was scrolled to a request. */
  onGo: () => void;
  /** Opens the fork of everything before a request, with that request as a draft. */
  onFork: (session: string, draft: MessageDraft) => void;
};

/** The session's requests in order: time, message, state of the changes, and a way back to each. */
function TimelinePanel({ view, client, onTurn, onGo, onFork }: TimelinePanelProps) {
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
            onGo={() => goTo(checkpoint.turn, onGo)}
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

/** Relies on the id that the conversation gives each request, which takes the focus once nothing covers it. */
function goTo(turn: number, unveil: () => void): void {
  const place = document.getElementById(`turn-${turn}`);
  place?.scrollIntoView({ block: "start" });
  unveil();
  requestAnimationFrame(() => place?.focus({ preventScroll: true }));
}
