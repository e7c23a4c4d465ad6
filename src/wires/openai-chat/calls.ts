/** Puts tool calls together from the pieces of a Chat Completions stream, in whatever way a server labels them. */

import { parseObject } from "../../base/json.ts";
import type { Call, Opaque } from "../../protocol/messages.ts";
import { ModelError, type ModelEvent } from "../../protocol/model-events.ts";
import { cutArguments, makeId, namelessCall, readArguments, type ReadArguments } from "../fields.ts";
import { readPiece, type Label, type Piece } from "./pieces.ts";

/** A call being written. `announced` once call-start is out, `ended` once call-end is. */
type OpenCall = {
  id: string;
  /** Whether the server gave the id. */
  given: boolean;
  label: Label;
  name: string;
  /** Whether the name is complete: it was there when arguments came. */
  named: boolean;
  pieces: string[];
  /** How many pieces are out as call-delta. */
  told: number;
  announced: boolean;
  ended: boolean;
  /** Whether its arguments have been tried once without being whole: from then on only the finish ends it. */
  waits: boolean;
  /** How often they were tried. */
  tries: number;
  state: Opaque | undefined;
};

/**
 * All calls of one answer, in the order they were opened. `ended` of them, from the front, are complete; something
 * else followed `followed` of them.
 */
export type Calls = {
  all: OpenCall[];
  byId: Map<string, OpenCall>;
  byLabel: Map<Label, OpenCall>;
  ended: number;
  followed: number;
};

export const noCalls = (): Calls => ({ all: [], byId: new Map(), byLabel: new Map(), ended: 0, followed: 0 });

/** Takes one entry of `delta.tool_calls` and says what it means; one that holds nothing means nothing. */
export function takePiece(calls: Calls, entry: unknown, out: ModelEvent[]): void {
  const piece = readPiece(entry);
  const known = findCall(calls, piece);
  if (!known && isEmpty(piece)) return;
  if (!known) endWhole(calls, out);
  const last = calls.all.at(-1);
  if (!known && last && last.name !== "") announce(last, out);
  extend(known ?? open(calls, piece), piece, out);
}

/** Takes one entry of a whole message's `tool_calls`: always a call of its own. */
export function takeWhole(calls: Calls, entry: unknown, out: ModelEvent[]): void {
  const piece = readPiece(entry);
  if (isEmpty(piece)) return;
  const call = open(calls, piece);
  extend(call, piece, out);
  announce(call, out);
}

const isEmpty = ({ id, name, text }: Piece): boolean => id === "" && name === "" && text === "";

/**
 * Something else has begun: ends the calls, from the front, whose arguments are whole. One that is not, or that
 * has none yet, waits for the finish, since some servers write several calls at the same time; and so does one
 * that has only the `{}` that some write before the real object.
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

/**
 * The answer is over: ends every call. With `cut` (why the answer was cut off) one that was being written may not
 * be run: the last, unless something else followed it, and any other that is not whole.
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

/** The call a piece belongs to: by id, then by label, then the last one; `undefined` when it opens a new one. */
function findCall(calls: Calls, piece: Piece): OpenCall | undefined {
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
 * Whether a piece without an id, whose label is new, still belongs to the call opened last: some servers count
 * pieces instead of calls. A name opens a call, unless it is only repeated: where ids are given, or where what
 * comes with it can be no beginning of arguments, or must be, for there are none yet.
 */
function goesOn(last: OpenCall, { label, name, text }: Piece): boolean {
  if (label === undefined || name === "") return true;
  if (name !== last.name || last.ended) return false;
  return last.given || (text !== "" && (last.pieces.length === 0 || !text.trimStart().startsWith("{")));
}

/**
 * Where nothing else tells two calls apart: a name and the beginning of an object, or another name, after
 * arguments that are whole. The same name and an object after a mere `{}` is the real object of that call.
 */
function beginsAnother(call: OpenCall, { name, text }: Piece): boolean {
  const same = name === call.name || !call.named;
  if (name === "" || (same && isPlaceholder(call) && !isEmptyObject(text))) return false;
  return (text.trimStart().startsWith("{") || (text === "" && !same)) && isWhole(call);
}

const isPlaceholder = ({ pieces, ended }: OpenCall): boolean =>
  !ended && pieces.length === 1 && isEmptyObject(pieces[0] ?? "");

const isEmptyObject = (text: string): boolean => text.trim() === "{}";

/**
 * Whether the arguments so far are a JSON object. Never a reason to end a call by itself: they may go on.
 * Each look costs as much as the call is long, so that their number has an end.
 */
function isWhole(call: OpenCall): boolean {
  if (call.ended) return true;
  if (call.tries === mostTries || call.pieces.at(-1)?.trimEnd().endsWith("}") !== true) return false;
  call.tries += 1;
  return parseObject(call.pieces.join("")).ok;
}

const mostTries = 100;

function open(calls: Calls, { id: given, label }: Piece): OpenCall {
  const id = given === "" || calls.byId.has(given) ? makeId("call") : given;
  const fresh = { named: false, announced: false, told: 0, ended: false, waits: false, tries: 0 };
  const call: OpenCall = { id, given: given !== "", label, name: "", pieces: [], state: undefined, ...fresh };
  calls.all.push(call);
  // Where two calls have one id, what follows under it belongs to the newer.
  calls.byId.set(given === "" ? id : given, call);
  if (label !== undefined) calls.byLabel.set(label, call);
  return call;
}

function extend(call: OpenCall, piece: Piece, out: ModelEvent[]): void {
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

function announce(call: OpenCall, out: ModelEvent[]): void {
  if (!call.announced) out.push({ type: "call-start", id: call.id, name: call.name });
  call.announced = true;
}

function tellPieces(call: OpenCall, out: ModelEvent[]): void {
  const json = call.pieces.slice(call.told).join("");
  call.told = call.pieces.length;
  if (json !== "") out.push({ type: "call-delta", id: call.id, json });
}

function end(call: OpenCall, cut: string | undefined, out: ModelEvent[]): void {
  announce(call, out);
  tellPieces(call, out);
  call.ended = true;
  out.push({ type: "call-end", call: finished(call, cut) });
  call.pieces = [];
}

function finished({ id, name, pieces, state }: OpenCall, cut: string | undefined): Call {
  const call = { id, name, source: "native", ...read(name, pieces.join(""), cut) };
  return state ? { ...call, state } : call;
}

function read(name: string, text: string, cut: string | undefined): ReadArguments {
  if (cut !== undefined) return cutArguments(text, cut);
  return name === "" ? namelessCall(text) : readArguments(text.trim() === "null" ? "" : text);
}
