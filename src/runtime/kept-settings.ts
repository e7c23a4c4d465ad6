/** Chooses the mode, model and reasoning a session opens with: the program's, the session's own, or those chosen now. */

import { type Expected, refuse } from "../base/expected.ts";
import { mayTrust, outOfTrust, trustedFact } from "../configuration/trusted-mode.ts";
import type { Fact, Mode } from "../protocol/facts.ts";
import type { Reasoning } from "../protocol/messages.ts";
import { type SessionState, settingsTold } from "../protocol/session-state.ts";
import type { Model } from "../providers/provider.ts";
import { reasoningProblem, unthinking } from "./reasoning.ts";
import type { SessionSetup } from "./session-setup.ts";

/**
 * `settings: "kept"` keeps those recorded in the session's log; otherwise the opening program's apply. `mode`, `model`
 * and `reasoning` are chosen now, by `by` ("user" by default), and are recorded in the log.
 */
export type ChosenSettings = {
  settings?: "own" | "kept";
  mode?: Mode;
  model?: string;
  reasoning?: Reasoning;
  by?: string;
};

type OpeningSetup = Pick<SessionSetup, "mode" | "model" | "reasoning" | "openModel" | "mayTrust">;

/** Why nobody may choose this mode here; undefined if it may be chosen. */
export function modeProblem(
  mode: Mode | undefined,
  setup: Pick<OpeningSetup, "mayTrust">,
): string | undefined {
  const trusting = mode === "trusted" ? trustingIn(setup) : undefined;
  return trusting?.ok === false ? trusting.problem : undefined;
}

const trustingIn = (setup: Pick<OpeningSetup, "mayTrust">): Expected<string> =>
  setup.mayTrust?.() ?? mayTrust({ knowing: false });

/** What is recorded along with a mode that was chosen. */
export function factsOfMode(mode: Mode, setup: Pick<OpeningSetup, "mayTrust">): Fact[] {
  const trusting = mode === "trusted" ? trustingIn(setup) : undefined;
  return trusting?.ok ? [trustedFact(trusting.value)] : [];
}

/** Opens a model by the name a person gives; reuses the model that is already open. */
export async function openNamed(name: string, { model, openModel }: OpeningSetup): Promise<Expected<Model>> {
  if (name === model.name) return { ok: true, value: model };
  return (await openModel?.(name)) ?? noOtherModel;
}

export const noOtherModel = refuse("No other model can be chosen here.");

/** `model`: the chosen model, opened. */
export type OpenedSettings = Omit<ChosenSettings, "model"> & { model?: Model };

/**
 * Opens the chosen model first, so that a failure leaves no session behind. A new session needs a model, its own or the
 * program's; an older one opens without, to be looked at, undone, or given another model.
 */
export async function openChosen(
  chosen: ChosenSettings,
  setup: OpeningSetup,
  { isNew }: { isNew: boolean },
): Promise<Expected<OpenedSettings>> {
  const { model: name, ...rest } = chosen;
  const forbidden = modeProblem(chosen.mode, setup);
  if (forbidden !== undefined) return refuse(forbidden);
  const thoughtProblem = (model: Model) => reasoningProblem(chosen.reasoning ?? "default", model);
  if (name === undefined) {
    const lack = isNew ? ((await setup.model.lack?.()) ?? thoughtProblem(setup.model)) : undefined;
    return lack === undefined ? { ok: true, value: rest } : refuse(lack);
  }
  const model = await openNamed(name, setup);
  if (!model.ok) return model;
  const problem = thoughtProblem(model.value);
  return problem === undefined ? { ok: true, value: { ...rest, model: model.value } } : refuse(problem);
}

/**
 * The session's settings, plus facts for those that its log does not record yet. A session whose mode may not be used
 * here goes on in another one, and so does a turn that was left open in the mode trusted, unless that is the mode now.
 */
export async function settingsFor<Setup extends OpeningSetup>(
  state: SessionState,
  setup: Setup,
  { settings = "own", mode, model, reasoning, by = "user" }: OpenedSettings,
): Promise<{ setup: Setup; facts: Fact[] }> {
  const told = settingsTold(state);
  const kept = settings === "kept" && !model ? await keptModel(state, setup) : { facts: [] };
  if (!model && !kept.model) await setup.model.lack?.(); // so that its window is known before it is asked
  const modes: Fact[] = mode === undefined || mode === told.mode ? [] : [{ type: "mode-set", mode, by }];
  const models: Fact[] =
    model === undefined || model.name === told.model ? [] : [{ type: "model-set", model: model.name, by }];
  const thinking: Fact[] =
    reasoning === undefined || reasoning === told.reasoning ? [] : [{ type: "reasoning-set", reasoning, by }];
  const wanted = mode ?? (settings === "kept" ? told.mode : undefined) ?? setup.mode;
  const forbidden = modeProblem(wanted, setup);
  const own = {
    mode: forbidden === undefined ? wanted : "ask",
    model: model ?? kept.model ?? setup.model,
    reasoning: reasoning ?? (settings === "kept" ? told.reasoning : undefined) ?? setup.reasoning,
  };
  const isOpen = state.status === "running" && state.mode === "trusted";
  const leaves = isOpen && mode === undefined && own.mode !== "trusted";
  const ofMode =
    forbidden === undefined && !leaves ? factsOfMode(own.mode, setup) : outOfTrust(own.mode, forbidden);
  const { instead } = own.model;
  const replaced: Fact[] =
    instead === undefined ? [] : [{ type: "warning", code: "model-substituted", text: instead }];
  const lost = unthinking(own.reasoning ?? "default", own.model);
  return {
    setup: { ...setup, ...own },
    facts: [...modes, ...models, ...thinking, ...kept.facts, ...ofMode, ...replaced, ...lost],
  };
}

/** A model that cannot be opened now remains the session's choice; until it can, a warning names its substitute. */
async function keptModel(
  state: SessionState,
  setup: OpeningSetup,
): Promise<{ model?: Model; facts: Fact[] }> {
  const name = settingsTold(state).model;
  if (name === undefined) return { facts: [] };
  const opened = await openNamed(name, setup);
  if (opened.ok) return { model: opened.value, facts: [] };
  const lack = await setup.model.lack?.();
  const meanwhile =
    lack === undefined
      ? `Until it can, requests go to ${setup.model.name}; choose another model if that is not wanted.`
      : "Choose another model.";
  const text = `The model of this session, ${name}, cannot be opened: ${opened.problem} ${meanwhile}`;
  return { facts: [{ type: "warning", code: modelGone, text }] };
}

export const modelGone = "model-gone";
