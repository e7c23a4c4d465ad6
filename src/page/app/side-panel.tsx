/** The panel beside a conversation: changes, requests, to-dos. */

import { useRef } from "preact/hooks";
import type { PanelProps } from "../contract.ts";
import { Icon } from "../icon.tsx";
import { ChangesPanel } from "../panels/changes-panel.tsx";
import { ContextMeter, CostMeter } from "../panels/meters.tsx";
import { TimelinePanel } from "../panels/timeline-panel.tsx";
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
