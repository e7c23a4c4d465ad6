/** Maps the finish reasons of Chat Completions, OpenAI's own and those that other servers invented. */

import { ModelError, type EndReason } from "../../protocol/model-events.ts";
import { cutAtLength, cutByFilter } from "./arguments.ts";
import { errorInside } from "./errors.ts";

export type FinishMeaning = {
  /** The end reason of the answer, unless calls decide it. */
  reason?: EndReason;
  /** Why an unfinished call must not be run. */
  cut?: string;
  /** Calls were announced, whether or not any came. */
  promisesCalls?: boolean;
  /** Set if the reason means a failure. */
  failure?: (midStream: boolean) => ModelError;
};

/** Maps a finish reason; undefined if there is none yet. An unknown one is an ordinary end. */
export function finishOf(said: string): FinishMeaning | undefined {
  const word = said.trim().toLowerCase();
  if (word === "" || word === "null") return undefined;
  if (/malformed_function_call|unexpected_tool_call/.test(word))
    return { failure: () => unreadableCall(said) };
  return finishes.get(word) ?? {};
}

const length: FinishMeaning = { reason: "length", cut: cutAtLength };
const filter: FinishMeaning = { reason: "refusal", cut: cutByFilter };
const calls: FinishMeaning = { promisesCalls: true };
const failure: FinishMeaning = {
  failure: (midStream) => errorInside({ message: "it broke the answer off with an error" }, midStream),
};

const finishes: ReadonlyMap<string, FinishMeaning> = new Map([
  ["length", length],
  ["max_tokens", length],
  ["model_length", length], // Mistral: the context is full
  ["content_filter", filter],
  ["sensitive", filter], // GLM
  ["tool_calls", calls],
  ["tool_use", calls],
  ["function_call", calls],
  ["error", failure], // Mistral, OpenRouter
  ["network_error", failure], // GLM
  ["insufficient_system_resource", failure], // DeepSeek
]);

/** Gemini behind a gateway: the model wrote a call that the service could not read. */
const unreadableCall = (said: string): ModelError =>
  new ModelError(
    "malformed",
    `The model wrote a call that the provider could not read (${said.slice(0, 100)}).`,
    { advice: "Try again.", fault: "malformed_by_provider" },
  );
