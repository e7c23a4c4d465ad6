/** Builds the prompt for a second attempt: the model's own answer, and what was wrong with it. */

import { sendable } from "../protocol/history.ts";
import type { ToolCall, Message } from "../protocol/messages.ts";
import type { ModelError } from "../protocol/model-events.ts";
import { loneCall } from "../providers/lone-call.ts";
import type { Prompt } from "../providers/provider.ts";
import type { ModelAttempt, HeardCall } from "./model-attempt.ts";

/** `isUnsure`: the answer may be complete as it is; only a call in the second one counts, however it stands there. */
export type SecondAttempt = { prompt: Prompt; isUnsure?: true };

/** Undefined unless a call could not be repaired, a required call is missing, or one stands unmarked among words. */
export function askedAgain(prompt: Prompt, heard: ModelAttempt): SecondAttempt | undefined {
  // An answer that was cut off at its length limit would be cut off again.
  if (heard.end?.reason !== "stop" && heard.end?.reason !== "tool-calls") return undefined;
  if (heard.calls.some(({ problem }) => problem !== undefined)) return { prompt: withAnswer(prompt, heard) };
  const missing = heard.calls.length === 0 ? demandedCall(prompt) : undefined;
  const words = `ERROR: Your answer must contain ${missing}. Write it now.`;
  return missing === undefined
    ? askedWhetherMeant(prompt, heard)
    : { prompt: withAnswer(prompt, heard, words) };
}

function demandedCall({ toolChoice }: Prompt): string | undefined {
  if (typeof toolChoice === "object") return `a call of ${toolChoice.name}`;
  return toolChoice === "required" ? "at least one call of a tool" : undefined;
}

/** For a server that could not parse its own model's output and reported an error instead of an end. */
export const askedAgainUnread = (
  prompt: Prompt,
  heard: ModelAttempt,
  { inFull }: ModelError,
): SecondAttempt => ({
  prompt: withAnswer(prompt, heard, `ERROR: ${inFull}`),
});

/** An answer without calls may hold one among its words, without the marks that make it one. */
function askedWhetherMeant(prompt: Prompt, heard: ModelAttempt): SecondAttempt | undefined {
  const call = unmarkedCall(prompt, heard);
  if (!call) return undefined;
  const words = `ERROR: Your answer holds a call of ${call.name} among other words, so nothing was run. If you meant it, send the call again, alone and exactly in the form for calls. If you did not, say only OK.`;
  return { prompt: withAnswer(prompt, heard, words), isUnsure: true };
}

/** The call that stands without marks among the words of an answer that has no other. */
export function unmarkedCall(prompt: Prompt, { calls, parts }: ModelAttempt): ToolCall | undefined {
  if (calls.length > 0) return undefined;
  return loneCall(parts.map((part) => (part.type === "text" ? part.text : "")).join("\n"), prompt);
}

/** Gives each call a result: what is wrong with it, or that it was accepted. */
function withAnswer(prompt: Prompt, { parts, calls, end }: ModelAttempt, says?: string): Prompt {
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
