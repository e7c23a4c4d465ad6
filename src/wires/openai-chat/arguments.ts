/** The arguments of calls as both OpenAI formats write them to a client: a text that can only be added to. */

import { parseJson } from "../../base/json.ts";
import type { Call } from "../../protocol/messages.ts";
import { ModelError } from "../../protocol/model-events.ts";
import { writtenArguments } from "../fields.ts";
import { unreadable } from "../gather.ts";

/** Problems of a call that was being written when the answer was cut short. */
export const cutAtLength = "The answer was cut off at its length limit.";
export const cutByFilter = "The answer was stopped by the provider's content filter.";

/**
 * The arguments as they are written. Those of a call with a problem are never readable JSON, so that no client runs it.
 */
export const argumentsText = (call: Call): string =>
  call.problem === undefined ? writtenArguments(call) : unreadable(call);

/**
 * What is still to be written at the end of a call after its deltas. Deltas are for display and may differ from
 * the call (a repaired one); since they cannot be taken back, an answer whose deltas say something else breaks off.
 */
export function restOfArguments(call: Call, sent: string): string {
  const whole = argumentsText(call);
  if (whole.startsWith(sent)) return whole.slice(sent.length);
  if (call.problem !== undefined) return ` /* ${call.problem} */`;
  const said = parseJson(sent);
  if (said.ok && JSON.stringify(said.value) === whole) return "";
  throw new ModelError("malformed", `The call of ${call.name} was repaired after it had been streamed.`, {
    advice: "Try again without streaming.",
  });
}
