/** The fields for rewording, moving, removing and adding the steps of a plan. */

import type { Signal } from "@preact/signals";
import { type EditedStep, stepAdded, stepMoved, stepRemoved, stepWritten } from "./plan-steps.ts";

export function PlanEditor({ steps }: { steps: Signal<EditedStep[]> }) {
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
