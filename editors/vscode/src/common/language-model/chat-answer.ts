/** Reads an answer in OpenAI's chat form as it streams: words at once, calls when they are complete. */

import { isObject, type JsonObject, parseJson, parseObject } from "../../../../../src/base/json.ts";
import { streamEvents } from "../../../../../src/remote/event-stream.ts";
import { t } from "../translate.ts";

type AnswerUsage = { input: number; output: number };

export type AnswerPiece =
  | { type: "text"; text: string }
  | { type: "thought"; text: string }
  | { type: "call"; id: string; name: string; input: JsonObject }
  | { type: "usage"; usage: AnswerUsage };

/** The model's server failed, or its answer is of no use; the message is for people. */
export class AnswerProblem extends Error {
  override readonly name = "AnswerProblem";
}

type CallBeginning = { id: string; name: string; written: string };

/** Throws AnswerProblem. A call that was cut off is never passed on. */
export async function* answerPieces(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<AnswerPiece, void> {
  const calls = new Map<number, CallBeginning>();
  let finish: string | undefined;
  for await (const { data } of streamEvents(bytes)) {
    if (data === "[DONE]") break;
    const chunk = parseJson(data);
    if (!chunk.ok || !isObject(chunk.value)) throw new AnswerProblem(t("The answer cannot be read."));
    yield* chunkPieces(chunk.value, calls);
    finish = finishOf(chunk.value) ?? finish;
  }
  if (finish === undefined) throw new AnswerProblem(t("The answer broke off."));
  yield* callPieces(calls, finish);
  if (finish === "content_filter") throw new AnswerProblem(t("The model refused to answer."));
}

function* chunkPieces(
  chunk: Record<string, unknown>,
  calls: Map<number, CallBeginning>,
): Generator<AnswerPiece, void> {
  const { error, usage } = chunk;
  if (isObject(error)) throw new AnswerProblem(textAt(error, "message") ?? t("The model's server failed."));
  const delta = deltaOf(chunk);
  const thought = textAt(delta, "reasoning_content") ?? textAt(delta, "reasoning") ?? "";
  if (thought !== "") yield { type: "thought", text: thought };
  const text = `${textAt(delta, "content") ?? ""}${textAt(delta, "refusal") ?? ""}`;
  if (text !== "") yield { type: "text", text };
  for (const entry of listAt(delta, "tool_calls")) takeCall(entry, calls);
  if (isObject(usage)) {
    const figures = { input: countAt(usage, "prompt_tokens"), output: countAt(usage, "completion_tokens") };
    yield { type: "usage", usage: figures };
  }
}

function takeCall(entry: unknown, calls: Map<number, CallBeginning>): void {
  if (!isObject(entry)) return;
  const index = typeof entry["index"] === "number" ? entry["index"] : calls.size;
  const known = calls.get(index) ?? { id: "", name: "", written: "" };
  const made = isObject(entry["function"]) ? entry["function"] : {};
  calls.set(index, {
    id: known.id || (textAt(entry, "id") ?? ""),
    name: known.name || (textAt(made, "name") ?? ""),
    written: known.written + (textAt(made, "arguments") ?? ""),
  });
}

function* callPieces(
  calls: ReadonlyMap<number, CallBeginning>,
  finish: string,
): Generator<AnswerPiece, void> {
  for (const [index, { id, name, written }] of calls) {
    const input = written.trim() === "" ? emptyInput : parseObject(written);
    if (!input.ok && finish === "length")
      throw new AnswerProblem(t("The answer was cut off at its length limit, in the middle of a call."));
    if (!input.ok || name === "") throw new AnswerProblem(t("A call of the answer cannot be read."));
    yield { type: "call", id: id === "" ? `call_${index}` : id, name, input: input.value };
  }
}

const emptyInput = { ok: true as const, value: {} };

const choiceOf = (chunk: Record<string, unknown>): unknown => listAt(chunk, "choices")[0];

function deltaOf(chunk: Record<string, unknown>): Record<string, unknown> {
  const choice = choiceOf(chunk);
  return isObject(choice) && isObject(choice["delta"]) ? choice["delta"] : {};
}

function finishOf(chunk: Record<string, unknown>): string | undefined {
  const choice = choiceOf(chunk);
  return isObject(choice) ? textAt(choice, "finish_reason") : undefined;
}

const textAt = (from: Record<string, unknown>, key: string): string | undefined => {
  const value = from[key];
  return typeof value === "string" ? value : undefined;
};

const listAt = (from: Record<string, unknown>, key: string): unknown[] => {
  const value = from[key];
  return Array.isArray(value) ? value : [];
};

const countAt = (from: Record<string, unknown>, key: string): number => {
  const value = from[key];
  return typeof value === "number" ? value : 0;
};
