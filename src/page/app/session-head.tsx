/** The head of a session: its name, its meters, and the buttons for its side panels. */

import { visibleLine } from "../../base/visible-text.ts";
import { modeName } from "../../view/mode-choices.ts";
import { reasoningName } from "../../view/reasoning-choices.ts";
import type { PanelProps } from "../contract.ts";
import { Icon } from "../icon.tsx";
import { ContextMeter, CostMeter } from "../panels/meters.tsx";
import { SessionActions, sessionTitle } from "../sessions/session-actions.tsx";
import type { App } from "./app-state.ts";
import { copyText } from "./copy-text.ts";
import type { SidePanelView } from "./side-panel.tsx";

type SessionHeadProps = {
  app: App;
  panel: PanelProps;
  side: SidePanelView | undefined;
  onSide: (side: SidePanelView | undefined) => void;
  onList: () => void;
  onSettings: () => void;
  onFind: () => void;
};

export function SessionHead({ app, panel, side, onSide, onList, onSettings, onFind }: SessionHeadProps) {
  const { view } = panel;
  const { state, row } = view;
  const session = { id: view.id, title: state.title ?? row?.title ?? "", access: row?.access };
  const model = state.chosenModel ?? state.model;
  const { reasoning = "default" } = state;
  const answer = state.turns.findLast(({ lastText }) => lastText !== "")?.lastText;
  const copy = async (text: string): Promise<void> => {
    if (!(await copyText(text))) app.notify("The browser did not allow it to be copied.");
  };
  return (
    <header class="session-head">
      <button type="button" class="icon-button list-button" aria-label="Sessions" onClick={onList}>
        <Icon name="menu" />
      </button>
      <div class="session-names">
        <h1 class="session-name">{sessionTitle(session)}</h1>
        <button type="button" class="session-setting" title="Mode, model and reasoning" onClick={onSettings}>
          {modeName(state.mode)}
          {model !== "" && <span class="session-model"> · {visibleLine(model)}</span>}
          {reasoning !== "default" && <span> · {reasoningName(reasoning)}</span>}
        </button>
      </div>
      <div class="session-tools">
        <div class="session-meters">
          <CostMeter {...panel} />
          <ContextMeter {...panel} />
        </div>
        <button
          type="button"
          class="icon-button head-find"
          aria-label="Find in this conversation"
          onClick={onFind}
        >
          <Icon name="search" />
        </button>
        <button
          type="button"
          class="icon-button"
          aria-label="Changes and requests"
          aria-pressed={side !== undefined}
          title="Changes (Ctrl+Shift+E)"
          onClick={() => onSide(side ? undefined : { show: "changes" })}
        >
          <Icon name="panel" />
        </button>
        <SessionActions
          app={app}
          session={session}
          more={[
            { label: "Find in the conversation", icon: "search", run: onFind },
            ...(answer === undefined
              ? []
              : [{ label: "Copy the last answer", icon: "copy" as const, run: () => void copy(answer) }]),
          ]}
        />
      </div>
    </header>
  );
}
