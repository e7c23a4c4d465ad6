/** What the reading halves share: how an answer begins, thoughts and calls end, and what the end adds up. */

import { isObject } from "../base/json.ts";
import type { Opaque, ToolCall } from "../protocol/messages.ts";
import type { EndReason, ModelError, ModelEvent, Usage } from "../protocol/model-events.ts";
import { cutArguments, damagedStream, makeId, namelessCall, readArguments } from "./fields.ts";
import { cutOff, emptyToolUse, withHeard, type ReadFrame } from "./frames.ts";

/** A call whose arguments still arrive, as a text in pieces or as a whole value. */
export type GatheredCall = { id: string; name: string; pieces: string[]; input: unknown };

/** How an answer ends; without a `reason`, whether there were calls decides. `promised`: the provider says there are. */
type EndOfAnswer = { reason?: EndReason; usage?: Usage; state?: Opaque; promised?: boolean };

/** One answer being read. Events collect here until `take`. */
export class AnswerReader {
  model = "";
  /** Whether any part of the answer was passed on. */
  heard = false;
  isOver = false;
  /** Whether any text other than white space was received. */
  spoke = false;
  readonly #ids = new Set<string>();
  #events: ModelEvent[] = [];
  #isThinking = false;
  /**
   * A finished call with missing or unreadable arguments is held until the next event: a length stop would mean that
   * they were cut off.
   */
  #held: { call: ToolCall; written: string } | undefined;

  /** How many calls began. */
  get calls(): number {
    return this.#ids.size;
  }

  /** The events since the last time. The answer starts with its first content, so that an earlier failure can be retried. */
  take(): ModelEvent[] {
    const events = this.#events;
    if (events.length === 0) return events;
    this.#events = [];
    if (this.heard) return events;
    this.heard = true;
    return [{ type: "answer-start", model: this.model }, ...events];
  }

  /** The answer begins although nothing of it has come: from here on a failure breaks it off. */
  begin(model = ""): void {
    if (this.heard) return;
    this.heard = true;
    this.model = model;
    this.#events.unshift({ type: "answer-start", model });
  }

  text(text: string): void {
    if (text === "") return;
    this.spoke ||= text.trim() !== "";
    this.#events.push({ type: "text-delta", text });
  }

  think(text: string): void {
    if (text === "") return;
    this.#isThinking = true;
    this.#events.push({ type: "reasoning-delta", text });
  }

  /** Ends the thoughts, if there are any or a state to keep. */
  endThought(state?: Opaque): void {
    if (state) this.#events.push({ type: "reasoning-end", state });
    else if (this.#isThinking) this.#events.push({ type: "reasoning-end" });
    this.#isThinking = false;
  }

  /** Begins a call; an id that is missing or already taken is replaced by a new one with this prefix. */
  startCall({ id: given, name = "", prefix = "call" }: Partial<Record<"id" | "name" | "prefix", string>>): {
    id: string;
    name: string;
  } {
    const id = given === undefined || given === "" || this.#ids.has(given) ? makeId(prefix) : given;
    this.#ids.add(id);
    this.#events.push({ type: "call-start", id, name });
    return { id, name };
  }

  /** Adds a piece of a call's arguments. */
  argument(call: GatheredCall, json: unknown): void {
    if (typeof json !== "string" || json === "") return;
    call.pieces.push(json);
    this.piece(call.id, json);
  }

  /** Shows a piece of a call's arguments. */
  piece(id: string, json: string): void {
    if (json !== "") this.#events.push({ type: "call-delta", id, json });
  }

  /** Ends a call, or holds it; `cut` says why it is incomplete and must not run. */
  endGathered(call: GatheredCall, cut?: string): void {
    const { id, name } = call;
    const read = cut === undefined ? argumentsOf(call) : cutArguments(textOf(call), cut);
    const ended: ToolCall = { id, name, source: "native", ...read };
    if (cut !== undefined || (read.problem === undefined && !isEmpty(call))) this.endCall(ended);
    else this.hold(ended, textOf(call));
  }

  endCall(call: ToolCall): void {
    this.#events.push({ type: "call-end", call });
  }

  notice(code: string, detail: string): void {
    this.#events.push({ type: "notice", code, detail });
  }

  hold(call: ToolCall, written = call.rawArguments ?? ""): void {
    this.#held = { call, written };
  }

  /** Ends the held call: something else follows it, or the end, which says whether it was cut off. */
  release(cut?: string): void {
    const held = this.#held;
    this.#held = undefined;
    if (held)
      this.endCall(cut === undefined ? held.call : { ...held.call, ...cutArguments(held.written, cut) });
  }

  end({ reason, usage, state, promised }: EndOfAnswer): void {
    if (promised && this.calls === 0 && !this.spoke) throw emptyToolUse(this.heard);
    this.isOver = true;
    if (usage) this.#events.push({ type: "usage", usage });
    const end = {
      type: "answer-end",
      reason: reason ?? (this.calls > 0 || promised ? "tool-calls" : "stop"),
    } as const;
    this.#events.push(state ? { ...end, state } : end);
  }
}

type FrameReading<Frame> = {
  answer: AnswerReader;
  read: ReadFrame<Frame>;
  /** What a pause between batches means. */
  pause?: () => void;
  /** Ends an answer whose format has no end mark. */
  finish?: () => void;
};

/** Reads an answer: the events of each batch of frames as one list. If a batch fails, those before the failure come first. */
export async function* readAnswer<Frame>(
  batches: AsyncIterable<Frame[] | undefined>,
  { answer, read, pause, finish }: FrameReading<Frame>,
): AsyncGenerator<ModelEvent[]> {
  try {
    for await (const batch of batches) {
      if (!batch) pause?.();
      let isOver = false;
      let failure: { error: unknown } | undefined;
      try {
        isOver = batch?.some((frame) => read(frame) || answer.isOver) === true;
      } catch (error) {
        failure = { error };
      }
      const events = answer.take();
      if (events.length > 0) yield events;
      if (failure) throw failure.error;
      if (isOver) break;
    }
    finish?.();
    if (!answer.isOver) throw cutOff(answer.heard);
    if (finish) yield answer.take();
  } catch (error) {
    throw withHeard(error, answer.heard);
  }
}

/** The error for arguments without a call. */
export const strayArguments = (): ModelError =>
  damagedStream("The provider sent arguments of a call that it never began.");

/** Some servers give the whole input and send no pieces. For tools without parameters, some write nothing or "null". */
function givenOf({ pieces, input }: GatheredCall): unknown {
  const written = pieces.join("");
  return /^\s*(null\s*)?$/.test(written) ? input : written;
}

const textOf = ({ pieces, input }: GatheredCall): string =>
  pieces.length === 0 && typeof input === "string" ? input : pieces.join("");

function isEmpty(call: GatheredCall): boolean {
  const given = givenOf(call);
  return isObject(given) ? Object.keys(given).length === 0 : typeof given !== "string" || given === "";
}

const argumentsOf = (call: GatheredCall): ReturnType<typeof readArguments> =>
  call.name === "" ? namelessCall(textOf(call)) : readArguments(givenOf(call));
