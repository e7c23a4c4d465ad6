/** Describes a format whose arguments are raw text between tags, and detects what comes next inside such a call. */

import { spaceEnd } from "../../base/loose-json.ts";
import type { Repair } from "../../protocol/messages.ts";
import type { PatternStep } from "../reading/ahead.ts";
import type { OfferedTools, BlockReader, StreamReading } from "../reading/reader.ts";

export type XmlForm = {
  readonly call: CallTag;
  readonly parameter: ParameterTag;
  /** What ends a parameter's value: first the proper closer, then what models write instead. */
  readonly closers: (key: string) => readonly string[];
  /** What ends a call: first its own closing tag, then those of the enclosing tags. */
  readonly ends: readonly string[];
  /** Other spellings of the call's own closing tag. */
  readonly spellings?: readonly string[];
  /** What ends the calls beside what ends the message. */
  readonly endings?: readonly string[];
  /** Line breaks around a value that are layout: one on each side, one on both sides or none, or never. */
  readonly padding: "each" | "pair" | "none";
  /**
   * The next parameter or the call's end, behind a value that was not closed: ends it, is `unclear`, or is data. `line`:
   * a new parameter ends a value of one line, and anything else is `unclear`.
   */
  readonly withoutCloser: "ends" | "line" | "unclear" | "data";
  /** The call's closing tag may be missing at the end of the answer. */
  readonly endIsOptional?: true;
  /** Marks around a value inside which no other tag counts. */
  readonly quoted?: { readonly open: string; readonly close: string };
  /** Removes a value's layout, where `padding` cannot describe it. */
  readonly tidy?: (text: string) => string;
};

type CallTag = {
  /** Its possible beginnings, searched for inside values. */
  readonly marks: readonly string[];
  /** Matches its opening, from the first character to the parameters. */
  readonly step: PatternStep;
  readonly read: (opening: string, offered: OfferedTools) => CallOpening;
};

/**
 * `length`: how much of what was matched belongs to it. `key`: the parameter whose value follows at once. `isOdd`: a
 * closing tag stood in it that closes nothing.
 */
export type CallOpening = {
  name: string;
  length?: number;
  key?: string;
  isOdd?: boolean;
  repairs?: readonly Repair[];
  /** What its own tag gave, and whether that was all. */
  given?: readonly ParameterOpening[];
  isClosed?: boolean;
};

type ParameterTag = {
  readonly marks: readonly string[];
  /** Matches a parameter's opening, from the first character to the value. */
  readonly step: PatternStep;
  readonly read: (opening: string) => ParameterOpening;
};

/**
 * `isText`: the tag itself states whether the value is text or JSON. `isBare`: no tag opened the value, so that a line
 * break before it is layout.
 */
export type ParameterOpening = {
  key: string;
  isText?: boolean | undefined;
  isBare?: boolean;
  repair?: Repair;
  /** The tag closes itself, and holds the value, if there is one. */
  closed?: { value?: string; repair?: Repair };
};

export type TagLookahead = {
  /** The closing tags found first. */
  readonly ends: readonly string[];
  /** How many characters precede what comes next. */
  readonly length: number;
  readonly next: "parameter" | "call" | "nothing" | "other";
  /** The opening found next, if it is of a parameter or a call. */
  readonly opening: string;
};

/** Longest text examined. */
const maxAhead = 160;

/** Whether an end is the call's own, not that of an enclosing tag. */
export const isOwn = ({ ends, spellings }: XmlForm, end: string): boolean =>
  end === ends[0] || spellings?.includes(end) === true;

/**
 * What comes next in a call, at the current position or `skip` characters later, after white space. Consumes nothing.
 */
export const whatFollows = (reader: BlockReader, form: XmlForm, skip = 0): StreamReading<TagLookahead> =>
  lookAhead(reader, form, { skip, steps: [form.parameter.step, form.call.step] });

/** What comes next outside a call. Consumes nothing. */
export const whatComes = (reader: BlockReader, form: XmlForm): StreamReading<TagLookahead> =>
  lookAhead(reader, form, { skip: 0, steps: [nothing, form.call.step] });

type LookaheadOptions = { skip: number; steps: readonly [parameter: PatternStep, call: PatternStep] };

const nothing: PatternStep = () => "no";

function* lookAhead(
  reader: BlockReader,
  form: XmlForm,
  { skip, steps }: LookaheadOptions,
): StreamReading<TagLookahead> {
  const { input } = reader;
  const endings = [...reader.endings, ...(form.endings ?? [])];
  for (;;) {
    const from = input.at + skip;
    const text = input.text.slice(from, from + maxAhead);
    input.looked += text.length;
    const isAll = input.ended && from + text.length === input.text.length;
    const found = following(text, form, { isAll, steps, endings });
    if (found !== "more") return found;
    if (text.length >= maxAhead || input.ended) return { ends: [], length: 0, next: "other", opening: "" };
    yield;
  }
}

type LookaheadScope = Pick<LookaheadOptions, "steps"> & { isAll: boolean; endings: readonly string[] };

function following(
  text: string,
  form: XmlForm,
  { isAll, steps, endings }: LookaheadScope,
): TagLookahead | "more" {
  const ends: string[] = [];
  let at = spaceEnd(text, 0);
  for (let end = endAt(text, at, form); end !== undefined; end = endAt(text, at, form)) {
    ends.push(end);
    at = spaceEnd(text, at + end.length);
  }
  const found = (next: TagLookahead["next"], opening = ""): TagLookahead => ({
    ends,
    length: at,
    next,
    opening,
  });
  const rest = text.slice(at);
  if (rest === "") return isAll ? found("nothing") : "more";
  if (endings.some((mark) => rest.startsWith(mark))) return found("nothing");
  const parameter = steps[0](text, at);
  if (typeof parameter === "number") return found("parameter", text.slice(at, parameter));
  const call = steps[1](text, at);
  if (typeof call === "number" && (parameter === "no" || isAll)) return found("call", text.slice(at, call));
  const isPart = (mark: string): boolean => mark.startsWith(rest);
  const mayEnd = [...form.ends, ...endings].some(isPart);
  // Half a closing tag at the very end: the rest was cut off, or was a stop string.
  if (isAll && mayEnd && ![...form.parameter.marks, ...form.call.marks].some(isPart)) return found("nothing");
  return !isAll && (mayEnd || parameter === "more" || call === "more") ? "more" : found("other");
}

const endAt = (text: string, at: number, { ends }: XmlForm): string | undefined =>
  ends.find((mark) => text.startsWith(mark, at));
