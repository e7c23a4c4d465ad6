/**
 * Reads fenced JSON envelopes (requirements B4–B6, N14): one per message, strict JSON with an object root. Nothing is
 * repaired but a closing fence that is missing at the end of an answer.
 *
 * What can go wrong, and the code that tells it (B14); nothing of a refused envelope runs:
 *
 * | what the model did | code |
 * |---|---|
 * | an envelope without its own fence, where it was taught | `no_envelope` |
 * | no valid JSON, no object, no list of actions, none that can be read | `malformed_envelope` |
 * | the answer reached its length limit inside the envelope | `truncated` |
 * | more than one envelope | `multiple_envelopes` |
 * | an action that is none, beside others: only it is left out | `malformed_envelope`, as a notice |
 * | an id that was given before: the later action is left out | `duplicate_id`, as a notice |
 * | a tool that does not exist: passed on, so that the model is told | `unknown_tool`, from the agent |
 * | an action that may not run | a denied result, from the agent |
 */

import { parseObject } from "../../base/json.ts";
import type { CallFault } from "../../protocol/messages.ts";
import { namelessCall } from "../../protocol/unreadable.ts";
import {
  type ReadCall,
  ahead,
  isNext,
  marksOf,
  takeUntil,
  takeWhile,
  type OfferedTools,
  type BlockReader,
  type StreamReading,
} from "../reading/reader.ts";
import { entriesIn, type EnvelopeEntry } from "./envelope-entries.ts";
import { takeFenceInfo } from "./fence.ts";
import { readJsonBlock } from "./json-block.ts";

export const fence = "```";
/** The common opener of all envelopes; the kind follows it. */
export const envelopeOpener = `${fence}yips-`;

/** Reads an envelope from after its opener. */
export function* readEnvelope(reader: BlockReader): StreamReading {
  reader.onlyOne(refusal("multiple_envelopes", "expected exactly one envelope in an answer"));
  const kind = yield* takeWhile(reader, /\w/);
  const { body, isClosed } = yield* takeBody(reader);
  const isLast = yield* reader.isLast();
  // Unless the model was taught this format, text after the envelope shows that it is an example.
  const isExample = !isLast && !reader.isKnown && !(yield* isNext(reader, envelopeOpener));
  const isCut = !isClosed && reader.isCut;
  const isWhole = isClosed || (!isCut && parseObject(body).ok);
  const read = isWhole ? readActions(body, kind, reader.offered) : unclosed;
  if (isExample) reader.asText();
  else if (isCut) refuse(reader, "truncated", cutShort);
  else if (typeof read === "string") refuse(reader, "malformed_envelope", read);
  else tell(reader, isClosed ? read : { ...read, calls: read.calls.map((call) => withoutFence(call, body)) });
}

/** The answer ended well behind complete JSON: only the fence is missing. */
const withoutFence = (call: ReadCall, body: string): ReadCall => ({
  ...call,
  rawArguments: body.trim(),
  repairs: [{ code: "closing-tag", detail: "The closing fence was missing." }],
});

const cutShort = "the envelope was cut off before its end; if it is long, do it in smaller parts";
const unclosed = `the envelope has no end: its JSON must be complete, and a line with ${fence} must follow it`;

/** The report for an envelope of which nothing runs. */
const refusal = (fault: CallFault, problem: string): ReadCall => ({
  name: namelessCall,
  input: {},
  problem: `Protocol parse error: ${problem}. Nothing was run. Send one complete envelope again.`,
  fault,
});

const refuse = (reader: BlockReader, fault: CallFault, problem: string): void =>
  reader.tell({ ...refusal(fault, problem), rawArguments: reader.raw() });

/** Consumes the JSON and the closing fence, which counts only at the beginning of a line and outside strings (1.F). */
function* takeBody(reader: BlockReader): StreamReading<{ body: string; isClosed: boolean }> {
  const pieces: string[] = [];
  let atLineStart = false;
  let inString = false;
  let isEscaped = false;
  const put = (piece: string): void => {
    pieces.push(piece);
    for (const mark of piece) {
      if (mark === "\n") atLineStart = true;
      else if (mark.trim() !== "") atLineStart = false;
      if (isEscaped) isEscaped = false;
      else if (mark === "\\") isEscaped = inString;
      else if (mark === '"') inString = !inString;
    }
  };
  for (;;) {
    const { mark } = yield* takeUntil(reader, fenceMark, put);
    if (mark === undefined) return { body: pieces.join(""), isClosed: false };
    const behind = (yield* ahead(reader, fence.length + 1)).slice(fence.length);
    if (atLineStart && !inString) {
      const isClosed = !/\w/.test(behind);
      if (isClosed) yield* takeWhile(reader, /`/);
      return { body: pieces.join(""), isClosed };
    }
    put(reader.input.take(fence.length));
  }
}

const fenceMark = marksOf([fence]);

type EnvelopeActions = { text: string; calls: ReadCall[]; leftOut: NonNullable<EnvelopeEntry["problem"]>[] };

/** The actions of the envelope, or what is wrong with it. */
function readActions(body: string, kind: string, offered: OfferedTools): EnvelopeActions | string {
  const parsed = parseObject(body);
  if (!parsed.ok) return `the envelope is not a valid JSON object (${parsed.problem.slice(0, 160)})`;
  const entries = entriesIn(parsed.value, { kind, offered });
  if (typeof entries === "string") return entries;
  const { assistant_text: text } = parsed.value;
  const calls = entries.flatMap(({ call }) => call ?? []);
  const leftOut = entries.flatMap(({ problem }) => problem ?? []);
  if (calls.length === 0 && leftOut.length > 0)
    return `none of its actions could be read: ${leftOut.map(({ detail }) => detail).join("; ")}`;
  return { text: typeof text === "string" ? text : "", calls, leftOut };
}

function tell(reader: BlockReader, { text, calls, leftOut }: EnvelopeActions): void {
  reader.say(text);
  for (const code of new Set(leftOut.map((one) => one.code))) {
    const details = leftOut.filter((one) => one.code === code).map(({ detail }) => detail);
    reader.notice(code, `Left out of the envelope: ${details.join("; ")}.`);
  }
  for (const call of calls) reader.tell(call);
}

const unfenced = `the envelope must stand in a fence of its own, which begins with ${envelopeOpener}agent`;

/** An envelope without its fence, or in another one: nothing of it runs, and the model gets an error (B14). */
export function* readUnfenced(reader: BlockReader, opener: string): StreamReading {
  const { input } = reader;
  const isFenced = opener === fence;
  if (isFenced) yield* takeFenceInfo(reader);
  else {
    input.putBack(opener);
    input.record();
  }
  const { body } = yield* readJsonBlock(reader, {
    closers: isFenced ? [fence] : [],
    hidden: true,
    isWhole: (text) => parseObject(text).ok,
  });
  const read = readActions(body, "agent", reader.offered);
  if (typeof read === "string" || read.calls.length === 0) reader.asText();
  else refuse(reader, "no_envelope", unfenced);
}
