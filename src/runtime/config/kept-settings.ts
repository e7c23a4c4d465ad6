/** The mode and the model that a session is opened with: those of the program, of the session itself, or chosen now. */

import type { Expected } from "../../base/expected.ts";
import type { Fact, Mode } from "../../protocol/facts.ts";
import { type SessionState, settingsTold } from "../../protocol/session-state.ts";
import type { Model } from "../../providers/provider.ts";
import type { SessionSetup } from "../session-setup.ts";

/**
 * `settings`: "kept" goes on in the mode and with the model that the session's log tells; else they are those of the
 * program that opens it. `mode` and `model` are chosen now, by `by` ("user" by default), and are told by the log.
 */
export type Chosen = { settings?: "own" | "kept"; mode?: Mode; model?: string; by?: string };

type Settings = Pick<SessionSetup, "mode" | "model" | "openModel">;

/** A model as a person names it; the one that is open already is not opened again. */
export async function openNamed(name: string, { model, openModel }: Settings): Promise<Expected<Model>> {
  if (name === model.name) return { ok: true, value: model };
  return (await openModel?.(name)) ?? noOtherModel;
}

export const noOtherModel = { ok: false as const, problem: "No other model can be chosen here." };

/** `model`: the chosen one, opened. */
export type Opened = Omit<Chosen, "model"> & { model?: Model };

/** What is chosen now is opened before a session is made of it. */
export async function openChosen(chosen: Chosen, setup: Settings): Promise<Expected<Opened>> {
  const { model: name, ...rest } = chosen;
  if (name === undefined) return { ok: true, value: rest };
  const model = await openNamed(name, setup);
  return model.ok ? { ok: true, value: { ...rest, model: model.value } } : model;
}

/** The settings of a session, and what its log does not tell of them yet. */
export async function settingsFor<Setup extends Settings>(
  state: SessionState,
  setup: Setup,
  { settings = "own", mode, model, by = "user" }: Opened,
): Promise<{ setup: Setup; facts: Fact[] }> {
  const told = settingsTold(state);
  const kept = settings === "kept" && !model ? await keptModel(state, setup) : { facts: [] };
  const modes: Fact[] = mode === undefined || mode === told.mode ? [] : [{ type: "mode-set", mode, by }];
  const models: Fact[] =
    model === undefined || model.name === told.model ? [] : [{ type: "model-set", model: model.name, by }];
  const own = {
    mode: mode ?? (settings === "kept" ? told.mode : undefined) ?? setup.mode,
    model: model ?? kept.model ?? setup.model,
  };
  return { setup: { ...setup, ...own }, facts: [...modes, ...models, ...kept.facts] };
}

/** One that cannot be opened now stays the session's, for the next time; until then it is said who is asked instead. */
async function keptModel(state: SessionState, setup: Settings): Promise<{ model?: Model; facts: Fact[] }> {
  const name = settingsTold(state).model;
  if (name === undefined) return { facts: [] };
  const opened = await openNamed(name, setup);
  if (opened.ok) return { model: opened.value, facts: [] };
  const text = `The model of this session, ${name}, cannot be opened: ${opened.problem} Until it can, requests go to ${setup.model.name}; choose another model if that is not wanted.`;
  return { facts: [{ type: "warning", code: modelGone, text }] };
}

export const modelGone = "model-gone";
