/** Writes the arguments of calls for clients of both OpenAI formats, as a text that can only be appended to. */

import { parseJson } from "../../base/json.ts";
import type { ToolCall } from "../../protocol/messages.ts";
import { ModelError } from "../../protocol/model-events.ts";
import { writtenArguments } from "../fields.ts";
import { unreadable } from "../gather.ts";

/** Problems of calls that were unfinished when the answer was cut short. */
export const cutAtLength = "The answer was cut off at its length limit.";
export const cutByFilter = "The answer was stopped by the provider's content filter.";

/**
 * The final text of the arguments. For a call with a problem it is never valid JSON, so that no client runs the call.
 */
export const argumentsText = (call: ToolCall): string =>
  call.problem === undefined ? writtenArguments(call) : unreadable(call);

/**
 * The text to append after a call's deltas. Deltas are for display and may differ from the final call (a repaired one);
 * since they cannot be taken back, an answer whose deltas contradict the call is aborted.
 */
export function restOfArguments(call: ToolCall, sent: string): string {
  const whole = argumentsText(call);
  if (whole.startsWith(sent)) return whole.slice(sent.length);
  if (call.problem !== undefined) return ` /* ${call.problem} */`;
  const said = parseJson(sent);
  if (said.ok && JSON.stringify(said.value) === whole) return "";
  throw new ModelError("malformed", `The call of ${call.name} was repaired after it had been streamed.`, {
    advice: "Try again without streaming.",
  });
}
