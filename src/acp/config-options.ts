/** A session's mode and model, as the protocol's modes and configuration options. */

import type { SessionConfigOption, SessionModeState } from "@agentclientprotocol/sdk";
import { type Mode, modes } from "../protocol/facts.ts";
import { modelNamesOf, type ModelsToChoose } from "../runtime/models/models.ts";
import { modeChoices } from "../view/mode-choices.ts";

export type SessionChoices = { mode: Mode; model: string };

/** `trusted` can only be chosen where the session has it already. */
const choicesFor = (current: Mode): { id: Mode; name: string; description: string }[] =>
  modeChoices
    .filter(({ mode }) => mode !== "trusted" || mode === current)
    .map(({ mode, name, says }) => ({ id: mode, name, description: says }));

export const isMode = (id: string): id is Mode => modes.some((mode) => mode === id);

export const modeState = ({ mode }: SessionChoices): SessionModeState => ({
  currentModeId: mode,
  availableModes: choicesFor(mode),
});

export function configOptions(
  { mode, model }: SessionChoices,
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
  ];
}
