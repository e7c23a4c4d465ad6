/** A session's conversation. It follows its end while that is in view, and otherwise never scrolls the reader away. */

import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { hashOf } from "../app/route.ts";
import { Icon } from "../icon.tsx";
import type { BlockContext } from "./block-context.ts";
import { BlockView } from "./block-view.tsx";
import { copyOnClick } from "./copying.ts";
import { useEnd } from "./keep-at-end.ts";
import { Waiting } from "./waiting.tsx";
import { hiddenAtFirst, hiddenEarlier, hiddenNext } from "./window.ts";
import "./conversation.css";

/** `isWhole`: everything is rendered, so that a search can find it. */
type ConversationProps = BlockContext & { problem: string | undefined; isWhole: boolean };

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

function Blocks({ isWhole, ...context }: Omit<ConversationProps, "problem">) {
  const { store } = context;
  const place = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const { isAtEnd, isNew, toEnd } = useEnd(place, content);
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
