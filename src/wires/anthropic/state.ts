/** What must come back to Anthropic as it was: whole thinking blocks with their signatures. */

import type { JsonObject } from "../../base/json.ts";
import { isJsonObject } from "../../base/json.ts";
import type { Opaque } from "../../protocol/messages.ts";

export const wireName = "anthropic";

/**
 * The whole block is kept, its text too: the signature covers the text, and what is shown to people may be edited.
 * https://platform.claude.com/docs/en/build-with-claude/extended-thinking#preserving-thinking-blocks
 */
export const stateOf = (block: JsonObject): Opaque => ({ from: wireName, value: block });

/** The block that a state holds; nothing when another wire made it. */
export function blockOf(state: Opaque | undefined): JsonObject | undefined {
  if (state?.from !== wireName || !isJsonObject(state.value)) return undefined;
  const kind = state.value["type"];
  return kind === "thinking" || kind === "redacted_thinking" ? state.value : undefined;
}
