/** A session's settings, as the protocol's modes and configuration options. */

import type { SessionConfigOption, SessionModeState } from "@agentclientprotocol/sdk";
import { cutLine } from "../base/cut-text.ts";
import type { SessionSettings } from "../hosting/session-host.ts";
import type { Command } from "../protocol/commands.ts";
import { type Entry, type Mode, modes } from "../protocol/facts.ts";
import { reasonings } from "../protocol/messages.ts";
import { modelNamesOf, type ModelsToChoose } from "../runtime/models/models.ts";
import { modeChoices } from "../view/mode-choices.ts";
import { noReasoning, reasoningChoices } from "../view/reasoning-choices.ts";
import { invalid } from "./request-errors.ts";

/** `trusted` can only be chosen where the session has it already. */
const choicesFor = (current: Mode): { id: Mode; name: string; description: string }[] =>
  modeChoices
    .filter(({ mode }) => mode !== "trusted" || mode === current)
    .map(({ mode, name, says }) => ({ id: mode, name, description: says }));

export const modeState = ({ mode }: SessionSettings): SessionModeState => ({
  currentModeId: mode,
  availableModes: choicesFor(mode),
});

export function configOptions(
  { mode, model, reasoning }: SessionSettings,
  { providers }: ModelsToChoose,
): SessionConfigOption[] {
  const names = providers.flatMap(modelNamesOf);
  const known = names.includes(model) || model === "" ? names : [model, ...names];
  return [
    {
      type: "select",
      id: "mode",
      name: "Mode",
      category: "mode",
      currentValue: mode,
      options: choicesFor(mode).map(({ id, ...words }) => ({ value: id, ...words })),
    },
    ...(known.length === 0
      ? []
      : [
          {
            type: "select" as const,
            id: "model",
            name: "Model",
            category: "model",
            currentValue: model === "" ? (known[0] ?? "") : model,
            options: known.map((name) => ({ value: name, name })),
          },
        ]),
    {
      type: "select",
      id: "reasoning",
      name: "Reasoning",
      category: "thought_level",
      currentValue: reasoning,
      options: reasoningChoices.map((choice) => ({
        value: choice.reasoning,
        name: choice.name,
        description: choice.says,
      })),
    },
  ];
}

/** Characters of a wrong value that its refusal repeats. */
const mostEchoed = 60;

/** The command that sets an option; throws a RequestError that says what is wrong. */
export function optionCommand(id: string, value: unknown, by: string): Command {
  if (typeof value === "string" && id === "mode") return modeCommand(value, by);
  if (typeof value === "string" && id === "model") return { type: "set-model", model: value, by };
  if (typeof value !== "string" || id !== "reasoning")
    throw invalid(`There is no option ${cutLine(id, mostEchoed)} with this kind of value.`);
  const reasoning = reasonings.find((known) => known === value);
  if (!reasoning) throw invalid(noReasoning(cutLine(value, mostEchoed)));
  return { type: "set-reasoning", reasoning, by };
}

export function modeCommand(id: string, by: string): Command {
  const mode = modes.find((known) => known === id);
  if (!mode) throw invalid(`There is no mode ${JSON.stringify(cutLine(id, mostEchoed))}.`);
  return { type: "set-mode", mode, by };
}

/** What a fact changes of the settings. */
export function settingsIn(fact: Entry): Partial<SessionSettings> | undefined {
  if (fact.type === "mode-set") return { mode: fact.mode };
  if (fact.type === "model-set") return { model: fact.model };
  return fact.type === "reasoning-set" ? { reasoning: fact.reasoning } : undefined;
}
