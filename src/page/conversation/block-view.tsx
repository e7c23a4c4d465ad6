/** Renders one block of a conversation by its kind. */

import { useState } from "preact/hooks";
import { visibleLine, visibleText } from "../../base/visible-text.ts";
import type { Block, EventBlock, RetryBlock } from "../../view/blocks.ts";
import { hashOf } from "../app/route.ts";
import { Icon, type IconName } from "../icon.tsx";
import { Markdown } from "../markdown/markdown.tsx";
import { TextWithCode } from "../markdown/text-with-code.tsx";
import { LimitCard } from "../panels/limit-card.tsx";
import type { BlockContext } from "./block-context.ts";
import { CallRow, WithView } from "./call-row.tsx";
import { KeptLine, UndoneLine } from "./change-lines.tsx";
import { useClock } from "./clock.ts";
import { Ending } from "./ending.tsx";
import { QueuedMessage, UserMessage } from "./message.tsx";
import { duration } from "./words.ts";

export function BlockView({ id, ...context }: { id: string } & BlockContext) {
  const block = context.store.block(id)?.value;
  if (!block) return null;
  return (
    <div class={`block block-${block.type}`} data-block={block.type}>
      <BlockContent block={block} {...context} />
    </div>
  );
}

type BlockContentProps = { block: Block } & BlockContext;

function BlockContent({ block, store, app, onReview }: BlockContentProps) {
  switch (block.type) {
    case "user":
      return <UserMessage block={block} store={store} />;
    case "queued":
      return <QueuedMessage block={block} store={store} />;
    case "text":
      return <Markdown text={block.text} isOpen={block.open} />;
    case "reasoning":
      return <Reasoning block={block} took={store.took(block.key)} />;
    case "call":
      return <CallRow block={block} context={{ store, app, onReview }} />;
    case "question":
    case "asked":
    case "todos":
      return null; // shown in the row of their call
    case "limit":
      return (
        <WithView
          context={{ store, app, onReview }}
          card={(props) => <LimitCard limit={block} {...props} />}
        />
      );
    case "ending":
      return <Ending block={block} own={app.gateway.device} onReview={onReview} />;
    case "warning":
      return <Line icon="warning" tone="warn" text={block.text} />;
    case "failure":
      return block.text === undefined ? null : (
        <Line icon="warning" tone="warn" text={`The answer broke off: ${block.text}`} />
      );
    case "retry":
      return <Retry block={block} />;
    case "undone":
      return <UndoneLine block={block} onReview={onReview} />;
    case "kept":
      return <KeptLine block={block} onReview={onReview} />;
    case "event":
      return <EventLine block={block} />;
    default:
      return block satisfies never;
  }
}

const eventIcons: Readonly<Record<EventBlock["about"], IconName>> = {
  fork: "fork",
  name: "pen",
  mode: "settings",
  model: "settings",
  reasoning: "settings",
  permission: "settings",
  branch: "fork",
  trimmed: "info",
  compaction: "info",
  stuck: "warning",
  nudge: "info",
  added: "info",
  subagent: "delegate",
  aside: "info",
  goal: "info",
};

/** An event about another session links to it. */
function EventLine({ block: { about, text, details, session } }: { block: EventBlock }) {
  const line = <Line icon={eventIcons[about]} tone="quiet" text={visibleLine(text)} />;
  if (details !== undefined)
    return (
      <>
        {line}
        <Markdown text={details} isOpen={false} />
      </>
    );
  return session === undefined ? (
    line
  ) : (
    <a class="line-link" href={hashOf({ type: "session", id: session })}>
      {line}
    </a>
  );
}

function Retry({ block: { because, at, waitMs, attempt } }: { block: RetryBlock }) {
  const now = useClock(true).value;
  const left = Math.max(0, at + waitMs - now);
  return (
    <p class="line line-warn">
      <Icon name="clock" />
      <span>
        {visibleLine(because)}{" "}
        {left > 0 ? `Asking again in ${duration(Math.ceil(left / 1000) * 1000)}` : "Asking again now"}{" "}
        (attempt {attempt}).
      </span>
    </p>
  );
}

function Line({ icon, tone, text }: { icon: IconName; tone: "quiet" | "warn" | "bad"; text: string }) {
  return (
    <p class={`line line-${tone}`}>
      <Icon name={icon} />
      <span>
        <TextWithCode text={visibleText(text)} />
      </span>
    </p>
  );
}

type ReasoningProps = { block: Extract<Block, { type: "reasoning" }>; took: number | undefined };

function Reasoning({ block, took }: ReasoningProps) {
  const [isUnfolded, setUnfolded] = useState(false);
  const time = took === undefined || took < quick ? "" : ` for ${duration(took)}`;
  const words = block.open ? "Thinking…" : `Thought${time}`;
  return (
    <details class="reasoning" onToggle={({ currentTarget }) => setUnfolded(currentTarget.open)}>
      <summary class={block.open ? "working" : ""}>
        <Icon name="think" />
        <span>{words}</span>
        <Icon name="chevron" />
      </summary>
      {isUnfolded && <Markdown text={block.text} isOpen={block.open} />}
    </details>
  );
}

/** Shorter durations are not shown. */
const quick = 1_000;
