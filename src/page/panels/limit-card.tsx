/** A limit was reached: stop here, continue as offered, or continue up to another amount. */

import { useSignal } from "@preact/signals";
import { useId } from "preact/hooks";
import { nobody } from "../../protocol/fact-words.ts";
import type { LimitBlock } from "../../view/blocks.ts";
import { amountWords, usedWords } from "../../view/message-lines.ts";
import { person, type PanelProps } from "../contract.ts";
import { readAmount, unitOf, amountText } from "./limit-amount.ts";
import { ProblemLine } from "./problem-line.tsx";
import { QuestionFrame } from "./question-frame.tsx";
import { answeredFrom } from "./question-words.ts";
import { useSending } from "./sending.ts";

export function LimitCard(props: PanelProps & { limit: LimitBlock }) {
  const { answer, most, limit } = props.limit;
  // The settings extended the limit without asking.
  if (answer?.by === "toolwright" && answer.answer === "extend")
    return (
      <p class="muted limit-line">
        The request continues automatically, up to {amountWords(limit, answer.most ?? most)}.
      </p>
    );
  return <AskedLimit {...props} />;
}

function AskedLimit({ limit, view, ask }: PanelProps & { limit: LimitBlock }) {
  const { status, limitAsked } = view.state;
  const open = !limit.answer && status === "running" && limitAsked?.limit === limit.limit;
  return (
    <QuestionFrame
      open={open}
      heading={open ? "Continue?" : "A limit was reached"}
      words={usedWords(limit.limit, limit.used, limit.most)}
    >
      {open ? <Answers limit={limit} ask={ask} /> : <p class="question-outcome">{outcome(limit)}</p>}
    </QuestionFrame>
  );
}

function outcome({ answer, limit, most }: LimitBlock): string {
  if (!answer) return "Not answered: the request is over.";
  if (answer.by === nobody) return "Not answered in time: it stopped.";
  const from = answeredFrom(answer.by);
  return answer.answer === "stop"
    ? `Stopped, ${from}.`
    : `Continued, up to ${amountWords(limit, answer.most ?? most)}, ${from}.`;
}

function Answers({ limit: block, ask }: Pick<PanelProps, "ask"> & { limit: LimitBlock }) {
  const { limit, used, offer } = block;
  const sending = useSending(ask);
  const figure = useSignal(amountText(limit, offer));
  const field = useId();
  const unit = unitOf(limit);
  const wanted = readAmount(limit, figure.value, used);
  const answer = { type: "answer-limit", by: person } as const;
  return (
    <form
      class="question-form"
      onSubmit={(event) => {
        event.preventDefault();
        if (wanted !== undefined) void sending.send({ ...answer, answer: "extend", most: wanted });
      }}
    >
      <div class="limit-field">
        <label for={field}>Up to</label>
        <input
          id={field}
          class="field"
          type="number"
          min="0"
          step={unit.step}
          inputMode="decimal"
          value={figure.value}
          aria-describedby={`${field}-unit`}
          onInput={(event) => (figure.value = event.currentTarget.value)}
        />
        <span id={`${field}-unit`}>{unit.name} in total</span>
      </div>
      <div class="approval-buttons">
        <button type="submit" class="button primary" disabled={sending.busy || wanted === undefined}>
          Continue
        </button>
        <button
          type="button"
          class="button danger"
          disabled={sending.busy}
          onClick={() => void sending.send({ ...answer, answer: "stop" })}
        >
          Stop here
        </button>
      </div>
      {wanted === undefined ? <p class="muted">More than {amountWords(limit, used)}, please.</p> : null}
      <ProblemLine problem={sending.problem} />
    </form>
  );
}
