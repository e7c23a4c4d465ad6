/** The form for a new session: the task, the workspace and the settings. */

import { useEffect, useState } from "preact/hooks";
import type { Mode } from "../../../protocol/facts.ts";
import type { App } from "../app/app-state.ts";
import { Composer } from "../composer/composer.tsx";
import { modeChoices, modelChoices } from "../panels/setting-words.ts";
import { Mark } from "./mark.tsx";

type Chosen = { workspace?: string; mode?: Mode; model?: string };

export function Start({ app }: { app: App }) {
  const [chosen, setChosen] = useState<Chosen>({});
  const usual = app.defaults.value?.mode;
  const mode = chosen.mode ?? modeForPeople(usual);
  const workspaces = [...new Set(app.sessions.value?.map(({ workspace }) => workspace))];
  return (
    <div class="start">
      <div class="start-content">
        <Mark />
        <h1>What do you want to do?</h1>
        <Composer
          drafts={app.drafts}
          draft="new"
          isRunning={false}
          sent={[]}
          placeholder="Describe a task, or ask about the code"
          commands={() => {
            const { workspace } = chosen;
            return app.gateway.client.commands(workspace === undefined ? {} : { workspace });
          }}
          send={async ({ id: message, content }) => {
            const created = await app.gateway.create(
              usual === undefined || mode === usual ? chosen : { ...chosen, mode },
            );
            if (!created.ok) return created;
            const { id } = created.value;
            // Opens the session first, so that a person is present when the model asks a question.
            app.go({ type: "session", id });
            const outcome = await app.gateway.askOf(id)({ type: "send", id: message, content });
            if (!outcome.ok) await takeBack(app, id, outcome.problem);
            return outcome;
          }}
        />
        <Choices app={app} chosen={{ ...chosen, mode }} workspaces={workspaces} change={setChosen} />
      </div>
    </div>
  );
}

/** Deletes a session whose first message was refused; its text stays here for correction. */
async function takeBack(app: App, id: string, problem: string): Promise<void> {
  app.notify(problem);
  const row = await app.gateway.row(id);
  if (!row.ok || row.value.turns > 0) return; // the message may have arrived after all
  const removed = await app.gateway.remove(id);
  if (removed.ok) app.forget(id);
}

/** Staged mode is for programs that cannot ask a person; the page can. */
const modeForPeople = (usual: Mode | undefined): Mode =>
  usual === undefined || usual === "staged" ? "ask" : usual;

type ChoicesProps = {
  app: App;
  chosen: Chosen & { mode: Mode };
  workspaces: readonly string[];
  change: (chosen: Chosen) => void;
};

function Choices({ app, chosen, workspaces, change }: ChoicesProps) {
  const defaults = app.defaults.value;
  const models = useModels(app);
  const set = (name: "workspace" | "model", value: string): void => {
    const { [name]: _, ...rest } = chosen;
    change(value.trim() === "" ? rest : { ...rest, [name]: value.trim() });
  };
  return (
    <div class="start-choices">
      <label>
        <span>Workspace</span>
        <input
          class="field"
          list="workspaces"
          placeholder={defaults?.workspace ?? ""}
          value={chosen.workspace ?? ""}
          onInput={({ currentTarget: { value } }) => set("workspace", value)}
        />
        <datalist id="workspaces">
          {workspaces.map((path) => (
            <option key={path} value={path} />
          ))}
        </datalist>
      </label>
      <ModeChoice mode={chosen.mode} change={(mode) => change({ ...chosen, mode })} />
      <label>
        <span>Model</span>
        <input
          class="field"
          list="models"
          placeholder="as configured"
          value={chosen.model ?? ""}
          onInput={({ currentTarget: { value } }) => set("model", value)}
        />
        <datalist id="models">
          {models.map((name) => (
            <option key={name} value={name} />
          ))}
        </datalist>
      </label>
    </div>
  );
}

type ModeProps = { mode: Mode; change: (mode: Mode) => void };

const ModeChoice = ({ mode, change }: ModeProps) => (
  <label>
    <span>Mode</span>
    <select
      class="field"
      value={mode}
      onChange={({ currentTarget: { value } }) => {
        const found = modeChoices.find(({ mode }) => mode === value);
        if (found) change(found.mode);
      }}
    >
      {modeChoices.map(({ mode, name }) => (
        <option key={mode} value={mode}>
          {name}
        </option>
      ))}
    </select>
    <span class="muted">{modeChoices.find((choice) => choice.mode === mode)?.says}</span>
  </label>
);

function useModels(app: App): readonly string[] {
  const [names, setNames] = useState<readonly string[]>([]);
  const isOpen = app.link.value.type === "open";
  const learn = async (): Promise<void> => {
    const models = await app.gateway.client.models();
    if (models.ok) setNames(modelChoices(models.value, "").groups.flatMap(({ models }) => models));
  };
  useEffect(() => {
    if (isOpen && names.length === 0) void learn();
  }, [isOpen]);
  return names;
}
