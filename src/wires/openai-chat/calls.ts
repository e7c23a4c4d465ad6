/** Assembles tool calls from the pieces of a Chat Completions stream, however a server labels them. */

import { ObjectEnd } from "../../base/object-end.ts";
import type { ToolCall, Opaque } from "../../protocol/messages.ts";
import type { AnswerReader } from "../answer-reader.ts";
import {
  cutArguments,
  damagedStream,
  makeId,
  namelessCall,
  readArguments,
  type ParsedArguments,
} from "../fields.ts";
import { BehindCall } from "./behind-call.ts";
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
  end: ObjectEnd;
  /** The arguments, once their object is closed. */
  read: ParsedArguments | undefined;
  /** What comes behind the arguments, once the call has ended. */
  behind: BehindCall | undefined;
  state: Opaque | undefined;
};

/**
 * All calls of one answer, in opening order. The first `ended` of them are complete; something else followed the first
 * `followed` of them.
 */
type Calls = {
  all: OpenChatCall[];
  byId: Map<string, OpenChatCall>;
  byLabel: Map<Label, OpenChatCall>;
  ended: number;
  followed: number;
};

export const noCalls = (): Calls => ({ all: [], byId: new Map(), byLabel: new Map(), ended: 0, followed: 0 });

/** Processes one entry of `delta.tool_calls`; an empty entry is ignored. */
export function takePiece(calls: Calls, entry: unknown, answer: AnswerReader): void {
  const piece = readPiece(entry);
  const known = findCall(calls, piece);
  if (!known && isEmpty(piece)) return;
  if (known && piece.id !== "" && isRepetition(known, piece)) {
    endWhole(calls, answer);
    if (!known.ended && !isPlaceholder(known)) return; // one before it is not complete yet
  }
  if (!known) endWhole(calls, answer);
  const last = calls.all.at(-1);
  if (!known && last && last.name !== "") announce(last, answer);
  extend(known ?? open(calls, piece), piece, answer);
}

/** Processes one entry of a whole message's `tool_calls`: always a separate call. */
export function takeWhole(calls: Calls, entry: unknown, answer: AnswerReader): void {
  const piece = readPiece(entry);
  if (isEmpty(piece)) return;
  const call = open(calls, piece);
  extend(call, piece, answer);
  announce(call, answer);
}

const isEmpty = ({ id, name, text }: CallPiece): boolean => id === "" && name === "" && text === "";

/** Something else has begun: whatever is complete ends. */
export function endWhole(calls: Calls, answer: AnswerReader): void {
  calls.followed = calls.all.length;
  while (isDone(calls.all[calls.ended])) endNext(calls, answer);
}

/** Whether the next call to end is complete, and has a name, which some servers send behind the arguments. */
export function isNextWhole({ all, ended }: Calls): boolean {
  const next = all[ended];
  return next?.name !== "" && isDone(next);
}

/** Nothing followed at once: ends the calls that are complete. */
export function endQuiet(calls: Calls, answer: AnswerReader): void {
  while (isNextWhole(calls)) endNext(calls, answer);
}

/** A mere `{}` waits for the finish, because some servers write it before the real object. */
const isDone = (call: OpenChatCall | undefined): boolean =>
  call !== undefined && !isPlaceholder(call) && isWhole(call);

function endNext(calls: Calls, answer: AnswerReader): void {
  const call = calls.all[calls.ended];
  if (call) end(call, undefined, answer);
  calls.ended += 1;
}

/**
 * Ends every call at the end of the answer. `cut` says why the answer was cut off; then calls that were being written
 * must not run: the last one, unless something else followed it, and all incomplete ones.
 */
export function endAll(calls: Calls, cut: string | undefined, answer: AnswerReader): void {
  for (let at = calls.ended; at < calls.all.length; at += 1) {
    const call = calls.all[at];
    if (!call) return;
    const complete = cut === undefined || (at < calls.followed && isWhole(call));
    end(call, complete ? undefined : cut, answer);
  }
  calls.ended = calls.all.length;
}

/** The call of a piece: by id, then by label, then the last one; `undefined` if the piece opens a new call. */
function findCall(calls: Calls, piece: CallPiece): OpenChatCall | undefined {
  if (piece.id !== "") {
    const call = calls.byId.get(piece.id);
    const elsewhere = piece.label !== undefined && piece.label !== call?.label;
    return call && elsewhere && !isRepetition(call, piece) && beginsAnother(call, piece) ? undefined : call;
  }
  const labelled = piece.label === undefined ? undefined : calls.byLabel.get(piece.label);
  const last = calls.all.at(-1);
  const call = labelled ?? (last && goesOn(last, piece) ? last : undefined);
  return call && beginsAnother(call, piece) ? undefined : call;
}

/** Whether it is the whole call once more, under its id: that call may run already, and runs once. */
function isRepetition(call: OpenChatCall, { name, text }: CallPiece): boolean {
  if (name !== call.name || !call.end.isClosed) return false;
  return call.behind?.isRepetition(text) ?? text.trim() === call.pieces.join("").trim();
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
 * Whether the arguments are a JSON object: behind its last bracket only white space can belong to them. What has to be
 * repaired is not, as it may continue.
 */
function isWhole(call: OpenChatCall): boolean {
  if (call.ended) return true;
  if (!call.end.isClosed) return false;
  call.read ??= readArguments(call.pieces.join(""));
  return call.read.problem === undefined && call.read.repairs === undefined;
}

function open(calls: Calls, { id: given, label }: CallPiece): OpenChatCall {
  const id = given === "" || calls.byId.has(given) ? makeId("call") : given;
  const fresh = { named: false, announced: false, told: 0, ended: false, read: undefined, behind: undefined };
  const call: OpenChatCall = {
    id,
    given: given !== "",
    label,
    name: "",
    pieces: [],
    end: new ObjectEnd(),
    state: undefined,
    ...fresh,
  };
  calls.all.push(call);
  // If two calls share an id, later pieces with it belong to the newer one.
  calls.byId.set(given === "" ? id : given, call);
  if (label !== undefined) calls.byLabel.set(label, call);
  return call;
}

function extend(call: OpenChatCall, piece: CallPiece, answer: AnswerReader): void {
  if (call.ended) return goOn(call, piece.text, answer);
  call.state = piece.state ?? call.state;
  // A name may come in pieces, but only before the arguments; some servers repeat the whole name in each piece.
  if (!call.named && piece.name !== call.name) call.name += piece.name;
  if (piece.text === "") return;
  call.named = call.name !== "";
  if (isPlaceholder(call) && piece.text.trimStart().startsWith("{")) {
    call.pieces = [];
    call.end = new ObjectEnd();
  }
  call.pieces.push(piece.text);
  call.end.take(piece.text);
  call.read = undefined;
  if (call.name === "") return;
  announce(call, answer);
  if (!isPlaceholder(call)) tellPieces(call, answer);
}

/** The provider goes on with a call that may be running. Models usually do better when asked again. */
function goOn({ name, behind }: OpenChatCall, text: string, answer: AnswerReader): void {
  const kind = text === "" ? "nothing" : (behind?.take(text) ?? "other");
  if (kind === "nothing") return;
  const words = `The provider went on writing the call of ${name} after it was complete`;
  if (kind === "other") throw damagedStream(`${words}.`);
  answer.notice("call-went-on", `${words}; what it added was ignored.`);
}

function announce(call: OpenChatCall, answer: AnswerReader): void {
  if (!call.announced) answer.startCall(call);
  call.announced = true;
}

function tellPieces(call: OpenChatCall, answer: AnswerReader): void {
  answer.piece(call.id, call.pieces.slice(call.told).join(""));
  call.told = call.pieces.length;
}

function end(call: OpenChatCall, cut: string | undefined, answer: AnswerReader): void {
  announce(call, answer);
  tellPieces(call, answer);
  call.ended = true;
  const written = call.pieces.join("");
  call.pieces = [];
  call.behind = new BehindCall(written.trim());
  answer.endCall(finishCall(call, written, cut));
}

function finishCall(call: OpenChatCall, written: string, cut: string | undefined): ToolCall {
  const { id, name, state } = call;
  const finished = { id, name, source: "native", ...callArguments(call, written, cut) } as const;
  return state ? { ...finished, state } : finished;
}

function callArguments({ name, read }: OpenChatCall, text: string, cut: string | undefined): ParsedArguments {
  if (cut !== undefined) return cutArguments(text, cut);
  return name === "" ? namelessCall(text) : (read ?? readArguments(text.trim() === "null" ? "" : text));
}
