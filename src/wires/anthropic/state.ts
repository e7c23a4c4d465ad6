/** State that must go back to Anthropic unchanged: whole thinking blocks with their signatures. */

import type { JsonObject } from "../../base/json.ts";
import { isJsonObject } from "../../base/json.ts";
import type { Opaque } from "../../protocol/messages.ts";

export const wireName = "anthropic";

/**
 * Stores the whole block with its text: the signature covers the text, and the displayed text may be edited.
 * https://platform.claude.com/docs/en/build-with-claude/extended-thinking#preserving-thinking-blocks
 */
export const stateOf = (block: JsonObject): Opaque => ({ from: wireName, value: block });

/** The block in a state; undefined if another wire made it. */
export function blockOf(state: Opaque | undefined): JsonObject | undefined {
  if (state?.from !== wireName || !isJsonObject(state.value)) return undefined;
  const kind = state.value["type"];
  return kind === "thinking" || kind === "redacted_thinking" ? state.value : undefined;
}
