/**
 * Informs the model of its mode by a message instead of the system prompt: the prompt's beginning stays unchanged, so
 * providers can use their caches and their signatures stay valid.
 */

import type { Mode } from "../protocol/facts.ts";
import { modeCode, type SessionState } from "../protocol/session-state.ts";
import type { Move } from "./move.ts";

const inMode: Readonly<Partial<Record<Mode, string>>> = {
  plan: "Plan mode is on: read and search, but change nothing and run nothing. When you know enough, propose a plan of concrete steps, with the tool for that where there is one.",
  staged:
    "Staged mode is on: changes and commands only show what they would change, and give a token. Look at the diff, then apply it by its token.",
};

const inNoneOfThem = "changes are made and commands run as usual, some after a person has allowed them.";

/** The move before asking the model, if it has not been informed of the current mode. */
export function modeMove({ mode, toldMode }: Pick<SessionState, "mode" | "toldMode">): Move | undefined {
  const now = inMode[mode];
  const told = toldMode && inMode[toldMode];
  if (now === told) return undefined;
  const text = now ?? `The mode ${toldMode} is off now: ${inNoneOfThem}`;
  return { type: "tell", facts: [{ type: "nudge", code: modeCode(mode), text }] };
}
