/** Names shared by the two halves of the Gemini wire, and the thought signatures that must be sent back. */

import type { Opaque } from "../../protocol/messages.ts";
import type { WireName } from "../wire.ts";

export const wireName = "gemini" satisfies WireName;

/**
 * A thought signature as state. It must be sent back exactly as received; without it Gemini 3 refuses the next request
 * of a turn with calls (ai.google.dev/gemini-api/docs/thought-signatures).
 */
export const stateOf = (signature: string): Opaque => ({ from: wireName, value: signature });

/** The signature in a state of this wire; otherwise undefined. */
export const signatureOf = (state: Opaque | undefined): string | undefined =>
  state?.from === wireName && typeof state.value === "string" && state.value !== "" ? state.value : undefined;

/** Google's documented stand-in for the signature of a call that another model made. */
export const foreignSignature = "skip_thought_signature_validator";

/**
 * The generation in a model's name. Unnumbered names ("gemini-flash-latest") mean the current, third one; names that
 * are not Gemini's (Gemma, a model behind another server) have none.
 */
export function generationOf(model: string): number | undefined {
  if (!/(^|\/)gemini-/i.test(model)) return undefined;
  return Number(/(?:^|\/)gemini-(?:[a-z]+-)*(\d+)/i.exec(model)?.[1] ?? 3);
}
