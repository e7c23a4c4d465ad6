/** The model's plan: approve it in a chosen mode, as it is or edited, or reject it with a comment. */

import { type Signal, useSignal } from "@preact/signals";
import type { Mode, PlanStep } from "../../protocol/facts.ts";
import type { AskedBlock } from "../../view/blocks.ts";
import { visibleLine, visibleText } from "../../view/visible.ts";
import { person, type PanelProps } from "../contract.ts";
import { PlanEditor } from "./plan-editor.tsx";
import { changedPlan, editedSteps, plannedSteps } from "./plan-steps.ts";
import { ProblemLine } from "./problem-line.tsx";
import { useSending } from "./sending.ts";
import { WordsField } from "./words-field.tsx";

export function PlanList({ steps }: { steps: readonly PlanStep[] }) {
  return (
    <ol class="plan-steps">
      {steps.map(({ title, detail }, at) => (
        <li key={at}>
          {visibleLine(title)}
          {detail === undefined || detail.trim() === "" ? null : (
            <span class="muted question-detail">{visibleText(detail.trim())}</span>
          )}
        </li>
      ))}
    </ol>
  );
}

const ways: readonly { mode: Mode; label: string }[] = [
  { mode: "ask", label: "Ask before file changes and anything risky" },
  { mode: "accept-edits", label: "Edit files without asking" },
  { mode: "auto", label: "Ask only when it is risky" },
];

export function PlanAnswers({ asked, ask }: Pick<PanelProps, "ask"> & { asked: AskedBlock }) {
  const planned = asked.steps ?? [];
  const sending = useSending(ask);
  const steps = useSignal(editedSteps(planned));
  const isEditing = useSignal(false);
  const mode = useSignal<Mode>("ask");
  const words = useSignal("");
  const answer = { type: "answer-question", callId: asked.callId, by: person } as const;
  const text = words.value.trim() === "" ? {} : { text: words.value.trim() };
  const isEmpty = plannedSteps(steps.value).length === 0;
  const approve = (event: Event): void => {
    event.preventDefault();
    if (isEmpty) return;
    const changed = changedPlan(planned, steps.value);
    const plan = changed ? { steps: changed } : {};
    void sending.send({ ...answer, answer: "given", mode: mode.value, ...plan, ...text });
  };
  return (
    <form class="question-form" onSubmit={approve}>
      {isEditing.value ? <PlanEditor steps={steps} /> : <PlanList steps={plannedSteps(steps.value)} />}
      <button
        type="button"
        class="button small"
        aria-pressed={isEditing.value}
        onClick={() => (isEditing.value = !isEditing.value)}
      >
        {isEditing.value ? "Done editing" : "Edit steps"}
      </button>
      <Ways mode={mode} name={`mode-${asked.callId}`} />
      <WordsField label="Anything else the model should know" words={words} />
      <div class="approval-buttons">
        <button type="submit" class="button primary" disabled={sending.busy || isEmpty}>
          Approve the plan
        </button>
        <button
          type="button"
          class="button danger"
          disabled={sending.busy}
          onClick={() => void sending.send({ ...answer, answer: "declined", ...text })}
        >
          Reject
        </button>
      </div>
      <ProblemLine problem={sending.problem} />
    </form>
  );
}

function Ways({ mode, name }: { mode: Signal<Mode>; name: string }) {
  return (
    <fieldset class="question-choices">
      <legend>While it is carried out</legend>
      {ways.map((way) => (
        <label key={way.mode} class="question-choice">
          <input
            type="radio"
            name={name}
            checked={mode.value === way.mode}
            onChange={() => {
              mode.value = way.mode;
            }}
          />
          <span>{way.label}</span>
        </label>
      ))}
    </fieldset>
  );
}
