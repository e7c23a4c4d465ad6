/** A session's settings: its mode, its model, and how much that thinks. */

import { useSignal } from "@preact/signals";
import { useEffect, useId } from "preact/hooks";
import { visibleLine } from "../../base/visible-text.ts";
import type { Mode } from "../../protocol/facts.ts";
import type { Reasoning } from "../../protocol/messages.ts";
import { modeChoices } from "../../view/mode-choices.ts";
import { reasoningChoices } from "../../view/reasoning-choices.ts";
import { type PanelProps, person } from "../contract.ts";
import { useLoading } from "./loading.ts";
import "./panels.css";
import { ProblemLine } from "./problem-line.tsx";
import { type SendingState, useSending } from "./sending.ts";
import { modelChoices } from "./setting-words.ts";

export function SettingsPanel({ view, ask, client }: PanelProps) {
  const sending = useSending(ask);
  return (
    <>
      <ModeChoice mode={view.state.mode} sending={sending} />
      <ModelChoice view={view} client={client} sending={sending} />
      <ReasoningChoice now={view.state.reasoning ?? "default"} sending={sending} />
      <ProblemLine problem={sending.problem} />
    </>
  );
}

function ModeChoice({ mode, sending }: { mode: Mode; sending: SendingState }) {
  const name = useId();
  // The choice made here, until the session confirms it.
  const wanted = useSignal<Mode | undefined>(undefined);
  useEffect(() => {
    wanted.value = undefined;
  }, [mode]);
  const choose = async (other: Mode): Promise<void> => {
    wanted.value = other;
    const outcome = await sending.send({ type: "set-mode", mode: other, by: person });
    if (!outcome?.ok) wanted.value = undefined;
  };
  return (
    <fieldset class="settings-group">
      <legend>Mode</legend>
      {modeChoices.map((choice) => (
        <label key={choice.mode} class="question-choice">
          <input
            type="radio"
            name={name}
            value={choice.mode}
            checked={choice.mode === (wanted.value ?? mode)}
            onChange={() => void choose(choice.mode)}
          />
          <span>
            {choice.name}
            <span class="muted question-detail">{choice.says}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}

type ModelProps = Pick<PanelProps, "view" | "client"> & { sending: SendingState };

function ModelChoice({ view, client, sending }: ModelProps) {
  const models = useLoading(() => client.models());
  useEffect(() => models.load(), []);
  const field = useId();
  const { model, chosenModel } = view.state;
  const now = chosenModel ?? model;
  const { groups, problems } = modelChoices(models.value, now);
  return (
    <div class="settings-group">
      <label for={field}>Model (from the next request on)</label>
      <select
        id={field}
        class="field"
        value={now}
        disabled={sending.busy}
        onChange={(event) =>
          void sending.send({ type: "set-model", model: event.currentTarget.value, by: person })
        }
      >
        {groups.map(({ provider, models: named }) => (
          <optgroup key={provider} label={visibleLine(provider)}>
            {named.map((each) => (
              <option key={each} value={each} selected={each === now}>
                {visibleLine(each)}
              </option>
            ))}
          </optgroup>
        ))}
      </select>
      {models.isLoading ? <p class="muted">Looking for models…</p> : null}
      <ProblemLine problem={models.problem} />
      {problems.map((problem) => (
        <p key={problem} class="muted">
          {visibleLine(problem)}
        </p>
      ))}
    </div>
  );
}

function ReasoningChoice({ now, sending }: { now: Reasoning; sending: SendingState }) {
  const field = useId();
  const choose = (wanted: string): void => {
    const found = reasoningChoices.find((choice) => choice.reasoning === wanted);
    if (found) void sending.send({ type: "set-reasoning", reasoning: found.reasoning, by: person });
  };
  return (
    <div class="settings-group">
      <label for={field}>Reasoning (from the next answer on)</label>
      <select
        id={field}
        class="field"
        value={now}
        disabled={sending.busy}
        onChange={(event) => choose(event.currentTarget.value)}
      >
        {reasoningChoices.map(({ reasoning, name }) => (
          <option key={reasoning} value={reasoning} selected={reasoning === now}>
            {name}
          </option>
        ))}
      </select>
      <p class="muted">{reasoningChoices.find((choice) => choice.reasoning === now)?.says}</p>
    </div>
  );
}
