/** Puts tool calls together from the pieces of a Chat Completions stream, in whatever way a server labels them. */
import { isObject, parseObject } from "../../base/json.ts";
import type { Call } from "../../protocol/messages.ts";
import { ModelError, type ModelEvent } from "../../protocol/model-events.ts";
import { copyOf, makeId, readArguments } from "../fields.ts";

/** A call being written. `announced` once call-start is out, `ended` once call-end is. */
type OpenCall = {
  id: string;
  name: string;
  pieces: string[];
  announced: boolean;
  ended: boolean;
  /** Whether its arguments have been tried once without being whole: from then on only the finish ends it. */
  waits: boolean;
};

/** All calls of one answer, in the order they were opened. `ended` of them, from the front, are complete. */
export type Calls = {
  all: OpenCall[];
  byId: Map<string, OpenCall>;
  byIndex: Map<number, OpenCall>;
  ended: number;
};

/** One entry of `delta.tool_calls`, read. */
type Piece = { id: string; index: number | undefined; name: string; text: string };

export const noCalls = (): Calls => ({ all: [], byId: new Map(), byIndex: new Map(), ended: 0 });

/** Takes one entry of `delta.tool_calls` and says what it means. */
export function takePiece(calls: Calls, entry: unknown, out: ModelEvent[]): void {
  const piece = readPiece(entry);
  const known = findCall(calls, piece);
  if (!known) endWhole(calls, out);
  const last = calls.all.at(-1);
  if (!known && last && !last.announced && last.name !== "") announce(last, out);
  extend(known ?? open(calls, piece), piece, out);
}

/** Takes one entry of a whole message's `tool_calls`: always a call of its own. */
export function takeWhole(calls: Calls, entry: unknown, out: ModelEvent[]): void {
  const piece = readPiece(entry);
  extend(open(calls, piece), piece, out);
}

/**
 * Something else has begun: ends the calls, from the front, whose arguments are whole. One that is not, or that
 * has none yet, waits for the finish, since some servers write several calls at the same time.
 */
export function endWhole(calls: Calls, out: ModelEvent[]): void {
  for (let call = calls.all[calls.ended]; call; call = calls.all[calls.ended]) {
    if (call.waits) return;
    if (!isWhole(call)) {
      call.waits = true;
      return;
    }
    end(call, undefined, out);
    calls.ended += 1;
  }
}

/** The answer is over: ends every call. With `cut` (why the answer was cut off) none of them may be run. */
export function endAll(calls: Calls, cut: string | undefined, out: ModelEvent[]): void {
  for (const call of calls.all.slice(calls.ended)) end(call, cut, out);
  calls.ended = calls.all.length;
}

/** Fields are looked at in place: a long call comes in thousands of pieces (see openai-chat-events.ts). */
function readPiece(entry: unknown): Piece {
  const call: Record<string, unknown> = isObject(entry) ? entry : {};
  const { id, index } = call;
  const { name, arguments: given } = isObject(call["function"]) ? call["function"] : call;
  return {
    id: typeof id === "string" && id !== "null" ? id : "",
    index: typeof index === "number" ? index : undefined,
    name: typeof name === "string" ? name : "",
    text: typeof given === "string" ? given : isObject(given) ? JSON.stringify(copyOf(given)) : "",
  };
}

/** The call a piece belongs to: by id, then by index, then the last one; `undefined` when it opens a new one. */
function findCall(calls: Calls, piece: Piece): OpenCall | undefined {
  if (piece.id !== "") return calls.byId.get(piece.id);
  const labelled = piece.index === undefined ? undefined : calls.byIndex.get(piece.index);
  const unlabelled = piece.index === undefined || piece.name === "";
  const call = labelled ?? (unlabelled ? calls.all.at(-1) : undefined);
  return call && beginsAnother(call, piece) ? undefined : call;
}

const beginsAnother = (call: OpenCall, piece: Piece): boolean =>
  piece.name !== "" && piece.text.trimStart().startsWith("{") && isWhole(call);

/** Whether the arguments so far are a JSON object. Never a reason to end a call by itself: they may go on. */
const isWhole = (call: OpenCall): boolean =>
  call.ended ||
  (call.pieces.at(-1)?.trimEnd().endsWith("}") === true && parseObject(call.pieces.join("")).ok);

function open(calls: Calls, piece: Piece): OpenCall {
  const id = piece.id === "" ? makeId("call") : piece.id;
  const call = { id, name: "", pieces: [], announced: false, ended: false, waits: false };
  calls.all.push(call);
  calls.byId.set(id, call);
  if (piece.index !== undefined) calls.byIndex.set(piece.index, call);
  return call;
}

function extend(call: OpenCall, piece: Piece, out: ModelEvent[]): void {
  if (call.ended) {
    if (piece.text.trim() === "") return;
    throw new ModelError(
      "malformed",
      `The provider went on writing the call of ${call.name} after it was complete. Ask again.`,
    );
  }
  // Before it is announced a name may come in pieces; some servers repeat the whole name in each.
  if (!call.announced && piece.name !== call.name) call.name += piece.name;
  if (piece.text === "") return;
  // Anthropic-to-OpenAI proxies write "{}" first and then the real object.
  if (call.pieces.length === 1 && call.pieces[0] === "{}" && piece.text.startsWith("{")) call.pieces = [];
  call.pieces.push(piece.text);
  if (call.name === "") return;
  if (call.announced) out.push({ type: "call-delta", id: call.id, json: piece.text });
  else announce(call, out);
}

function announce(call: OpenCall, out: ModelEvent[]): void {
  call.announced = true;
  out.push({ type: "call-start", id: call.id, name: call.name });
  if (call.pieces.length > 0) out.push({ type: "call-delta", id: call.id, json: call.pieces.join("") });
}

function end(call: OpenCall, cut: string | undefined, out: ModelEvent[]): void {
  if (!call.announced) announce(call, out);
  call.ended = true;
  out.push({ type: "call-end", call: finished(call, cut) });
  call.pieces = [];
}

function finished({ id, name, pieces }: OpenCall, cut: string | undefined): Call {
  const text = pieces.join("");
  if (cut !== undefined) return { id, name, input: {}, source: "native", rawArguments: text, problem: cut };
  if (name === "") {
    return { id, name, input: {}, source: "native", rawArguments: text, problem: "The call names no tool." };
  }
  return { id, name, source: "native", ...readArguments(text.trim() === "null" ? "" : text) };
}
