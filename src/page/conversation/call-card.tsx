/** A tool call: what it does, how that was decided, its progress, its changes and its result. */

import { useState } from "preact/hooks";
import { visibleLine, visibleText } from "../../base/visible-text.ts";
import type { CallBlock, CallProgress, QuestionBlock } from "../../view/blocks.ts";
import { size } from "../../view/status.ts";
import { hashOf } from "../app/route.ts";
import { Icon, type IconName } from "../icon.tsx";
import { ApprovalAsked } from "../panels/approval-card.tsx";
import { DiffView } from "../panels/diff-view.tsx";
import { LineBadge } from "../panels/line-badge.tsx";
import { outcomeWords } from "../panels/question-words.ts";
import type { BlockContext } from "./block-context.ts";
import { useClock } from "./clock.ts";
import { Output } from "./output.tsx";
import { duration } from "./words.ts";

type CallCardProps = { block: CallBlock; took: number | undefined; context: BlockContext };

/** `question`: the decided one about the call. */
export function CallCard({ question, ...props }: CallCardProps & { question?: QuestionBlock }) {
  const { block, context } = props;
  const title = visibleLine(block.title);
  const isLong = title.length > headingLength;
  const hasBody = block.output.length > 0 || block.diff !== undefined || isLong || question !== undefined;
  const [choice, setChoice] = useState<boolean>();
  const isUnfolded = choice ?? isTelling(block);
  const no = whyNot(block, question);
  const head = <Head {...props} title={title} decided={decidedWords(block, question)} />;
  return (
    <section
      role="group"
      class={`call call-${toneOf(block.state)}`}
      aria-label={`Tool: ${title.slice(0, headingLength)}`}
    >
      <div class="call-top">
        {hasBody ? (
          <button
            type="button"
            class="call-head"
            aria-expanded={isUnfolded}
            onClick={() => setChoice(!isUnfolded)}
          >
            {head}
            <Icon name="chevron" />
          </button>
        ) : (
          <div class="call-head">{head}</div>
        )}
        {block.child !== undefined && <ChildLink id={block.child} title={title} />}
      </div>
      {no !== undefined && <p class="call-because">{visibleText(no)}</p>}
      <UndoGaps words={block.uncovered ?? []} />
      {hasBody && isUnfolded && (
        <div class="call-body">
          {isLong && (
            <pre class="output-text call-whole" tabIndex={0} aria-label="The whole call">
              {title}
            </pre>
          )}
          {question && <FoldedQuestion question={question} isOpen={!isTelling(block)} />}
          {block.diff && <DiffView text={block.diff.join("\n")} />}
          {block.moreDiff !== undefined && (
            <p class="muted call-more">… {block.moreDiff} more lines of the diff</p>
          )}
          <Output block={block} store={context.store} client={context.app.gateway.client} />
        </div>
      )}
    </section>
  );
}

function Head({ title, decided, ...props }: CallCardProps & { title: string; decided: string | undefined }) {
  const { block } = props;
  return (
    <>
      <Icon name={iconOf(block)} />
      <span class="call-title">{title}</span>
      {block.badge && <LineBadge {...block.badge} />}
      {!block.badge && block.staged && (
        <span class="call-staged">
          staged <LineBadge {...block.staged} />
        </span>
      )}
      {decided !== undefined && <span class="call-decided">{decided}</span>}
      <Progress {...props} />
    </>
  );
}

const allowedWords = { rule: "Allowed by a rule", grant: "Allowed earlier" };

/** Who allowed it, unless nobody had to. */
const decidedWords = ({ allowed }: CallBlock, question: QuestionBlock | undefined): string | undefined =>
  question?.answer?.answer === "allow" ? outcomeWords(question) : allowed && allowedWords[allowed];

function whyNot({ state, because }: CallBlock, question: QuestionBlock | undefined): string | undefined {
  if (question && question.answer?.answer !== "allow") return outcomeWords(question);
  return state === "denied" ? because : undefined;
}

const ChildLink = ({ id, title }: { id: string; title: string }) => (
  <a
    class="button small quiet call-child"
    href={hashOf({ type: "session", id })}
    aria-label={`Open the session of: ${title}`}
  >
    Open
  </a>
);

/** Beside an output that is shown at once, what was asked is folded. */
function FoldedQuestion({ question, isOpen }: { question: QuestionBlock; isOpen: boolean }) {
  const [isUnfolded, setUnfolded] = useState(isOpen);
  return (
    <details
      class="call-asked"
      open={isUnfolded}
      onToggle={({ currentTarget }) => setUnfolded(currentTarget.open)}
    >
      <summary>What was asked</summary>
      {isUnfolded && <ApprovalAsked question={question} />}
    </details>
  );
}

/** Longer calls do not fit into the heading, in characters. */
const headingLength = 300;

/** Calls unfolded from the start: a command's output, failures, and staged changes. */
function isTelling({ state, does, diff, badge, output }: CallBlock): boolean {
  if (diff !== undefined && !badge && state === "ok") return true;
  if (does === "execute" && (state === "cancelled" || state === "interrupted")) return output.length > 0;
  if (["failed", "invalid", "timeout"].includes(state)) return true;
  return does === "execute" && (state === "running" || state === "ok");
}

const iconOf = ({ does }: CallBlock): IconName => does ?? "tool";

const toneOf = (state: CallProgress): "busy" | "asks" | "good" | "quiet" | "bad" => {
  switch (state) {
    case "writing":
    case "pending":
    case "running":
      return "busy";
    case "asking":
      return "asks";
    case "ok":
      return "good";
    case "failed":
    case "invalid":
    case "timeout":
      return "bad";
    case "denied":
    case "cancelled":
    case "interrupted":
      return "quiet";
    default:
      return state satisfies never;
  }
};

function Progress({ block, took, context: { store } }: CallCardProps) {
  // What a crash left open runs nowhere.
  const isRunning =
    block.state === "running" &&
    block.startedAt !== undefined &&
    store.view.value.row?.standing !== "left-open";
  const now = useClock(isRunning);
  const time = isRunning
    ? duration(Math.floor(Math.max(0, now.value - (block.startedAt ?? 0)) / 1000) * 1000).replace(".0", "")
    : took === undefined || took < quick
      ? ""
      : duration(took);
  return (
    <span class="call-progress">
      {time !== "" && <span class="call-time">{time}</span>}
      <span class={`call-state call-state-${block.state}`}>{stateWords(block)}</span>
    </span>
  );
}

/** Shorter durations are not shown. */
const quick = 300;

function stateWords({ state, characters = 0 }: CallBlock): string {
  switch (state) {
    case "writing":
      return characters > 0 ? size(characters) : "…";
    case "pending":
      return "queued";
    case "asking":
      return "waiting for you";
    case "ok":
      return "done";
    case "invalid":
      return "invalid";
    case "timeout":
      return "timed out";
    default:
      return state;
  }
}

const shownUncovered = 5;

function UndoGaps({ words }: { words: readonly string[] }) {
  if (words.length === 0) return null;
  const left = words.length - shownUncovered;
  return (
    <p class="call-uncovered">
      <Icon name="warning" />
      <span>
        Undo does not cover: {words.slice(0, shownUncovered).map(visibleLine).join("; ")}
        {left > 0 && `; and ${left} more`}
      </span>
    </p>
  );
}
