/** The form for a new session: the task, the workspace and the settings. */

import { useSignal } from "@preact/signals";
import { useEffect, useRef, useState } from "preact/hooks";
import type { CommandOutcome } from "../../protocol/commands.ts";
import type { Mode } from "../../protocol/facts.ts";
import type { ContentPart } from "../../protocol/messages.ts";
import { modeChoices } from "../../view/mode-choices.ts";
import type { App } from "../app/app-state.ts";
import { Composer } from "../composer/composer.tsx";
import type { Models } from "../contract.ts";
import { modelChoices } from "../panels/setting-words.ts";
import { Mark } from "./mark.tsx";

type StartSettings = { workspace?: string; mode?: Mode; model?: string };

export function Start({ app }: { app: App }) {
  const choosing = useSignal<StartSettings>({});
  const chosen = choosing.value;
  const change = (next: StartSettings): void => {
    choosing.value = next;
  };
  const models = useModels(app);
  const content = useRef<HTMLDivElement>(null);
  const usual = app.defaults.value?.mode;
  const mode = chosen.mode ?? modeForPeople(usual);
  const workspaces = [...new Set(app.sessions.value?.map(({ workspace }) => workspace))];
  return (
    <div class="start">
      <div class="start-content" ref={content}>
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
          send={(message) => {
            const now = choosing.peek(); // a model that was clicked is not in the view yet
            return begin(app, usual === undefined || mode === usual ? now : { ...now, mode }, message);
          }}
        />
        {models?.usual === undefined && chosen.model === undefined && (
          <ModelOffer
            names={namesOf(models)}
            choose={(model) => {
              change({ ...chosen, model });
              content.current?.querySelector("form")?.requestSubmit();
              content.current?.querySelector("textarea")?.focus();
            }}
          />
        )}
        <Choices
          app={app}
          chosen={{ ...chosen, mode }}
          workspaces={workspaces}
          models={models}
          change={change}
        />
      </div>
    </div>
  );
}

type FirstMessage = { id: string; content: ContentPart[] };

async function begin(
  app: App,
  chosen: StartSettings,
  { id: message, content }: FirstMessage,
): Promise<CommandOutcome> {
  const created = await app.gateway.create(chosen);
  if (!created.ok) return created;
  const { id } = created.value;
  // Opens the session first, so that a person is present when the model asks a question.
  app.go({ type: "session", id });
  const outcome = await app.gateway.askOf(id)({ type: "send", id: message, content });
  if (!outcome.ok) await takeBack(app, id, outcome.problem);
  return outcome;
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
  chosen: StartSettings & { mode: Mode };
  workspaces: readonly string[];
  models: Models | undefined;
  change: (chosen: StartSettings) => void;
};

function Choices({ app, chosen, workspaces, models, change }: ChoicesProps) {
  const defaults = app.defaults.value;
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
          placeholder={models ? (models.usual ?? noneUsual(models)) : "as configured"}
          value={chosen.model ?? ""}
          onInput={({ currentTarget: { value } }) => set("model", value)}
        />
        <datalist id="models">
          {namesOf(models).map((name) => (
            <option key={name} value={name} />
          ))}
        </datalist>
      </label>
    </div>
  );
}

const noneUsual = (models: Models): string => (namesOf(models).length > 0 ? "choose one" : "none found");

type OfferProps = { names: readonly string[]; choose: (model: string) => void };

/** More than a few are chosen in the field below. */
const mostOffered = 6;

/** The session begins with the model that is clicked: at once, if the message is written. */
const ModelOffer = ({ names, choose }: OfferProps) =>
  names.length > 0 && (
    <div class="start-models" role="group" aria-label="Models">
      <p class="muted">No model is chosen yet. Start with</p>
      {names.slice(0, mostOffered).map((name) => (
        <button key={name} type="button" class="button" onClick={() => choose(name)}>
          {name}
        </button>
      ))}
    </div>
  );

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

function useModels(app: App): Models | undefined {
  const [models, setModels] = useState<Models>();
  const isOpen = app.link.value.type === "open";
  const learn = async (): Promise<void> => {
    const told = await app.gateway.client.models();
    if (told.ok) setModels(told.value);
  };
  useEffect(() => {
    if (isOpen && namesOf(models).length === 0) void learn();
  }, [isOpen]);
  return models;
}

const namesOf = (models: Models | undefined): string[] =>
  modelChoices(models, "").groups.flatMap(({ models }) => models);
