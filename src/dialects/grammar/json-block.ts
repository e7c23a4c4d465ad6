/** Collects JSON between marks: finds its end, displays it while it streams, and copes with a damaged end. */

import { parseJson } from "../../base/json.ts";
import { argumentKeys, nameKeys } from "../../protocol/call-keys.ts";
import { ahead, isNext, type BlockReader, type StreamReading } from "../reading/reader.ts";
import { jsonWatch, type JsonWatch } from "../reading/scan.ts";

export type JsonBlock = {
  /** The marks that end the block. None: it ends after its first balanced value. */
  readonly closers: readonly string[];
  /** Marks that begin another block if the closer was forgotten. */
  readonly openers?: readonly string[];
  /** Marks that end it beside those that end the message. */
  readonly endings?: readonly string[];
  /** Whether the text after a second opener confirms it. */
  readonly begins?: (ahead: string) => "call" | "text" | "more";
  /** Whether a text is a complete block: decides about a closer that seems to be inside a string or open bracket. */
  readonly isWhole: (body: string, inString: boolean) => boolean;
  /** Displays nothing before the end: the calls have ids of their own, which come late. */
  readonly hidden?: boolean;
  /** One of a list, without marks: what may follow says nothing about it. */
  readonly isItem?: boolean;
  /** The name was given elsewhere; the first value is the arguments. */
  readonly argumentsOf?: string;
};

/** `how` it ended; a closer is consumed, an opener or ending is not. `end`: with the answer. */
export type JsonBlockBody = { body: string; how: "closer" | "balanced" | "opener" | "ending" | "end" };

/** Attempts at a closer or opener inside what looks like a string or an unfinished object. */
const maxAttempts = 8;
/** Longest text examined after a second opener. */
const maxAhead = 160;

const keys = { names: new Set(nameKeys), inputs: new Set(argumentKeys) };

type JsonCollector = {
  readonly reader: BlockReader;
  readonly block: JsonBlock;
  readonly watch: JsonWatch;
  /** What ends the block from outside: it stays unread. */
  readonly endings: readonly string[];
  /** The first character codes of all marks. */
  readonly firsts: ReadonlySet<number>;
  readonly pieces: string[];
  attempts: number;
  /** Pieces of the arguments not displayed yet. */
  unseen: string[];
  /** The mark at the current position was examined and does not count. */
  passed: boolean;
};

export function* readJsonBlock(reader: BlockReader, block: JsonBlock): StreamReading<JsonBlockBody> {
  const endings = [...(block.endings ?? []), ...reader.endings];
  const collecting: JsonCollector = {
    reader,
    block,
    watch: jsonWatch(block.argumentsOf === undefined ? keys : undefined),
    endings,
    firsts: new Set(
      [...block.closers, ...(block.openers ?? []), ...endings].map((mark) => mark.charCodeAt(0)),
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
      if (yield* endsHere(collecting)) return { body: joinPieces(collecting), how: "balanced" };
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

/** Consumes what is available, up to a possible mark. */
function collect(collecting: JsonCollector): "more" | "mark" | "balanced" {
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
      // Escaped, so that the pieces join to valid JSON.
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
 * Whether a balanced value is complete. In damaged JSON a bracket inside a string can seem to end it early: then more
 * JSON follows, or the value cannot be parsed.
 */
function* endsHere(collecting: JsonCollector): StreamReading<boolean> {
  const { reader, block } = collecting;
  if (collecting.attempts >= maxAttempts) return false;
  if (block.isItem !== true) {
    const next = yield* ahead(reader, 1);
    const isOver = next === "" || !/["'“”}\]:,]/.test(next);
    if (!isOver) return false;
  }
  const body = joinPieces(collecting);
  return parseJson(body).ok || block.isWhole(body, true);
}

/** What the mark here means; undefined if it is data, which is then skipped. */
function* atMark(collecting: JsonCollector): StreamReading<JsonBlockBody | undefined> {
  const { reader, block, watch } = collecting;
  for (const mark of block.closers) if (yield* isNext(reader, mark)) return yield* atCloser(collecting, mark);
  const outside = watch.inString ? [] : [...(block.openers ?? [])];
  for (const mark of outside) if (yield* isNext(reader, mark)) return yield* atOpener(collecting, mark);
  const endings = watch.inString ? [] : collecting.endings;
  for (const mark of endings)
    if (yield* isNext(reader, mark)) return { body: joinPieces(collecting), how: "ending" };
  collecting.passed = true;
  return undefined;
}

function* atCloser(collecting: JsonCollector, closer: string): StreamReading<JsonBlockBody | undefined> {
  const { reader, block, watch } = collecting;
  const { input } = reader;
  if (watch.inString || watch.depth > 0) {
    // Inside a string the closer is data, unless the string only looks open because of damaged JSON.
    collecting.passed = true;
    if (collecting.attempts === maxAttempts) return undefined;
    const next = (yield* ahead(reader, closer.length + 1)).charAt(closer.length);
    if (next !== "" && !/[\s<[]/.test(next)) return undefined;
    if (!block.isWhole(joinPieces(collecting), watch.inString)) return undefined;
  }
  input.take(closer.length);
  return { body: joinPieces(collecting), how: "closer" };
}

/** A second opener: the closer was forgotten, or this was meant as one, or the opener was doubled. */
function* atOpener(collecting: JsonCollector, opener: string): StreamReading<JsonBlockBody | undefined> {
  const { reader, block, watch } = collecting;
  const { input } = reader;
  if (watch.depth > 0) {
    collecting.passed = true;
    if (collecting.attempts === maxAttempts || !block.isWhole(joinPieces(collecting), false))
      return undefined;
    return { body: joinPieces(collecting), how: "opener" };
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
    return { body: joinPieces(collecting), how: "opener" };
  }
}

/** The body so far. Joined at most once per attempt. */
function joinPieces(collecting: JsonCollector): string {
  const text = collecting.pieces.join("");
  collecting.attempts += 1;
  collecting.reader.input.looked += text.length;
  collecting.pieces.length = 0;
  collecting.pieces.push(text);
  return text;
}

function display({ reader, watch, block, unseen }: JsonCollector): void {
  const name = block.argumentsOf ?? watch.name;
  if (block.hidden === true || name === undefined) return;
  reader.show(name);
  reader.showArguments(unseen.splice(0).join(""));
}
