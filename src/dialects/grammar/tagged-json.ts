/** Reads blocks of JSON between tags: the call format of most families. */

import { quoteEntity } from "../../base/html-entities.ts";
import { addedClosers, guessedEnd } from "../../base/loose-json.ts";
import type { CallVerdict, MarkedDialect } from "../dialect.ts";
import {
  blank,
  comes,
  fitting,
  inOrder,
  mark,
  maybe,
  name as toolName,
  oneOf,
  some,
  type PatternStep,
} from "../reading/ahead.ts";
import {
  type ReadCall,
  takeMark,
  takeWhile,
  type BlockReader,
  type OfferedTools,
  type StreamReading,
  takeAll,
} from "../reading/reader.ts";
import { readJsonBlock, type JsonBlock, type JsonBlockBody } from "./json-block.ts";
import { cutOff, readJsonCalls, unreadable, type JsonShape } from "./json-calls.ts";
import { isComplete } from "./tool-schema.ts";

export type JsonTags = Omit<JsonBlock, "isWhole"> & {
  readonly shape?: JsonShape;
  /** Meaningless marks allowed after the block. A doubled closer is always ignored. */
  readonly trailing?: readonly string[];
  /** It is a call only if nothing follows; otherwise all of it is text. */
  readonly isLast?: boolean;
  /** Names by which a model says that it wants no tool, unless a tool has that name. */
  readonly noCall?: readonly string[];
  /** Undoes what a family does to its arguments. */
  readonly mend?: (call: ReadCall) => ReadCall;
};

/** Whether a JSON object or a list of them follows an opener, maybe after a doubled opener or a fence. */
export function beginsJson(ahead: string, opener: string): CallVerdict {
  const rest = behindDoubled(ahead, opener);
  if (opener.startsWith(rest) || "``".startsWith(rest)) return "more";
  const empty = /^\[\s*\]\s*/.exec(rest);
  if (empty) {
    const next = rest.slice(empty[0].length, empty[0].length + 2);
    return next.length < 2 ? "more" : /^(?:<[/|]|\[E)/.test(next) ? "call" : "text";
  }
  if (/^"[\s[]*\{\s*\\"/.test(rest)) return "call";
  if (/^"[\s[]*(?:\{\s*\\?)?$/.test(rest)) return "more";
  const body = rest.replace(/^[[\s]+/, "");
  if (objectBegins.test(body)) return "call";
  return /^(?:\{[{\s]*(?:\\|&[#\w]{0,6}|(?:[A-Za-z_]\w{0,40}\s*)?))?$/.test(body) ? "more" : "text";
}

const objectBegins = new RegExp(
  `^\\{[{\\s]*(?:["'“”„‘’＂«]|\\\\"|${quoteEntity}|[A-Za-z_]\\w{0,40}\\s*:)`,
  "i",
);

/** More openers and fences than this in sequence are not a call. */
const maxDoubled = 4;

function behindDoubled(ahead: string, opener: string): string {
  let rest = ahead.trimStart();
  for (let count = 0; count < maxDoubled; count += 1) {
    const fence = /^```\w*/.exec(rest)?.[0].length ?? 0;
    const length = rest.startsWith(opener) ? opener.length : fence;
    if (length === 0) break;
    rest = rest.slice(length).trimStart();
  }
  return rest;
}

/** A mark behind which calls are JSON. */
export function jsonOpener(mark: string) {
  return { mark, begins: (ahead: string): CallVerdict => beginsJson(ahead, mark) };
}

/** The opener and the reader of a dialect whose calls are JSON behind one mark. */
export function taggedJson(
  opener: string,
  tags: Omit<JsonTags, "openers" | "begins">,
): Pick<MarkedDialect, "openers" | "read"> {
  const one = jsonOpener(opener);
  const all: JsonTags = {
    ...tags,
    openers: [opener],
    ...(tags.closers.length > 0 ? { begins: one.begins } : {}),
  };
  return {
    openers: [one],
    *read(reader) {
      yield* readTaggedJson(reader, all);
    },
  };
}

/** Reads a block after its opener, and emits its calls. */
export function* readTaggedJson(reader: BlockReader, tags: JsonTags): StreamReading<JsonBlockBody["how"]> {
  for (;;) {
    const how = yield* readOne(reader, tags);
    if (how !== "line") return how;
  }
}

/** `line`: another one follows on a line of its own. */
function* readOne(reader: BlockReader, tags: JsonTags): StreamReading<JsonBlockBody["how"] | "line"> {
  const shape = tags.shape ?? {};
  const isFenced = yield* takeOpening(reader, tags);
  const found = yield* readJsonBlock(reader, {
    hidden: shape.ids === true || shape.nameIsKey === true || tags.noCall !== undefined,
    ...tags,
    isWhole: (body, inString) => isWhole(readJsonCalls(body, { closed: true, shape }).calls, inString),
  });
  const isClosed = found.how === "closer" || found.how === "balanced";
  const fence = isFenced && found.how === "balanced" ? ["```"] : [];
  const behind = isClosed ? [...fence, ...tags.closers, ...(tags.trailing ?? [])] : [];
  if (tags.isLast === true) {
    yield* takeAll(reader, behind);
    if (!(yield* reader.isLast())) {
      reader.asText();
      return found.how;
    }
  }
  tellBody(reader, found, tags);
  const goesOn = found.how === "balanced" && tags.isItem !== true;
  if (goesOn && (yield* comes(reader, nextLine(reader.offered)))) return "line";
  if (isClosed) yield* takeAll(reader, behind);
  return found.how;
}

/** Where no mark ends the calls, another call on a line of its own is one of them. */
const nextLine = (offered: OfferedTools): PatternStep =>
  fitting(namedObject, (text) => offered.find(/["']([^"']*)["']$/.exec(text)?.[1] ?? "") !== undefined);
const quote = oneOf('"', "'");
const namedObject = inOrder(
  maybe(some(/[ \t\r]/, 20)),
  mark("\n"),
  blank,
  maybe(inOrder(mark("["), blank)),
  inOrder(mark("{"), blank, quote, mark("name"), quote, blank, mark(":"), blank),
  inOrder(quote, toolName, quote),
);

/** Consumes doubled openers and a fence around the JSON; true if there is a fence. */
function* takeOpening(reader: BlockReader, { openers = [] }: JsonTags): StreamReading<boolean> {
  yield* takeAll(reader, openers);
  if (!(yield* takeMark(reader, "```"))) return false;
  yield* takeWhile(reader, /\w/);
  return true;
}

function tellBody(
  reader: BlockReader,
  { body, how }: JsonBlockBody,
  { shape = {}, noCall = [], mend = (call) => call }: JsonTags,
): void {
  const isOpen = how === "end";
  if (isOpen && reader.isCut) return reader.tell(cutOff(reader.raw()));
  const { calls, end } = readJsonCalls(body, { closed: how === "closer" || how === "balanced", shape });
  if (calls.length === 0 && !/^\s*\[\s*\]\s*$/.test(body) && (body.trim() !== "" || !isOpen))
    return reader.tell(unreadable(reader.raw(), "There is no JSON object with a name in the call."));
  for (const call of calls) {
    if (noCall.includes(call.name) && reader.offered.find(call.name) === undefined) continue;
    const told = call.problem === undefined ? mend(call) : { ...call, rawArguments: reader.raw() };
    reader.tell(isOpen && misses(told, reader) ? { ...cutOff(reader.raw()), name: call.name } : told);
  }
  if (how !== "closer" && how !== "balanced") sayRest(reader, body.slice(end));
}

/** If brackets were missing, more may have been to come: certainly so if a required argument is absent. */
export const misses = (call: ReadCall, { offered }: Pick<BlockReader, "offered">): boolean =>
  call.repairs?.some(({ code }) => code === addedClosers) === true && !isComplete(call, offered);

/** Emits the text after a call whose closing tag is missing. A misspelt closing tag is not text. */
export function sayRest(reader: BlockReader, rest: string): void {
  const text = rest.replace(/^(?:[`}\],;\s]|<\/?[\w|:]*>?)*/, "").trim();
  if (text !== "") reader.say(text);
}

/** If a string's end was guessed, a mark in what looks like a string may well be data. */
const isWhole = (calls: readonly ReadCall[], inString: boolean): boolean =>
  calls.length > 0 &&
  calls.every(
    ({ problem, repairs }) =>
      problem === undefined && !(inString && repairs?.some(({ code }) => code === guessedEnd) === true),
  );
