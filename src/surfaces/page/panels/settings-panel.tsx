/** How a session goes on: its mode and its model; and how the page looks. */
import { useSignal } from "@preact/signals";
import { useEffect, useId, useRef } from "preact/hooks";
import type { Mode } from "../../../protocol/facts.ts";
import { visibleLine } from "../../view/visible.ts";
import { type PanelProps, person, type Theme } from "../contract.ts";
import { useLoading } from "./loading.ts";
import { modeChoices, modelChoices } from "./setting-words.ts";
import "./panels.css";
import { ProblemLine } from "./problem-line.tsx";
import { type Sending, useSending } from "./sending.ts";

type Settings = PanelProps & { theme: Theme; onTheme: (theme: Theme) => void; onClose: () => void };

export function SettingsPanel({ view, ask, client, theme, onTheme, onClose }: Settings) {
  const sending = useSending(ask);
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => place.current?.querySelector<HTMLElement>("input, select")?.focus(), []);
  return (
    <div
      class="settings-panel"
      ref={place}
      onKeyDown={(event) => {
        if (event.key === "Escape") onClose();
      }}
    >
      <ModeChoice mode={view.state.mode} sending={sending} />
      <ModelChoice view={view} client={client} sending={sending} />
      <ProblemLine problem={sending.problem} />
      <ThemeChoice theme={theme} onTheme={onTheme} />
    </div>
  );
}

function ModeChoice({ mode, sending }: { mode: Mode; sending: Sending }) {
  const name = useId();
  // What was chosen, until the session says that it is so.
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
      <legend>Mode, from here on</legend>
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

type ModelProps = Pick<PanelProps, "view" | "client"> & { sending: Sending };

function ModelChoice({ view, client, sending }: ModelProps) {
  const models = useLoading(() => client.models());
  useEffect(() => models.load(), []);
  const field = useId();
  const { model, chosenModel } = view.state;
  const now = chosenModel ?? model;
  const { groups, problems } = modelChoices(models.value, now);
  return (
    <div class="settings-group">
      <label for={field}>Model, from the next request on</label>
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

const themes: readonly { theme: Theme; name: string }[] = [
  { theme: "system", name: "As the system" },
  { theme: "light", name: "Light" },
  { theme: "dark", name: "Dark" },
];

function ThemeChoice({ theme, onTheme }: Pick<Settings, "theme" | "onTheme">) {
  const name = useId();
  return (
    <fieldset class="settings-group">
      <legend>Look of the page</legend>
      {themes.map((each) => (
        <label key={each.theme} class="question-choice">
          <input
            type="radio"
            name={name}
            checked={each.theme === theme}
            onChange={() => onTheme(each.theme)}
          />
          <span>{each.name}</span>
        </label>
      ))}
    </fieldset>
  );
}
