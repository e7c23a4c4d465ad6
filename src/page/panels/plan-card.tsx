/** The model's plan: approve it in a chosen mode, as it is or edited, or reject it with a comment. */

import { type Signal, useSignal } from "@preact/signals";
import { visibleLine, visibleText } from "../../base/visible-text.ts";
import type { Mode, PlanStep } from "../../protocol/facts.ts";
import type { AskedBlock } from "../../view/blocks.ts";
import { person, type PanelProps } from "../contract.ts";
import {
  changedPlan,
  editedSteps,
  plannedSteps,
  type EditedStep,
  stepAdded,
  stepMoved,
  stepRemoved,
  stepWritten,
} from "./plan-steps.ts";
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

/** The fields for rewording, moving, removing and adding the steps of a plan. */
function PlanEditor({ steps }: { steps: Signal<EditedStep[]> }) {
  const all = steps.value;
  return (
    <>
      <ol class="plan-steps plan-edited">
        {all.map((step, at) => (
          <li key={step.key}>
            <Fields step={step} number={at + 1} steps={steps} />
            <div class="plan-moves">
              <Move label={`Move step ${at + 1} up`} sign="↑" off={at === 0} by={() => move(step, -1)} />
              <Move
                label={`Move step ${at + 1} down`}
                sign="↓"
                off={at === all.length - 1}
                by={() => move(step, 1)}
              />
              <Move
                label={`Remove step ${at + 1}`}
                sign="✕"
                off={false}
                by={() => (steps.value = stepRemoved(steps.peek(), step.key))}
              />
            </div>
          </li>
        ))}
      </ol>
      <button type="button" class="button small" onClick={() => (steps.value = stepAdded(steps.peek()))}>
        Add a step
      </button>
    </>
  );

  function move({ key }: EditedStep, by: -1 | 1): void {
    steps.value = stepMoved(steps.peek(), key, by);
  }
}

type FieldsProps = { step: EditedStep; number: number; steps: Signal<EditedStep[]> };

function Fields({ step, number, steps }: FieldsProps) {
  const write = (words: Partial<EditedStep>): void => {
    steps.value = stepWritten(steps.peek(), step.key, words);
  };
  return (
    <div class="plan-fields">
      <input
        class="field"
        aria-label={`Step ${number}`}
        value={step.title}
        onInput={(event) => write({ title: event.currentTarget.value })}
      />
      <textarea
        class="field"
        rows={step.detail === "" ? 1 : 3}
        aria-label={`Details of step ${number}`}
        placeholder="Details"
        value={step.detail}
        onInput={(event) => write({ detail: event.currentTarget.value })}
      />
    </div>
  );
}

type MoveProps = { label: string; sign: string; off: boolean; by: () => void };

function Move({ label, sign, off, by }: MoveProps) {
  return (
    <button type="button" class="button quiet" aria-label={label} title={label} disabled={off} onClick={by}>
      <span aria-hidden="true">{sign}</span>
    </button>
  );
}
