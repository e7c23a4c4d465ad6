/** Why approval is needed, and which limits would apply. */

import type { QuestionBlock } from "../../view/blocks.ts";
import { containmentWords, undoWords } from "../../view/containment.ts";
import { visibleLine } from "../../view/visible.ts";
import { TextWithCode } from "../markdown/text-with-code.tsx";
import { traceLines, widerWords } from "./question-words.ts";

export function ApprovalReasons({ question }: { question: QuestionBlock }) {
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
