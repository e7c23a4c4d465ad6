/** A session's conversation. It follows its end while that is in view, and otherwise never scrolls the reader away. */

import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Block } from "../../view/blocks.ts";
import { statusOf } from "../../view/status.ts";
import { isTurnOpen } from "../../view/transcript.ts";
import { copyText } from "../app/copy-text.ts";
import { hashOf } from "../app/route.ts";
import { Icon } from "../icon.tsx";
import type { SessionStore } from "../session/session-store.ts";
import type { BlockContext } from "./block-context.ts";
import "./conversation.css";
import { BlockView } from "./block-view.tsx";
import { useClock } from "./clock.ts";
import { useEnd } from "./keep-at-end.ts";
import { hiddenAtFirst, hiddenEarlier, hiddenNext } from "./window.ts";

/** `isWhole`: everything is rendered, so that a search can find it. `begun`: how many requests were begun here. */
type ConversationProps = BlockContext & { problem: string | undefined; isWhole: boolean; begun: number };

export function Conversation({ problem, ...context }: ConversationProps) {
  const { store } = context;
  const isComplete = store.view.value.isComplete;
  return (
    <>
      {problem !== undefined && (
        <div class="conversation-problem">
          <p class="problem" role="alert">
            This session cannot be shown: {problem}
          </p>
          <a class="button" href={hashOf({ type: "start" })}>
            New session
          </a>
        </div>
      )}
      {isComplete ? (
        <Blocks {...context} />
      ) : (
        problem === undefined && <p class="conversation-loading muted">Loading the session…</p>
      )}
    </>
  );
}

function Blocks({ isWhole, begun, ...context }: Omit<ConversationProps, "problem">) {
  const { store } = context;
  const place = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const { isAtEnd, isNew, toEnd } = useEnd(place, content, () => lastBlock(store));
  useEffect(() => {
    if (begun > 0) toEnd(); // whoever sends a message looks for what comes of it
  }, [begun]);
  const keys = store.keys.value;
  const [hidden, setHidden] = useState(() => hiddenAtFirst(keys.length));
  const left = isWhole ? 0 : hiddenNext(hidden, keys.length, isAtEnd);
  useEffect(() => setHidden(left), [left]);
  return (
    <div class="conversation" ref={place} data-at-end={isAtEnd}>
      <div
        class="conversation-content"
        ref={content}
        role="log"
        aria-live="off"
        aria-label="Conversation"
        tabIndex={-1}
        onClick={copyOnClick}
      >
        {left > 0 && <Earlier place={place} count={left} show={() => setHidden(hiddenEarlier(left))} />}
        {keys.slice(left).map((key) => (
          <BlockView key={key} id={key} {...context} />
        ))}
        <Waiting store={store} />
      </div>
      {!isAtEnd && (
        <div class="to-end">
          <button
            type="button"
            class="button"
            onClick={() => {
              toEnd();
              // The focused button is about to disappear.
              content.current?.focus({ preventScroll: true });
            }}
          >
            <Icon name="down" />
            {isNew ? "New below" : "To the end"}
          </button>
        </div>
      )}
    </div>
  );
}

const lastBlock = ({ keys, block }: SessionStore): Block | undefined =>
  block(keys.peek().at(-1) ?? "")?.peek();

type EarlierProps = { place: { current: HTMLElement | null }; count: number; show: () => void };

/** Renders earlier parts before they scroll into view, and keeps the visible part in place. */
function Earlier({ place, count, show }: EarlierProps) {
  const mark = useRef<HTMLButtonElement>(null);
  const before = useRef<{ height: number; top: number }>(undefined);
  const earlier = (): void => {
    const scroller = place.current;
    if (scroller) before.current = { height: scroller.scrollHeight, top: scroller.scrollTop };
    show();
  };
  useLayoutEffect(() => {
    const scroller = place.current;
    if (!scroller || !before.current) return;
    const { height, top } = before.current;
    scroller.scrollTop = top + scroller.scrollHeight - height;
    before.current = undefined;
  }, [count]);
  useEffect(() => {
    if (!mark.current) return undefined;
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && earlier(), {
      root: place.current,
      rootMargin: "600px 0px 0px 0px",
    });
    observer.observe(mark.current);
    return () => observer.disconnect();
  }, [count]);
  return (
    <button type="button" class="button quiet conversation-earlier" ref={mark} onClick={earlier}>
      Show {count.toLocaleString("en")} earlier
    </button>
  );
}

/** What a running request is waiting for, shown at the end of its conversation. */
function Waiting({ store }: { store: SessionStore }) {
  const { transcript, row } = store.view.value;
  // Subscribes to live blocks too, which come and go without a fact.
  void store.keys.value;
  const isOpen = isTurnOpen(transcript) && row?.standing !== "left-open";
  const now = useClock(isOpen).value;
  if (!isOpen) return null;
  const status = statusOf(transcript, now);
  if (status?.type === "person") return null;
  const isWriting = [...transcript.live.values()].some(
    (block) => (block.type === "text" || block.type === "reasoning") && block.open,
  );
  // What the page already shows elsewhere needs no words here.
  const words = status?.type === "model" ? status.text : isWriting || status ? "" : "working";
  return (
    <p class="waiting" aria-hidden="true">
      <span class={`waiting-dots ${isWriting ? "waiting-still" : ""}`}>
        <i />
        <i />
        <i />
      </span>
      {words !== "" && <span class="muted">{words}</span>}
    </p>
  );
}

const saidMs = 1_500;

/** Copies code when its button is pressed. */
function copyOnClick({ target }: Event): void {
  const button = target instanceof Element ? target.closest(".code-copy") : null;
  if (button) void copyCode(button);
}

async function copyCode(button: Element): Promise<void> {
  const text = button.closest(".code")?.querySelector("code")?.textContent ?? "";
  button.textContent = (await copyText(text.replace(/\n$/u, ""))) ? "Copied" : "Not allowed";
  setTimeout(() => {
    button.textContent = "Copy";
  }, saidMs);
}
