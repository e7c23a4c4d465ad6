/** Finds the end of JSON between marks: collects it, shows it while it streams, and copes with damage at the end. */

import { parseJson } from "../../base/json.ts";
import { argumentKeys, nameKeys } from "../../protocol/call-keys.ts";
import { ahead, isNext, type Reader, type Reading } from "../reading/reader.ts";
import { jsonWatch, type JsonWatch } from "../reading/scan.ts";

export type JsonBlock = {
  /** What ends the block. None: it ends with its first balanced value. */
  readonly closers: readonly string[];
  /** What begins another block when the closer was forgotten. */
  readonly openers?: readonly string[];
  /** What ends the message: results and turns. */
  readonly endings?: readonly string[];
  /** Whether what follows a second opener makes it one. */
  readonly begins?: (ahead: string) => "call" | "text" | "more";
  /** Whether a text is a whole block: at a closer that seems to stand inside a string or an open bracket. */
  readonly isWhole: (body: string, inString: boolean) => boolean;
  /** Nothing is shown before the end: the calls have ids of their own, which come late. */
  readonly hidden?: boolean;
  /** The name stands elsewhere, and the first value is its arguments. */
  readonly argumentsOf?: string;
};

/** `how` it ended; the closer was taken, an opener or ending was not. `end`: with the answer. */
export type JsonBody = { body: string; how: "closer" | "balanced" | "opener" | "ending" | "end" };

/** A closer or opener in what looks like a string or an unfinished object is tried so many times. */
const maxAttempts = 8;
/** Longest text after a second opener that is looked at. */
const maxAhead = 160;

const names = new Set(nameKeys);
const argumentNames = new Set(argumentKeys);

type Collecting = {
  readonly reader: Reader;
  readonly block: JsonBlock;
  readonly watch: JsonWatch;
  /** The codes of the first characters of all marks. */
  readonly firsts: ReadonlySet<number>;
  readonly pieces: string[];
  attempts: number;
  /** Pieces of the arguments that were not shown yet. */
  unseen: string[];
  /** A mark was looked for at the reading place and does not count there. */
  passed: boolean;
};

export function* readJsonBlock(reader: Reader, block: JsonBlock): Reading<JsonBody> {
  const collecting: Collecting = {
    reader,
    block,
    watch:
      block.argumentsOf === undefined ? jsonWatch(names, argumentNames) : argumentsWatch(block.argumentsOf),
    firsts: new Set(
      [...block.closers, ...(block.openers ?? []), ...(block.endings ?? [])].map((mark) =>
        mark.charCodeAt(0),
      ),
    ),
    pieces: [],
    attempts: 0,
    unseen: [],
    passed: false,
  };
  const { input } = reader;
  for (;;) {
    const stop = collect(collecting);
    if (stop === "balanced") {
      if (yield* endsHere(collecting)) return { body: joined(collecting), how: "balanced" };
      continue;
    }
    if (stop === "mark") {
      const ended = yield* atMark(collecting);
      if (ended) return ended;
      continue;
    }
    if (input.ended) return { body: collecting.pieces.join(""), how: "end" };
    yield;
  }
}

/** Takes what there is, up to a place where a mark may stand. */
function collect(collecting: Collecting): "more" | "mark" | "balanced" {
  const { reader, watch, firsts, pieces, block } = collecting;
  const { input } = reader;
  const { text } = input;
  const { unseen } = collecting;
  let at = input.at;
  let shown = at;
  const stop = (what: "more" | "mark" | "balanced"): typeof what => {
    if (watch.inArguments) unseen.push(text.slice(shown, at));
    input.looked += at - input.at + 1;
    if (at > input.at) pieces.push(input.take(at - input.at));
    display(collecting);
    return what;
  };
  for (; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (collecting.passed) collecting.passed = false;
    else if (firsts.has(code)) return stop("mark");
    const before = watch.inArguments;
    const { depth } = watch;
    watch.step(code);
    if (watch.inArguments && !before) shown = at;
    else if (before && !watch.inArguments) unseen.push(text.slice(shown, at));
    else if (watch.inArguments && watch.inString && code < 32) {
      // Shown as JSON, so that the pieces together can be read as such.
      unseen.push(text.slice(shown, at), JSON.stringify(text.charAt(at)).slice(1, -1));
      shown = at + 1;
    }
    if (block.closers.length === 0 && watch.depth === 0 && depth > 0) {
      at += 1;
      return stop("balanced");
    }
  }
  return stop("more");
}

/**
 * Whether a balanced value is all of it. If its JSON is damaged, a bracket inside a string seems to end it too early:
 * then something of the kind follows, or it cannot be read.
 */
function* endsHere(collecting: Collecting): Reading<boolean> {
  const { reader, block } = collecting;
  if (collecting.attempts >= maxAttempts) return false;
  const next = yield* ahead(reader, 1);
  const isOver = next === "" || !/["'“”}\]:,]/.test(next);
  if (!isOver) return false;
  const body = joined(collecting);
  return parseJson(body).ok || block.isWhole(body, true);
}

/** What a mark means where it stands; undefined when it is data, which is then passed. */
function* atMark(collecting: Collecting): Reading<JsonBody | undefined> {
  const { reader, block, watch } = collecting;
  for (const mark of block.closers) if (yield* isNext(reader, mark)) return yield* atCloser(collecting, mark);
  const outside = watch.inString ? [] : [...(block.openers ?? [])];
  for (const mark of outside) if (yield* isNext(reader, mark)) return yield* atOpener(collecting, mark);
  const endings = watch.inString ? [] : (block.endings ?? []);
  for (const mark of endings)
    if (yield* isNext(reader, mark)) return { body: joined(collecting), how: "ending" };
  collecting.passed = true;
  return undefined;
}

function* atCloser(collecting: Collecting, closer: string): Reading<JsonBody | undefined> {
  const { reader, block, watch } = collecting;
  const { input } = reader;
  if (watch.inString || watch.depth > 0) {
    // In a string the closer is data, unless the string only looks open because its JSON is damaged.
    collecting.passed = true;
    if (collecting.attempts === maxAttempts) return undefined;
    const next = (yield* ahead(reader, closer.length + 1)).charAt(closer.length);
    if (next !== "" && !/[\s<[]/.test(next)) return undefined;
    if (!block.isWhole(joined(collecting), watch.inString)) return undefined;
  }
  input.take(closer.length);
  return { body: joined(collecting), how: "closer" };
}

/** A second opener: the closer was forgotten, or this was meant as one, or the opener was doubled. */
function* atOpener(collecting: Collecting, opener: string): Reading<JsonBody | undefined> {
  const { reader, block, watch } = collecting;
  const { input } = reader;
  if (watch.depth > 0) {
    collecting.passed = true;
    if (collecting.attempts === maxAttempts || !block.isWhole(joined(collecting), false)) return undefined;
    return { body: joined(collecting), how: "opener" };
  }
  if (watch.values === 0) {
    collecting.passed = true;
    return undefined;
  }
  for (;;) {
    const from = input.at + opener.length;
    const after = input.text.slice(from, from + maxAhead);
    input.looked += after.length;
    const verdict = block.begins?.(after) ?? "call";
    if (verdict === "more" && after.length < maxAhead && !input.ended) {
      yield;
      continue;
    }
    if (verdict !== "call") input.take(opener.length);
    return { body: joined(collecting), how: "opener" };
  }
}

/** The body so far. Joined at most once for every attempt. */
function joined(collecting: Collecting): string {
  const text = collecting.pieces.join("");
  collecting.attempts += 1;
  collecting.reader.input.looked += text.length;
  collecting.pieces.length = 0;
  collecting.pieces.push(text);
  return text;
}

/** Follows arguments whose call has its name elsewhere. */
function argumentsWatch(name: string): JsonWatch {
  const watch = jsonWatch(new Set(), new Set());
  let inArguments = false;
  return {
    name,
    get depth() {
      return watch.depth;
    },
    get inString() {
      return watch.inString;
    },
    get values() {
      return watch.values;
    },
    get inArguments() {
      return inArguments;
    },
    step(code) {
      const isInside = watch.depth > 0;
      watch.step(code);
      inArguments =
        watch.values === 0 ? watch.depth > 0 : isInside && watch.values === 1 && watch.depth === 0;
    },
  };
}

function display({ reader, watch, block, unseen }: Collecting): void {
  if (block.hidden === true || watch.name === undefined) return;
  reader.show(watch.name);
  reader.showArguments(unseen.splice(0).join(""));
}
