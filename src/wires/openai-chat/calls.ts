/** Assembles tool calls from the pieces of a Chat Completions stream, however a server labels them. */

import { parseObject } from "../../base/json.ts";
import type { ToolCall, Opaque } from "../../protocol/messages.ts";
import { ModelError, type ModelEvent } from "../../protocol/model-events.ts";
import { cutArguments, makeId, namelessCall, readArguments, type ParsedArguments } from "../fields.ts";
import { readPiece, type Label, type CallPiece } from "./pieces.ts";

/** An unfinished call. `announced` once call-start was sent, `ended` once call-end was. */
type OpenChatCall = {
  id: string;
  /** Whether the server supplied the id. */
  given: boolean;
  label: Label;
  name: string;
  /** Whether the name is complete: it was known when the first arguments came. */
  named: boolean;
  pieces: string[];
  /** How many pieces were sent as call-delta. */
  told: number;
  announced: boolean;
  ended: boolean;
  /**
   * Whether the arguments were once found incomplete when something else followed: then only the finish ends the call.
   */
  waits: boolean;
  /** How often the arguments were parsed. */
  tries: number;
  state: Opaque | undefined;
};

/**
 * All calls of one answer, in opening order. The first `ended` of them are complete; something else followed the first
 * `followed` of them.
 */
export type Calls = {
  all: OpenChatCall[];
  byId: Map<string, OpenChatCall>;
  byLabel: Map<Label, OpenChatCall>;
  ended: number;
  followed: number;
};

export const noCalls = (): Calls => ({ all: [], byId: new Map(), byLabel: new Map(), ended: 0, followed: 0 });

/** Processes one entry of `delta.tool_calls`; an empty entry is ignored. */
export function takePiece(calls: Calls, entry: unknown, out: ModelEvent[]): void {
  const piece = readPiece(entry);
  const known = findCall(calls, piece);
  if (!known && isEmpty(piece)) return;
  if (!known) endWhole(calls, out);
  const last = calls.all.at(-1);
  if (!known && last && last.name !== "") announce(last, out);
  extend(known ?? open(calls, piece), piece, out);
}

/** Processes one entry of a whole message's `tool_calls`: always a separate call. */
export function takeWhole(calls: Calls, entry: unknown, out: ModelEvent[]): void {
  const piece = readPiece(entry);
  if (isEmpty(piece)) return;
  const call = open(calls, piece);
  extend(call, piece, out);
  announce(call, out);
}

const isEmpty = ({ id, name, text }: CallPiece): boolean => id === "" && name === "" && text === "";

/**
 * Something else has begun: ends the calls, from the front, whose arguments are complete. A call with incomplete or no
 * arguments waits for the finish, since some servers write several calls at the same time; so does one with only the
 * `{}` that some servers write before the real object.
 */
export function endWhole(calls: Calls, out: ModelEvent[]): void {
  calls.followed = calls.all.length;
  for (let call = calls.all[calls.ended]; call; call = calls.all[calls.ended]) {
    if (call.waits) return;
    if (isPlaceholder(call) || !isWhole(call)) {
      call.waits = true;
      return;
    }
    end(call, undefined, out);
    calls.ended += 1;
  }
}

/** Whether the last call may be complete, by its last character. */
export function mayBeWhole({ all }: Calls): boolean {
  const last = all.at(-1);
  return last !== undefined && !last.ended && last.pieces.at(-1)?.trimEnd().endsWith("}") === true;
}

/** Nothing has followed for a moment: ends the calls if all of them are complete. */
export function endQuiet(calls: Calls, out: ModelEvent[]): void {
  const open = calls.all.slice(calls.ended);
  if (open.some((call) => call.name === "" || call.waits || isPlaceholder(call) || !isWhole(call))) return;
  for (const call of open) end(call, undefined, out);
  calls.ended = calls.all.length;
}

/**
 * Ends every call at the end of the answer. `cut` says why the answer was cut off; then calls that were being written
 * must not run: the last one, unless something else followed it, and all incomplete ones.
 */
export function endAll(calls: Calls, cut: string | undefined, out: ModelEvent[]): void {
  for (let at = calls.ended; at < calls.all.length; at += 1) {
    const call = calls.all[at];
    if (!call) return;
    const complete = cut === undefined || (at < calls.followed && isWhole(call));
    end(call, complete ? undefined : cut, out);
  }
  calls.ended = calls.all.length;
}

/** The call of a piece: by id, then by label, then the last one; `undefined` if the piece opens a new call. */
function findCall(calls: Calls, piece: CallPiece): OpenChatCall | undefined {
  if (piece.id !== "") {
    const call = calls.byId.get(piece.id);
    const elsewhere = piece.label !== undefined && piece.label !== call?.label;
    return call && elsewhere && beginsAnother(call, piece) ? undefined : call;
  }
  const labelled = piece.label === undefined ? undefined : calls.byLabel.get(piece.label);
  const last = calls.all.at(-1);
  const call = labelled ?? (last && goesOn(last, piece) ? last : undefined);
  return call && beginsAnother(call, piece) ? undefined : call;
}

/**
 * Whether a piece without an id, with a new label, still belongs to the last call: some servers number pieces instead
 * of calls. A name opens a call unless it is a repetition: if ids are given, or if the accompanying text cannot begin
 * arguments, or must, because there are none yet.
 */
function goesOn(last: OpenChatCall, { label, name, text }: CallPiece): boolean {
  if (label === undefined || name === "") return true;
  if (name !== last.name || last.ended) return false;
  return last.given || (text !== "" && (last.pieces.length === 0 || !text.trimStart().startsWith("{")));
}

/**
 * Whether a piece begins another call although its labels do not say so: complete arguments are followed by a name and
 * the beginning of an object, or by another name. With the same name, an object after a mere `{}` is the real object of
 * that call.
 */
function beginsAnother(call: OpenChatCall, { name, text }: CallPiece): boolean {
  const same = name === call.name || !call.named;
  if (name === "" || (same && isPlaceholder(call) && !isEmptyObject(text))) return false;
  return (text.trimStart().startsWith("{") || (text === "" && !same)) && isWhole(call);
}

const isPlaceholder = ({ pieces, ended }: OpenChatCall): boolean =>
  !ended && pieces.length === 1 && isEmptyObject(pieces[0] ?? "");

const isEmptyObject = (text: string): boolean => text.trim() === "{}";

/**
 * Whether the arguments so far are a JSON object. No reason by itself to end a call, as they may continue. Each check
 * costs as much as the call is long, so their number is limited.
 */
function isWhole(call: OpenChatCall): boolean {
  if (call.ended) return true;
  if (call.tries === mostTries || call.pieces.at(-1)?.trimEnd().endsWith("}") !== true) return false;
  call.tries += 1;
  return parseObject(call.pieces.join("")).ok;
}

const mostTries = 100;

function open(calls: Calls, { id: given, label }: CallPiece): OpenChatCall {
  const id = given === "" || calls.byId.has(given) ? makeId("call") : given;
  const fresh = { named: false, announced: false, told: 0, ended: false, waits: false, tries: 0 };
  const call: OpenChatCall = {
    id,
    given: given !== "",
    label,
    name: "",
    pieces: [],
    state: undefined,
    ...fresh,
  };
  calls.all.push(call);
  // If two calls share an id, later pieces with it belong to the newer one.
  calls.byId.set(given === "" ? id : given, call);
  if (label !== undefined) calls.byLabel.set(label, call);
  return call;
}

function extend(call: OpenChatCall, piece: CallPiece, out: ModelEvent[]): void {
  if (call.ended) {
    if (piece.text.trim() === "") return;
    throw new ModelError(
      "malformed",
      `The provider went on writing the call of ${call.name} after it was complete.`,
      { advice: "Try again.", fault: "stream_error" },
    );
  }
  call.state = piece.state ?? call.state;
  // A name may come in pieces, but only before the arguments; some servers repeat the whole name in each piece.
  if (!call.named && piece.name !== call.name) call.name += piece.name;
  if (piece.text === "") return;
  call.named = call.name !== "";
  if (isPlaceholder(call) && piece.text.trimStart().startsWith("{")) call.pieces = [];
  call.pieces.push(piece.text);
  if (call.name === "") return;
  announce(call, out);
  if (!isPlaceholder(call)) tellPieces(call, out);
}

function announce(call: OpenChatCall, out: ModelEvent[]): void {
  if (!call.announced) out.push({ type: "call-start", id: call.id, name: call.name });
  call.announced = true;
}

function tellPieces(call: OpenChatCall, out: ModelEvent[]): void {
  const json = call.pieces.slice(call.told).join("");
  call.told = call.pieces.length;
  if (json !== "") out.push({ type: "call-delta", id: call.id, json });
}

function end(call: OpenChatCall, cut: string | undefined, out: ModelEvent[]): void {
  announce(call, out);
  tellPieces(call, out);
  call.ended = true;
  out.push({ type: "call-end", call: finishCall(call, cut) });
  call.pieces = [];
}

function finishCall({ id, name, pieces, state }: OpenChatCall, cut: string | undefined): ToolCall {
  const call = { id, name, source: "native", ...callArguments(name, pieces.join(""), cut) };
  return state ? { ...call, state } : call;
}

function callArguments(name: string, text: string, cut: string | undefined): ParsedArguments {
  if (cut !== undefined) return cutArguments(text, cut);
  return name === "" ? namelessCall(text) : readArguments(text.trim() === "null" ? "" : text);
}
