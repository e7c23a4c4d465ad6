/** Parses calls written as a name followed by pairs of tags: one for an argument's name, one for its value. */

import type { Repair } from "../../protocol/messages.ts";
import type { MarkedDialect, OpenerContext, CallVerdict, WrittenCall } from "../dialect.ts";
import {
  blank,
  either,
  follows,
  inOrder,
  mark,
  maybe,
  name,
  nameAtStart,
  oneOf,
  peek,
  some,
  type PatternStep,
} from "../reading/ahead.ts";
import type { OfferedTools } from "../reading/reader.ts";
import { rawResultsInTags } from "./lesson.ts";
import { rawLesson, rawText } from "./raw-values.ts";
import { parametersOf } from "./tool-schema.ts";
import { callInParts } from "./writing.ts";
import { readXmlCalls, rewind } from "./xml-call.ts";
import type { CallOpening, ParameterOpening, XmlForm } from "./xml-form.ts";

export type PairTags = {
  /** The tag names of a call, an argument's name, and a value. */
  readonly call: string;
  readonly key: string;
  readonly value: string;
  /** A tag that may state a value's type, before it. */
  readonly type?: string;
  /** A tag after the call's name. */
  readonly separator?: string;
  /** What may precede a call, and what ends the group of calls. */
  readonly outer?: { readonly open: string; readonly close: string };
};

export type PairsReading = Pick<MarkedDialect, "openers" | "read"> & { leftovers: readonly string[] };

/** The openers and the reader of such a dialect. */
export function argumentPairs(tags: PairTags): PairsReading {
  const form = formOf(tags);
  const { outer, call } = tags;
  const begins = (ahead: string, place: OpenerContext): CallVerdict =>
    isCall(open(call) + ahead, form, place);
  const around = outer && {
    mark: outer.open,
    begins: (ahead: string) => follows(ahead, blank, peek(form.call.step)),
  };
  return {
    openers: [...(around ? [around] : []), { mark: open(call), begins }],
    leftovers: [close(tags.value)],
    *read(reader, opener) {
      if (opener === open(call)) rewind(reader, opener);
      yield* readXmlCalls(reader, form);
    },
  };
}

/** A lone name in the tags may just be mentioned, so it counts only if a tool has that name. */
function isCall(
  text: string,
  { call, parameter }: XmlForm,
  { offered, isKnown }: OpenerContext,
): CallVerdict {
  const verdict = follows(text, call.step);
  if (verdict !== "call" || isKnown) return verdict;
  const end = call.step(text, 0);
  const opening = typeof end === "number" ? text.slice(0, end) : "";
  const { name: tool, length = opening.length } = call.read(opening, offered);
  if (offered.find(tool)) return "call";
  const pair = parameter.step(text, length);
  return typeof pair === "number" ? "call" : pair === "more" ? "more" : "text";
}

function formOf(tags: PairTags): XmlForm {
  const opens = inOrder(mark(open(tags.call)), blank, namedStep(tags));
  const { outer } = tags;
  return {
    call: {
      marks: [open(tags.call)],
      step: outer ? inOrder(maybe(inOrder(mark(outer.open), blank)), opens) : opens,
      read: (opening, offered) => callOf(opening, offered, tags),
    },
    parameter: { marks: [open(tags.key)], step: pairStep(tags), read: (opening) => pairOf(opening, tags) },
    closers: () => [close(tags.value)],
    ends: [close(tags.call), ...(outer ? [outer.close] : [])],
    padding: "none",
    // A cut value is never repaired: only the tag that closes the call may be missing.
    withoutCloser: "line",
  };
}

const open = (tag: string): string => `<${tag}>`;
const close = (tag: string): string => `</${tag}>`;

const keyText = some(/[^<>\n]/);
const keyWord = some(/[^<>\s]/);

/** Also a call without arguments that ends a value it never had, and a first key whose tag is missing or another. */
function namedStep({ call, key, value, separator }: PairTags): PatternStep {
  const gap = separator === undefined ? blank : inOrder(blank, maybe(inOrder(mark(open(separator)), blank)));
  const another = inOrder(mark(open(call)), keyWord, mark(close(key)));
  const bareKey = inOrder(maybe(keyText), mark(close(key)));
  const goesOn = peek(either(oneOf(open(key), close(call)), another));
  return inOrder(name, gap, either(goesOn, mark(close(value)), peek(bareKey)));
}

/** Tolerates a tag that is missing, doubled, or replaced by the call's. */
function pairStep({ call, key, value, type }: PairTags): PatternStep {
  const named = either(
    inOrder(mark(open(call)), keyWord),
    inOrder(maybe(mark(open(key))), maybe(mark(open(key))), keyText),
  );
  const closing = inOrder(mark(close(key)), maybe(inOrder(blank, mark(close(key)))));
  const typed =
    type === undefined ? [] : [maybe(inOrder(blank, mark(open(type)), keyText, mark(close(type))))];
  const pair = inOrder(named, closing, ...typed, maybe(inOrder(blank, mark(open(value)))));
  return either(pair, inOrder(mark(open(key)), shortKey));
}

/** GLM 5.3 Flash leaves out the tags between a key and its value. */
const shortKey = inOrder(some(/[\w.-]/), mark("="));

function callOf(opening: string, offered: OfferedTools, { call, value }: PairTags): CallOpening {
  const start = opening.lastIndexOf(open(call)) + open(call).length;
  const written = nameAtStart(opening.slice(start));
  if (opening.endsWith(close(value)))
    return { name: written, isOdd: true, repairs: [tagRepair("a closing tag too much")] };
  const glued = offered.find(written) ? undefined : gluedName(written, offered);
  if (glued === undefined) return { name: written };
  return { name: glued, length: opening.indexOf(written, start) + glued.length };
}

/** The tool whose name was written with its first argument's name glued to it. */
function gluedName(written: string, { tools, ...offered }: OfferedTools): string | undefined {
  const fitting = tools.filter(({ name: tool }) => {
    const key = written.slice(tool.length);
    return written.startsWith(tool) && parametersOf({ tools, ...offered }, tool).names.includes(key);
  });
  return fitting.length === 1 ? fitting[0]?.name : undefined;
}

function pairOf(opening: string, { call, key, value, type }: PairTags): ParameterOpening {
  const stated = type === undefined ? undefined : opening.split(open(type))[1]?.split(close(type))[0]?.trim();
  const parts = opening.split(close(key));
  const written = (parts[0] ?? "").replaceAll(open(key), "").replaceAll(open(call), "");
  if (opening.endsWith("="))
    return {
      key: written.slice(0, -1),
      repair: tagRepair("the tags between a name and its value were missing"),
    };
  const problems = [
    ...(opening.startsWith(open(key)) ? [] : ["the tag before the name of an argument was missing"]),
    ...(opening.endsWith(open(value)) ? [] : ["the tag before a value was missing"]),
    ...(parts.length > 2 || opening.startsWith(open(key).repeat(2)) ? ["a tag was doubled"] : []),
  ];
  const isText = stated === undefined ? undefined : /^str(?:ing)?$/.test(stated);
  const isBare = !opening.endsWith(open(value));
  return {
    key: written.trim(),
    isText,
    isBare,
    ...(problems.length > 0 ? { repair: tagRepair(problems.join(", ")) } : {}),
  };
}

const tagRepair = (what: string): Repair => ({ code: "tags", detail: `Tags were put right: ${what}.` });

/** How such a dialect writes calls and results, and teaches it. */
export function writtenPairs({
  call,
  key,
  value,
  separator,
  outer,
}: PairTags): Pick<MarkedDialect, "results" | "stop" | "writeResults" | "writeCalls" | "lesson"> {
  const writeCall = callInParts({
    open: (tool) => `${open(call)}${tool}${separator === undefined ? "" : open(separator)}\n`,
    argument: (name, text) =>
      `${open(key)}${name}${close(key)}\n${open(value)}${rawText(text)}${close(value)}\n`,
    close: close(call),
  });
  const writeCalls = (calls: readonly WrittenCall[]): string => {
    const all = calls.map(writeCall);
    return (outer ? [outer.open, ...all, outer.close] : all).join("\n");
  };
  const where = outer ? ` in one ${outer.open}` : ", one after the other";
  return { ...rawResultsInTags, writeCalls, lesson: rawLesson(`several ${open(call)} blocks${where}`) };
}
