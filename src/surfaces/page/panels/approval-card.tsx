/** An approval question: everything that would be done, why approval is needed, and the answers. */

import { useSignal } from "@preact/signals";
import { useEffect, useId, useMemo } from "preact/hooks";
import type { QuestionBlock } from "../../view/blocks.ts";
import { visiblePreview } from "../../view/visible.ts";
import type { PanelProps } from "../contract.ts";
import { Icon } from "../icon.tsx";
import { ApprovalAnswers } from "./approval-answers.tsx";
import "./approval-card.css";
import { ApprovalReasons } from "./approval-reasons.tsx";
import { DiffView } from "./diff-view.tsx";
import { useKeptFocus } from "./kept-focus.ts";
import {
  askedFor,
  headingOf,
  isOpen,
  outcomeWords,
  riskWords,
  titleBeside,
  titleOver,
} from "./question-words.ts";

export function ApprovalCard({ question, view, ask }: PanelProps & { question: QuestionBlock }) {
  const heading = useId();
  const open = isOpen(question, view.state);
  const place = useKeptFocus(open);
  // The view changes with each chunk of an answer; the card is re-rendered only if it would look different.
  const body = useMemo(
    () =>
      open ? (
        <Open question={question} ask={ask} heading={heading} />
      ) : (
        <Over question={question} heading={heading} />
      ),
    [question, open, view.id],
  );
  return (
    <section
      ref={place}
      role="group"
      class={open ? `card approval-card approval-open approval-${question.risk}` : "approval-card"}
      aria-labelledby={heading}
      data-question={open ? "open" : "over"}
    >
      {body}
    </section>
  );
}

/** `heading`: the id of the element that names the card. */
type Asked = { question: QuestionBlock; heading: string };

function Open({ question, ask, heading }: Pick<PanelProps, "ask"> & Asked) {
  const title = titleBeside(question);
  return (
    <>
      <header class="approval-head">
        <h2 id={heading} class="approval-heading">
          {headingOf(askedFor(question))}
        </h2>
        {title === "" ? null : <span class="approval-title mono">{title}</span>}
        <Risk question={question} />
      </header>
      <Details question={question} />
      <Armed question={question} ask={ask} />
    </>
  );
}

const Risk = ({ question: { risk } }: Pick<Asked, "question">) => (
  <span class={`approval-risk approval-risk-${risk}`}>{riskWords(risk)}</span>
);

/** The full action to decide on, and the reasons. */
function Details({ question }: Pick<Asked, "question">) {
  return (
    <>
      {askedFor(question) === "change" ? (
        <DiffView text={question.preview} />
      ) : (
        <Command text={question.preview} />
      )}
      <ApprovalReasons question={question} />
    </>
  );
}

const Command = ({ text }: { text: string }) => (
  <pre class="approval-command mono">
    <code>{visiblePreview(text).replace(/\n$/u, "")}</code>
  </pre>
);

/** A decided question shows its outcome in one line; the rest is folded. */
function Over({ question, heading }: Asked) {
  const { answer } = question;
  const isUnfolded = useSignal(false);
  return (
    <details
      class="approval-over"
      onToggle={({ currentTarget }) => {
        isUnfolded.value = currentTarget.open;
      }}
    >
      <summary>
        <Icon name={answer?.answer === "allow" ? "check" : "limit"} />
        <h2 id={heading} class="approval-outcome">
          {outcomeWords(question)}
        </h2>
        <span class="approval-title mono">{titleOver(question)}</span>
        <Icon name="chevron" />
      </summary>
      {isUnfolded.value ? (
        <div class="card approval-asked">
          <Risk question={question} />
          {answer?.command === undefined ? null : <Command text={answer.command} />}
          <Details question={question} />
        </div>
      ) : null}
    </details>
  );
}

/** A card may appear where the user was about to click, so its answers are inactive at first. */
const restMs = 400;

function Armed(props: Pick<PanelProps, "ask"> & { question: QuestionBlock }) {
  const rests = useSignal(true);
  useEffect(() => {
    const timer = setTimeout(() => {
      rests.value = false;
    }, restMs);
    return () => clearTimeout(timer);
  }, []);
  return <ApprovalAnswers {...props} rests={rests.value} />;
}
