/** Decodes an answer in the Chat Completions format, streamed or whole. */

import { isObject } from "../../base/json.ts";
import { ModelError, type EndReason, type ModelEvent, type Usage } from "../../protocol/model-events.ts";
import { AnswerReader, readAnswer } from "../answer-reader.ts";
import { arrayAt, objectAt, stringAt, wholeObject } from "../fields.ts";
import { cutOff, frameParser, orFailure } from "../frames.ts";
import { sseBatches } from "../framing.ts";
import { FrameJoiner } from "../joint-frames.ts";
import { withPauses } from "../pauses.ts";
import { cutAtLength, cutByFilter } from "./arguments.ts";
import { endAll, endQuiet, endWhole, isNextWhole, noCalls, takePiece, takeWhole } from "./calls.ts";
import { endsStream, errorInside } from "./errors.ts";
import { entriesOf, pieceOf } from "./pieces.ts";
import { endReasoning, noReasoning, takeReasoning, takeThoughts } from "./reasoning.ts";
import { readUsage } from "./usage.ts";

class ChatAnswer extends AnswerReader {
  readonly reasoning = noReasoning();
  readonly open = noCalls();
  refused = false;
  finish: FinishMeaning | undefined;
  usage: Usage | undefined;
}

/** What a server writes at once, such as the end of the answer behind a call, may come in several reads. */
const quietMs = 2;

/** Throws one ModelError for an error reported by the provider, for an invalid answer, or for a stream cut off. */
export function decodeBatches(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<ModelEvent[]> {
  const answer = new ChatAnswer();
  const parse = frameParser();
  let done = false;
  const read = orFailure(
    ({ data }) => {
      done = data.startsWith("[DONE]");
      if (endsStream(data)) {
        if (answer.finish === undefined) parse(""); // nothing else says that no frame before it was lost
        return true;
      }
      const chunk = parse(data);
      if (chunk) readChunk(answer, chunk);
      return false;
    },
    (said) => errorInside(said, answer.heard),
  );
  const batches = withPauses(sseBatches(bytes, new FrameJoiner(pieceOf).events), {
    after: quietMs,
    isDue: () => isNextWhole(answer.open),
  });
  const finish = (): void => {
    if (!done && answer.finish === undefined) throw cutOff(answer.heard);
    endAnswer(answer);
  };
  return readAnswer(batches, { answer, read, finish, pause: () => endQuiet(answer.open, answer) });
}

/** Decodes a whole reply as one chunk whose delta is the message. */
export function decodeWhole(body: unknown): ModelEvent[] {
  const reply = wholeObject(body);
  const answer = new ChatAnswer();
  readHead(answer, reply);
  const choice = arrayAt(reply, "choices")?.[0];
  const message = objectAt(choice, "message");
  if (!message)
    throw new ModelError("malformed", "The provider's reply holds no message.", {
      advice: "Check the base URL.",
    });
  readDelta(answer, message);
  endReasoning(answer.reasoning, answer);
  for (const entry of entriesOf(message)) takeWhole(answer.open, entry, answer);
  readFinish(answer, stringAt(choice, "finish_reason") ?? "stop");
  endAnswer(answer);
  return answer.take();
}

/*
 * Most chunks hold one piece of text or of a call, in one of some twenty fields. Fields are read directly here: helpers
 * such as `stringAt` took 45 ms of CPU over 20,000 chunks.
 */
type ChunkFields = Record<string, unknown>;

function readChunk(answer: ChatAnswer, chunk: ChunkFields): void {
  readHead(answer, chunk);
  for (const choice of arrayAt(chunk, "choices") ?? []) if (isObject(choice)) readChoice(answer, choice);
}

function readChoice(answer: ChatAnswer, choice: ChunkFields): void {
  const { index, finish_reason: finish } = choice;
  if (typeof index === "number" && index !== 0) return;
  // Some gateways send the whole message in place of its pieces.
  const delta =
    choice["delta"] ?? (answer.spoke || answer.open.all.length > 0 ? undefined : choice["message"]);
  if (isObject(delta)) {
    readDelta(answer, delta);
    for (const entry of entriesOf(delta)) {
      endReasoning(answer.reasoning, answer);
      takePiece(answer.open, entry, answer);
    }
  }
  if (typeof finish === "string") readFinish(answer, finish);
}

/** Reads everything besides the choices: an error, the model, the usage (the last one is used). */
function readHead(answer: ChatAnswer, chunk: ChunkFields): void {
  if (isComplaint(chunk)) throw errorInside(chunk, answer.heard);
  if (isObject(chunk["usage"]))
    answer.usage = readUsage(chunk["usage"], { input: "prompt", output: "completion" }) ?? answer.usage;
  answer.model ||= stringAt(chunk, "model") ?? "";
  // Azure begins with a chunk that has neither model nor choices.
  if (answer.model !== "" || arrayAt(chunk, "choices")?.length) answer.begin(answer.model);
}

/** `{"error": …}` of OpenAI and OpenRouter, `{"object": "error"}` of vLLM, `{"code": …, "message": …}` of DashScope. */
const isComplaint = ({ error, object, choices, code, message }: ChunkFields): boolean =>
  (typeof error === "string" && error !== "") ||
  isObject(error) ||
  object === "error" ||
  (code !== undefined && typeof message === "string" && choices === undefined);

function readDelta(answer: ChatAnswer, delta: ChunkFields): void {
  takeReasoning(answer.reasoning, delta, answer);
  takeThoughts(answer.reasoning, delta["content"], answer);
  const refusal = typeof delta["refusal"] === "string" ? delta["refusal"] : "";
  if (refusal !== "") answer.refused = true;
  const text = textOf(delta["content"]) + refusal;
  if (text === "") return;
  endReasoning(answer.reasoning, answer);
  endWhole(answer.open, answer);
  answer.text(text);
}

/** Content is a string, or (Mistral) a list of parts: texts, and thoughts, which are read before. */
function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  return Array.isArray(content) ? content.map((part) => stringAt(part, "text") ?? "").join("") : "";
}

function readFinish(answer: ChatAnswer, said: string): void {
  const finish = finishOf(said);
  if (finish === undefined) return;
  if (finish.failure) throw finish.failure(answer.heard);
  answer.finish ??= finish;
  endReasoning(answer.reasoning, answer);
  endAll(answer.open, answer.finish.cut, answer);
}

/** Calls decide, whatever the server reports: many say "stop" with calls. Calls that are announced may stand in the text. */
function endAnswer(answer: ChatAnswer): void {
  const { finish, refused, usage } = answer;
  endReasoning(answer.reasoning, answer);
  endAll(answer.open, finish?.cut, answer);
  const reason = finish?.reason ?? (refused ? "refusal" : undefined);
  answer.end({ reason, usage, promised: finish?.promisesCalls });
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
