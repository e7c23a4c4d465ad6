/** Builds the prompt for a second attempt: the model's own answer, and what was wrong with it. */

import { sendable } from "../../protocol/history.ts";
import type { Message } from "../../protocol/messages.ts";
import type { ModelError } from "../../protocol/model-events.ts";
import type { Prompt } from "../../providers/provider.ts";
import type { Heard, HeardCall } from "./heard.ts";

/** Undefined unless a call could not be repaired or a required call is missing. */
export function askedAgain(prompt: Prompt, heard: Heard): Prompt | undefined {
  // An answer that was cut off at its length limit would be cut off again.
  if (heard.end?.reason !== "stop" && heard.end?.reason !== "tool-calls") return undefined;
  if (heard.calls.some(({ problem }) => problem !== undefined)) return withAnswer(prompt, heard);
  const missing = heard.calls.length === 0 ? demandedCall(prompt) : undefined;
  const words = `ERROR: Your answer must contain ${missing}. Write it now.`;
  return missing === undefined ? undefined : withAnswer(prompt, heard, words);
}

function demandedCall({ toolChoice }: Prompt): string | undefined {
  if (typeof toolChoice === "object") return `a call of ${toolChoice.name}`;
  return toolChoice === "required" ? "at least one call of a tool" : undefined;
}

/** For a server that could not parse its own model's output and reported an error instead of an end. */
export const askedAgainUnread = (prompt: Prompt, heard: Heard, { inFull }: ModelError): Prompt =>
  withAnswer(prompt, heard, `ERROR: ${inFull}`);

/** Gives each call a result: what is wrong with it, or that it was accepted. */
function withAnswer(prompt: Prompt, { parts, calls, end }: Heard, says?: string): Prompt {
  const state = end?.state ? { state: end.state } : {};
  const messages: Message[] = [...prompt.messages, { role: "assistant", content: parts, ...state }];
  messages.push(...calls.map(resultOf));
  if (says !== undefined) messages.push({ role: "user", content: [{ type: "text", text: says }] });
  return { ...prompt, messages: sendable(messages) };
}

const resultOf = ({ call, problem }: HeardCall): Message => ({
  role: "tool",
  callId: call.id,
  name: call.name,
  content: [{ type: "text", text: problem ?? inGoodHands }],
  isError: problem !== undefined,
});

const inGoodHands =
  "This call was accepted and is being carried out; its result comes later. Do not repeat it. Send only the calls that failed, corrected.";
