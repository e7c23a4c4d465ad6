/** A question that a person decides: all of what would be done, why it is asked, and the answers. */
import { useSignal } from "@preact/signals";
import { useEffect, useId, useMemo } from "preact/hooks";
import type { QuestionBlock } from "../../view/blocks.ts";
import { visiblePreview } from "../../view/visible.ts";
import type { PanelProps } from "../contract.ts";
import { ApprovalAnswers } from "./approval-answers.tsx";
import "./approval-card.css";
import { ApprovalReasons } from "./approval-reasons.tsx";
import { useKeptFocus } from "./kept-focus.ts";
import { DiffView } from "./diff-view.tsx";
import { askedFor, headingOf, isOpen, outcomeWords, riskWords, titleBeside } from "./question-words.ts";

export function ApprovalCard({ question, view, ask }: PanelProps & { question: QuestionBlock }) {
  const heading = useId();
  const open = isOpen(question, view.state);
  const place = useKeptFocus(open);
  const what = askedFor(question);
  const title = titleBeside(question, open);
  // The session tells of itself with each piece of an answer; this is drawn anew only when it looks different.
  const body = useMemo(
    () => (open ? <Open question={question} ask={ask} /> : <Over question={question} />),
    [question, open, view.id],
  );
  return (
    <section
      ref={place}
      role="group"
      class={`card approval-card ${open ? "approval-open" : "approval-over"} approval-${question.risk}`}
      aria-labelledby={heading}
      data-question={open ? "open" : "over"}
    >
      <header class="approval-head">
        <h2 id={heading} tabIndex={-1} class="approval-heading">
          {headingOf(what, open)}
        </h2>
        {title === "" ? null : <span class="approval-title mono">{title}</span>}
        <span class={`approval-risk approval-risk-${question.risk}`}>{riskWords(question.risk)}</span>
      </header>
      {body}
    </section>
  );
}

function Open({ question, ask }: Pick<PanelProps, "ask"> & { question: QuestionBlock }) {
  return (
    <>
      <Asked question={question} open />
      <Armed question={question} ask={ask} />
    </>
  );
}

/** All of what is decided about, and why. */
function Asked({ question, open }: { question: QuestionBlock; open: boolean }) {
  return (
    <>
      {askedFor(question) === "change" ? (
        <DiffView text={question.preview} />
      ) : (
        <Command text={question.preview} />
      )}
      <ApprovalReasons question={question} open={open} />
    </>
  );
}

const Command = ({ text }: { text: string }) => (
  <pre class="approval-command mono">
    <code>{visiblePreview(text).replace(/\n$/u, "")}</code>
  </pre>
);

/** Once it is decided, what came of it matters; the rest is folded. */
function Over({ question }: { question: QuestionBlock }) {
  const { command } = question.answer ?? {};
  const isUnfolded = useSignal(false);
  return (
    <>
      <p class="approval-outcome">{outcomeWords(question)}</p>
      {command === undefined ? null : <Command text={command} />}
      <details
        class="approval-asked"
        onToggle={({ currentTarget }) => {
          isUnfolded.value = currentTarget.open;
        }}
      >
        <summary>What was asked, and why</summary>
        {isUnfolded.value ? <Asked question={question} open={false} /> : null}
      </details>
    </>
  );
}

/** A card that has just come may stand where somebody was about to click: for a moment its answers rest. */
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
