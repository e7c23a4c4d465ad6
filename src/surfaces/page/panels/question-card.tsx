/** A question from the model: one choice, several, or free text; or its plan. */

import { type Signal, useComputed, useSignal } from "@preact/signals";
import type { AskedBlock } from "../../view/blocks.ts";
import { visibleLine, visibleText } from "../../view/visible.ts";
import { person, type PanelProps } from "../contract.ts";
import { PlanAnswers, PlanList } from "./plan-card.tsx";
import { ProblemLine } from "./problem-line.tsx";
import { QuestionFrame } from "./question-frame.tsx";
import { isGivenUp, replyWords } from "./reply-words.ts";
import { useSending } from "./sending.ts";
import { WordsField } from "./words-field.tsx";

export function QuestionCard({ asked, view, ask }: PanelProps & { asked: AskedBlock }) {
  const open = !asked.reply && !isGivenUp(asked, view.state);
  const Asking = asked.steps === undefined ? Answers : PlanAnswers;
  return (
    <QuestionFrame open={open} heading={headingOf(asked, open)} words={visibleText(asked.question.trim())}>
      {open ? <Asking asked={asked} ask={ask} /> : <Over asked={asked} />}
    </QuestionFrame>
  );
}

function headingOf({ steps }: AskedBlock, open: boolean): string {
  if (steps === undefined) return "The model asks";
  return open ? "Approve this plan?" : "The model's plan";
}

function Over({ asked }: { asked: AskedBlock }) {
  const steps = asked.reply?.steps ?? asked.steps;
  const chosen = new Set(asked.reply?.chosen);
  return (
    <>
      {steps ? <PlanList steps={steps} /> : null}
      {asked.choices.length === 0 ? null : (
        <ul class="question-choices">
          {asked.choices.map(({ label }, at) => (
            <li key={at} class={chosen.has(at) ? "question-chosen" : "muted"}>
              {chosen.has(at) ? "✓ " : ""}
              {visibleLine(label)}
            </li>
          ))}
        </ul>
      )}
      <p class="question-outcome">{replyWords(asked)}</p>
    </>
  );
}

function Answers({ asked, ask }: Pick<PanelProps, "ask"> & { asked: AskedBlock }) {
  const sending = useSending(ask);
  const chosen = useSignal<readonly number[]>([]);
  const words = useSignal("");
  const isEmpty = useComputed(() => chosen.value.length === 0 && words.value.trim() === "");
  const { choices, callId } = asked;
  const reply = (answer: "given" | "declined"): void => {
    const text = words.value.trim();
    const given = answer === "given" && chosen.value.length > 0 ? { chosen: [...chosen.value] } : {};
    const own = text === "" ? {} : { text };
    void sending.send({ type: "answer-question", callId, answer, by: person, ...given, ...own });
  };
  return (
    <form
      class="question-form"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isEmpty.value) reply("given");
      }}
    >
      <Choices asked={asked} chosen={chosen} />
      <WordsField label={choices.length === 0 ? "Your answer" : "Or in your own words"} words={words} />
      <div class="approval-buttons">
        <button type="submit" class="button primary" disabled={sending.busy || isEmpty.value}>
          Answer
        </button>
        <button type="button" class="button" disabled={sending.busy} onClick={() => reply("declined")}>
          Don't answer
        </button>
      </div>
      <ProblemLine problem={sending.problem} />
    </form>
  );
}

function Choices({ asked, chosen }: { asked: AskedBlock; chosen: Signal<readonly number[]> }) {
  const { choices, several, callId } = asked;
  if (choices.length === 0) return null;
  const choose = (at: number, isOn: boolean): void => {
    const others = several ? chosen.peek().filter((each) => each !== at) : [];
    chosen.value = isOn ? [...others, at].sort((one, other) => one - other) : others;
  };
  return (
    <fieldset class="question-choices">
      <legend>{several ? "Choose any of these" : "Choose one"}</legend>
      {choices.map(({ label, detail }, at) => (
        <label key={at} class="question-choice">
          <input
            type={several ? "checkbox" : "radio"}
            name={`choice-${callId}`}
            checked={chosen.value.includes(at)}
            onChange={(event) => choose(at, event.currentTarget.checked)}
          />
          <span>
            {visibleLine(label)}
            {detail === undefined || detail === "" ? null : (
              <span class="muted question-detail">{visibleText(detail)}</span>
            )}
          </span>
        </label>
      ))}
    </fieldset>
  );
}
