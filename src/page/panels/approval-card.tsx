/** An approval question: everything that would be done, why approval is needed, and the answers. */

import { useId, useMemo } from "preact/hooks";
import { visibleLine, visiblePreview } from "../../base/visible-text.ts";
import type { DroppedPart } from "../../protocol/facts.ts";
import type { QuestionBlock } from "../../view/blocks.ts";
import { containmentWords, undoWords } from "../../view/containment.ts";
import { type WaitingChanges, waitingWords } from "../../view/waiting-changes.ts";
import type { PanelProps } from "../contract.ts";
import "./approval-card.css";
import { TextWithCode } from "../markdown/text-with-code.tsx";
import { ApprovalAnswers } from "./approval-answers.tsx";
import { DiffView } from "./diff-view.tsx";
import { HeldFiles } from "./held-files.tsx";
import { useHeldParts } from "./held-parts.ts";
import { askedFor, headingOf, riskWords, titleBeside, traceLines, widerWords } from "./question-words.ts";
import { useRest } from "./rest.ts";

export function ApprovalCard({ question, view, ask }: PanelProps & { question: QuestionBlock }) {
  const heading = useId();
  const title = titleBeside(question);
  // The view changes with each chunk of an answer; the card is re-rendered only if it would look different.
  return useMemo(
    () => (
      <section
        role="group"
        class={`card approval-card approval-open approval-${question.risk}`}
        aria-labelledby={heading}
        data-question="open"
      >
        <header class="approval-head">
          <h2 id={heading} class="approval-heading">
            {headingOf(askedFor(question))}
          </h2>
          {title === "" ? null : <span class="approval-title mono">{title}</span>}
          <Risk question={question} />
        </header>
        {question.waiting ? (
          <HeldChanges question={question} waiting={question.waiting} ask={ask} />
        ) : (
          <>
            <Details question={question} />
            <RestingAnswers question={question} ask={ask} />
          </>
        )}
      </section>
    ),
    [question, view.id],
  );
}

type ApprovalQuestion = { question: QuestionBlock };

/** What a decided question had asked, in the row of its call. */
export const ApprovalAsked = ({ question }: ApprovalQuestion) => (
  <div class="approval-asked">
    <Risk question={question} />
    {question.answer?.command === undefined ? null : <Command text={question.answer.command} />}
    <Details question={question} />
  </div>
);

const Risk = ({ question: { risk } }: ApprovalQuestion) => (
  <span class={`approval-risk approval-risk-${risk}`}>{riskWords(risk)}</span>
);

/** The full action to decide on, and the reasons. */
function Details({ question }: ApprovalQuestion) {
  return (
    <>
      {["change", "held"].includes(askedFor(question)) ? (
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

type OpenApprovalProps = Pick<PanelProps, "ask"> &
  ApprovalQuestion & { drops?: DroppedPart[]; isNothingKept?: boolean };

function RestingAnswers(props: OpenApprovalProps) {
  return <ApprovalAnswers {...props} rests={useRest()} />;
}

/** The command has run: what of its changes to keep. */
function HeldChanges({ question, waiting, ask }: OpenApprovalProps & { waiting: WaitingChanges }) {
  const parts = useHeldParts(waiting.files);
  const { drops, isNothingKept } = parts;
  return (
    <>
      <div>
        {waitingWords(waiting).map((words) => (
          <p key={words}>{visibleLine(words)}</p>
        ))}
      </div>
      <HeldFiles files={waiting.files} parts={parts} off={false} />
      <ApprovalReasons question={question} />
      <RestingAnswers question={question} ask={ask} drops={drops} isNothingKept={isNothingKept} />
    </>
  );
}

/** Why approval is needed, and which limits would apply. */
function ApprovalReasons({ question }: { question: QuestionBlock }) {
  const { because, waiting, repairs = [] } = question;
  const sandbox = waiting ? undefined : question.sandbox;
  const undo = sandbox && undoWords(sandbox);
  return (
    <div class="approval-reasons">
      {repairs.length === 0 ? null : <RepairNotes repairs={repairs} />}
      <p>
        <strong>Why it asks:</strong> {visibleLine(because)}
      </p>
      {sandbox ? (
        <p>
          <strong>If allowed,</strong> it {containmentWords(sandbox, because)}.
          {undo === undefined ? null : ` ${undo}`}
        </p>
      ) : null}
      {question.answer ? null : (
        <p>
          <TextWithCode text={widerWords(question)} />
        </p>
      )}
      <Trace question={question} />
    </div>
  );
}

/** Makes visible that what is shown differs from what the model wrote. */
function RepairNotes({ repairs }: { repairs: NonNullable<QuestionBlock["repairs"]> }) {
  return (
    <div class="approval-mended">
      <strong>Repaired in the call:</strong>
      <ul>
        {repairs.map(({ detail, guess }, at) => (
          <li key={at}>{visibleLine(guess === true ? `A guess: ${detail}` : detail)}</li>
        ))}
      </ul>
    </div>
  );
}

function Trace({ question }: { question: QuestionBlock }) {
  const lines = traceLines(question);
  if (lines.length === 0) return null;
  return (
    <details class="approval-trace">
      <summary>How this was decided</summary>
      <dl>
        {lines.map(({ layer, words }, at) => (
          <div key={at}>
            <dt>{layer}</dt>
            <dd>{words}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
