/** Decodes an answer in the Chat Completions format, streamed or whole. */

import { isObject } from "../../base/json.ts";
import { ModelError, type EndReason, type ModelEvent, type Usage } from "../../protocol/model-events.ts";
import { arrayAt, objectAt, stringAt, wholeObject } from "../fields.ts";
import { cutOff, emptyToolUse, frameParser, orFailure, readBatches, withHeard } from "../frames.ts";
import { sseBatches } from "../framing.ts";
import { FrameJoiner } from "../joint-frames.ts";
import { withPauses } from "../pauses.ts";
import { cutAtLength, cutByFilter } from "./arguments.ts";
import {
  endAll,
  endQuiet,
  endWhole,
  isNextWhole,
  noCalls,
  takePiece,
  takeWhole,
  type Calls,
} from "./calls.ts";
import { endsStream, errorInside } from "./errors.ts";
import { entriesOf, pieceOf } from "./pieces.ts";
import { endReasoning, noReasoning, takeReasoning, takeThoughts, type ReasoningBlock } from "./reasoning.ts";
import { readUsage } from "./usage.ts";

/** The decoding state of an answer. */
type ChatAnswer = {
  started: boolean;
  model: string;
  reasoning: ReasoningBlock;
  calls: Calls;
  refused: boolean;
  /** Whether any text other than white space was received. */
  spoke: boolean;
  finish: FinishMeaning | undefined;
  usage: Usage | undefined;
};

/** What a server writes at once, such as the end of the answer behind a call, may come in several reads. */
const quietMs = 2;

/** Throws one ModelError for an error reported by the provider, for an invalid answer, or for a stream cut off. */
export async function* decodeBatches(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<ModelEvent[]> {
  const answer = newAnswer();
  const parse = frameParser();
  let done = false;
  const read = orFailure(
    ({ data }, out) => {
      done = data.startsWith("[DONE]");
      if (endsStream(data)) {
        if (answer.finish === undefined) parse(""); // nothing else says that no frame before it was lost
        return true;
      }
      const chunk = parse(data);
      if (chunk) readChunk(answer, chunk, out);
      return false;
    },
    (said) => errorInside(said, answer.started),
  );
  try {
    const batches = withPauses(sseBatches(bytes, new FrameJoiner(pieceOf).events), {
      after: quietMs,
      isDue: () => isNextWhole(answer.calls),
    });
    yield* readBatches(batches, read, (out) => endQuiet(answer.calls, out));
    if (!done && answer.finish === undefined) throw cutOff(answer.started);
    const rest: ModelEvent[] = [];
    endAnswer(answer, rest);
    yield rest;
  } catch (error) {
    throw withHeard(error, answer.started);
  }
}

/** Decodes a whole reply as one chunk whose delta is the message. */
export function decodeWhole(body: unknown): ModelEvent[] {
  const reply = wholeObject(body);
  const answer = newAnswer();
  const out: ModelEvent[] = [];
  readHead(answer, reply, out);
  const choice = arrayAt(reply, "choices")?.[0];
  const message = objectAt(choice, "message");
  if (!message)
    throw new ModelError("malformed", "The provider's reply holds no message.", {
      advice: "Check the base URL.",
    });
  readDelta(answer, message, out);
  endReasoning(answer.reasoning, out);
  for (const entry of entriesOf(message)) takeWhole(answer.calls, entry, out);
  readFinish(answer, stringAt(choice, "finish_reason") ?? "stop", out);
  endAnswer(answer, out);
  return out;
}

const newAnswer = (): ChatAnswer => ({
  started: false,
  model: "",
  reasoning: noReasoning(),
  calls: noCalls(),
  refused: false,
  spoke: false,
  finish: undefined,
  usage: undefined,
});

/*
 * Most chunks hold one piece of text or of a call, in one of some twenty fields. Fields are read directly here: helpers
 * such as `stringAt` took 45 ms of CPU over 20,000 chunks.
 */
type ChunkFields = Record<string, unknown>;

function readChunk(answer: ChatAnswer, chunk: ChunkFields, out: ModelEvent[]): void {
  readHead(answer, chunk, out);
  for (const choice of arrayAt(chunk, "choices") ?? []) if (isObject(choice)) readChoice(answer, choice, out);
}

function readChoice(answer: ChatAnswer, choice: ChunkFields, out: ModelEvent[]): void {
  const { index, finish_reason: finish } = choice;
  if (typeof index === "number" && index !== 0) return;
  // Some gateways send the whole message in place of its pieces.
  const delta =
    choice["delta"] ?? (answer.spoke || answer.calls.all.length > 0 ? undefined : choice["message"]);
  if (isObject(delta)) {
    readDelta(answer, delta, out);
    for (const entry of entriesOf(delta)) {
      endReasoning(answer.reasoning, out);
      takePiece(answer.calls, entry, out);
    }
  }
  if (typeof finish === "string") readFinish(answer, finish, out);
}

/** Reads everything besides the choices: an error, the model, the usage (the last one is used). */
function readHead(answer: ChatAnswer, chunk: ChunkFields, out: ModelEvent[]): void {
  if (isComplaint(chunk)) throw errorInside(chunk, answer.started);
  if (isObject(chunk["usage"]))
    answer.usage = readUsage(chunk["usage"], { input: "prompt", output: "completion" }) ?? answer.usage;
  answer.model ||= stringAt(chunk, "model") ?? "";
  // Azure begins with a chunk that has neither model nor choices.
  if (answer.started || (answer.model === "" && !arrayAt(chunk, "choices")?.length)) return;
  answer.started = true;
  out.push({ type: "answer-start", model: answer.model });
}

/** `{"error": …}` of OpenAI and OpenRouter, `{"object": "error"}` of vLLM, `{"code": …, "message": …}` of DashScope. */
const isComplaint = ({ error, object, choices, code, message }: ChunkFields): boolean =>
  (typeof error === "string" && error !== "") ||
  isObject(error) ||
  object === "error" ||
  (code !== undefined && typeof message === "string" && choices === undefined);

function readDelta(answer: ChatAnswer, delta: ChunkFields, out: ModelEvent[]): void {
  takeReasoning(answer.reasoning, delta, out);
  takeThoughts(answer.reasoning, delta["content"], out);
  const refusal = typeof delta["refusal"] === "string" ? delta["refusal"] : "";
  if (refusal !== "") answer.refused = true;
  const text = textOf(delta["content"]) + refusal;
  if (text === "") return;
  answer.spoke ||= text.trim() !== "";
  endReasoning(answer.reasoning, out);
  endWhole(answer.calls, out);
  out.push({ type: "text-delta", text });
}

/** Content is a string, or (Mistral) a list of parts: texts, and thoughts, which are read before. */
function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  return Array.isArray(content) ? content.map((part) => stringAt(part, "text") ?? "").join("") : "";
}

function readFinish(answer: ChatAnswer, said: string, out: ModelEvent[]): void {
  const finish = finishOf(said);
  if (finish === undefined) return;
  if (finish.failure) throw finish.failure(answer.started);
  answer.finish ??= finish;
  endReasoning(answer.reasoning, out);
  endAll(answer.calls, answer.finish.cut, out);
}

function endAnswer(answer: ChatAnswer, out: ModelEvent[]): void {
  if (answer.finish?.promisesCalls && answer.calls.all.length === 0 && !answer.spoke)
    throw emptyToolUse(answer.started);
  if (!answer.started) out.push({ type: "answer-start", model: answer.model });
  endReasoning(answer.reasoning, out);
  endAll(answer.calls, answer.finish?.cut, out);
  if (answer.usage) out.push({ type: "usage", usage: answer.usage });
  out.push({ type: "answer-end", reason: reasonOf(answer) });
}

/** Calls decide, whatever the server reports: many say "stop" with calls. Calls that are announced may stand in the text. */
function reasonOf({ finish, refused, calls }: ChatAnswer): EndReason {
  if (finish?.reason) return finish.reason;
  if (refused) return "refusal";
  return calls.all.length > 0 || finish?.promisesCalls === true ? "tool-calls" : "stop";
}

type FinishMeaning = {
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
function finishOf(said: string): FinishMeaning | undefined {
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
