/** A question that a person decides: all of what would be done, why it is asked, and the answers. */
import { useSignal } from "@preact/signals";
import { useEffect, useId } from "preact/hooks";
import type { QuestionBlock } from "../../view/blocks.ts";
import { visiblePreview } from "../../view/visible.ts";
import type { PanelProps } from "../contract.ts";
import { ApprovalAnswers } from "./approval-answers.tsx";
import "./approval-card.css";
import { ApprovalReasons } from "./approval-reasons.tsx";
import { DiffView } from "./diff-view.tsx";
import { askedFor, headingOf, isOpen, outcomeWords, riskWords, titleBeside } from "./question-words.ts";

export function ApprovalCard({ question, view, ask }: PanelProps & { question: QuestionBlock }) {
  const heading = useId();
  const open = isOpen(question, view.state);
  const what = askedFor(question);
  const title = titleBeside(question);
  return (
    <section
      class={`card approval-card ${open ? "approval-open" : "approval-over"} approval-${question.risk}`}
      aria-labelledby={heading}
      data-question={open ? "open" : "over"}
    >
      <header class="approval-head">
        <h3 id={heading} class="approval-heading">
          {headingOf(what, open)}
        </h3>
        {title === "" ? null : <span class="approval-title mono">{title}</span>}
        <span class={`approval-risk approval-risk-${question.risk}`}>{riskWords(question.risk)}</span>
      </header>
      <Shown text={question.preview} isDiff={what === "change"} open={open} />
      <ApprovalReasons question={question} open={open} />
      {open ? <Armed question={question} ask={ask} /> : <Outcome question={question} />}
    </section>
  );
}

/** Once it is decided it is folded, if it is long. */
function Shown({ text, isDiff, open }: { text: string; isDiff: boolean; open: boolean }) {
  const lines = text.trimEnd().split("\n").length;
  const shown = isDiff ? (
    <DiffView text={text} />
  ) : (
    <pre class="approval-command mono">
      <code>{visiblePreview(text).replace(/\n$/u, "")}</code>
    </pre>
  );
  if (open || lines <= 8) return shown;
  return (
    <details>
      <summary>What was asked about ({lines} lines)</summary>
      {shown}
    </details>
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

function Outcome({ question }: { question: QuestionBlock }) {
  const { command } = question.answer ?? {};
  return (
    <>
      <p class="approval-outcome">{outcomeWords(question)}</p>
      {command === undefined ? null : (
        <pre class="approval-command mono">
          <code>{visiblePreview(command)}</code>
        </pre>
      )}
    </>
  );
}
