/** One session: its head, conversation, composer and side panels. */

import { useRef, useState } from "preact/hooks";
import { visibleText } from "../../base/visible-text.ts";
import { type ContentPart, typedIn } from "../../protocol/messages.ts";
import { currentTurn, type QueuedMessage } from "../../protocol/session-state.ts";
import { shownText } from "../../view/shown-text.ts";
import { Composer } from "../composer/composer.tsx";
import type { PanelProps } from "../contract.ts";
import { Announcer } from "../conversation/announcer.tsx";
import { Conversation } from "../conversation/conversation.tsx";
import { FindBar } from "../panels/find-bar.tsx";
import { ProblemLine } from "../panels/problem-line.tsx";
import { useSending } from "../panels/sending.ts";
import type { SessionStore } from "../session/session-store.ts";
import type { App } from "./app-state.ts";
import { askUnlessHeld, heldWords } from "./held-ask.ts";
import { LinkLine } from "./link-line.tsx";
import { useMedia } from "./media.ts";
import { OffWhileHeld } from "./off-while-held.tsx";
import "../panels/panels.css";
import { SessionHead } from "./session-head.tsx";
import { useSessionKeys } from "./session-keys.ts";
import { type SidePanelView, SidePanel } from "./side-panel.tsx";

/** Messages per session that can be recalled into the page's text field. */
const mostSentMessages = 100;

type SessionPageProps = { app: App; store: SessionStore; onList: () => void; onSettings: () => void };

export function SessionPage({ app, store, onList, onSettings }: SessionPageProps) {
  const [side, setSide] = useState<SidePanelView>();
  const [isFinding, setFinding] = useState(false);
  const [begun, setBegun] = useState(0);
  const isNarrow = useMedia("(width <= 32rem)"); // the panel's own width
  const isCovered = side !== undefined && isNarrow;
  const place = useRef<HTMLDivElement>(null);
  const view = store.view.value;
  const ask = askUnlessHeld(app.gateway, view);
  const panel: PanelProps = { view, ask, client: app.gateway.client };
  const isRunning = view.state.status === "running" && view.row?.standing !== "left-open";
  useSessionKeys({
    isRunning,
    isFinding,
    acts: {
      stop: () => void ask({ type: "interrupt", by: "user" }),
      find: () => setFinding(true),
      "close-find": () => setFinding(false),
      review: () => setSide(side ? undefined : { show: "changes" }),
    },
  });
  return (
    <div class="session-page">
      <main
        class="session-main"
        id="main"
        tabIndex={-1}
        aria-label="Session"
        inert={isCovered}
        ref={place}
        data-status={view.state.status}
        data-facts={view.facts}
      >
        <SessionHead
          app={app}
          panel={panel}
          side={side}
          onSide={setSide}
          onList={onList}
          onSettings={onSettings}
          onFind={() => setFinding(true)}
        />
        {isFinding && <FindBar root={() => contentOf(place.current)} onClose={() => setFinding(false)} />}
        <Conversation
          key={store.id}
          store={store}
          app={app}
          problem={app.problem.value}
          begun={begun}
          isWhole={isFinding || side?.show === "timeline"}
          onReview={(turn) => setSide({ show: "changes", turn })}
        />
        <Foot app={app} panel={panel} isRunning={isRunning} onBegin={() => setBegun((count) => count + 1)} />
        <Announcer key={store.id} store={store} />
      </main>
      {side && <SidePanel app={app} panel={panel} side={side} onSide={setSide} />}
    </div>
  );
}

const contentOf = (place: HTMLElement | null): HTMLElement | undefined =>
  place?.querySelector<HTMLElement>(".conversation-content") ?? undefined;

/** `onBegin`: a message has begun a request. */
type FootProps = { app: App; panel: PanelProps; isRunning: boolean; onBegin: () => void };

function Foot({ app, panel, isRunning, onBegin }: FootProps) {
  const { view, ask, client } = panel;
  const heldBy = view.row?.heldBy;
  // There is no such session.
  if (view.facts === 0 && app.problem.value !== undefined) return null;
  return (
    <div class="session-foot">
      {heldBy !== undefined && <p class="muted held">{heldWords(heldBy)}</p>}
      <LinkLine app={app} />
      <OffWhileHeld view={view}>
        <LeftOpen panel={panel} />
        <QueueList {...panel} />
        <Composer
          key={view.id}
          drafts={app.drafts}
          draft={view.id}
          isRunning={isRunning}
          sent={saidIn(view.state.said)}
          placeholder={placeholderIn(isRunning, heldBy)}
          commands={() => client.commands({ session: view.id })}
          send={async ({ id, content, when }) => {
            const outcome = await ask({ type: "send", id, content, ...(isRunning ? { when } : {}) });
            if (outcome.ok && !isRunning) onBegin();
            return outcome;
          }}
          stop={() => ask({ type: "interrupt", by: "user" })}
        />
      </OffWhileHeld>
    </div>
  );
}

function placeholderIn(isRunning: boolean, heldBy: string | undefined): string {
  if (heldBy !== undefined) return "Open in another program";
  return isRunning ? "Add something, or queue what comes next" : "What next?";
}

const saidIn = (said: readonly (readonly ContentPart[])[]): string[] =>
  said
    .slice(-mostSentMessages)
    .map((parts) => typedIn(parts, "\n"))
    .filter((text) => text !== "");

/** A request on which no program works any more. */
function LeftOpen({ panel: { view, ask } }: { panel: PanelProps }) {
  const [problem, setProblem] = useState("");
  if (view.row?.standing !== "left-open" || currentTurn(view.state)?.stopped !== undefined) return null;
  const goOn = async (): Promise<void> => {
    const outcome = await ask({ type: "go-on" });
    setProblem(outcome.ok ? "" : outcome.problem);
  };
  return (
    <div class="left-open card">
      <p>This request was interrupted: the program working on it was closed.</p>
      <button type="button" class="button primary" onClick={() => void goOn()}>
        Continue
      </button>
      {problem !== "" && <p class="problem">{problem}</p>}
    </div>
  );
}

/** Messages queued for the running request, each of which can still be withdrawn. */
function QueueList({ view, ask }: PanelProps) {
  const sending = useSending(ask);
  const { queue, status } = view.state;
  const isRunning = status === "running";
  if (queue.length === 0) return <ProblemLine problem={sending.problem} />;
  return (
    <section role="group" class="queue-list" aria-label="Queued messages">
      <ul>
        {queue.map((message) => (
          <li key={message.id}>
            <span class="queue-text">{wordsOf(message)}</span>
            <span class="muted">{isRunning ? until[message.when] : "sent with your next message"}</span>
            <button
              type="button"
              class="button quiet"
              disabled={sending.busy}
              onClick={() => void sending.send({ type: "withdraw", id: message.id })}
            >
              Withdraw
            </button>
          </li>
        ))}
      </ul>
      {isRunning ? null : (
        <button
          type="button"
          class="button"
          disabled={sending.busy}
          onClick={() => void sending.send({ type: "go-on" })}
        >
          Send it now
        </button>
      )}
      <ProblemLine problem={sending.problem} />
    </section>
  );
}

const until = { steer: "sent at the next step", next: "sent after this request" } as const;

function wordsOf({ content }: QueuedMessage): string {
  const texts = content.flatMap((part) => (part.type === "text" ? [shownText(part)] : []));
  const images = content.length - texts.length;
  const pictures = images === 0 ? [] : [images === 1 ? "[1 image]" : `[${images} images]`];
  return visibleText([...texts, ...pictures].join("\n"));
}
