/** One block that opened as a call: collects its body, shows it while it streams, and finds its definite end. */
import type { ModelEvent } from "../protocol/model-events.ts";
import type { Dialect, DialectRead, ReadCall } from "./dialect.ts";
import { argumentKeys, nameKeys } from "./keys.ts";
import { guessedEnd } from "./loose.ts";
import { jsonWatch } from "./scan.ts";

export interface CallBlock {
  /** Takes text up to the end of the block. `final`: nothing follows it. */
  take(text: string, final: boolean): Taken;
  /** The answer ended inside the block. `rest` is text that belongs to no call. */
  end(cutByLength: boolean): { events: ModelEvent[]; rest: string };
}

/** `length` characters were consumed; `next` tells how to go on behind them. */
export type Taken = { length: number; events: ModelEvent[]; next: "more" | "text" | "over"; looked: number };

/** A closer or opener in what looks like a string or an unfinished object is tried so many times. */
const maxAttempts = 8;
/** Longest body, in UTF-16 units. */
const maxBody = 8 * 1024 * 1024;
/** Longest text after a second opener that is looked at. */
const maxAhead = 160;

const names = new Set(nameKeys);
const argumentNames = new Set(argumentKeys);

export function callBlock(dialect: Dialect, newId: () => string): CallBlock {
  const block: Block = {
    dialect,
    newId,
    watch: jsonWatch(names, argumentNames),
    pieces: [],
    length: 0,
    attempts: 0,
    id: undefined,
    unseen: [],
    looked: 0,
  };
  return {
    take(text, final) {
      block.looked = 0;
      const taken = takeBody(block, text, final);
      return { ...taken, looked: block.looked };
    },
    end: (cutByLength) => endBlock(block, cutByLength),
  };
}

type Block = {
  readonly dialect: Dialect;
  readonly newId: () => string;
  readonly watch: ReturnType<typeof jsonWatch>;
  pieces: string[];
  length: number;
  attempts: number;
  /** Set once the call has been shown. */
  id: string | undefined;
  /** Pieces of the arguments that were not shown yet. */
  unseen: string[];
  looked: number;
};

type Step = Omit<Taken, "looked">;

function takeBody(block: Block, text: string, final: boolean): Step {
  const { watch } = block;
  let shown = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    block.looked += 1;
    if (code === 60) {
      // Before the marker is looked at: it may end the block, and what came before it belongs on display.
      if (watch.inArguments) block.unseen.push(text.slice(shown, at));
      shown = at;
      const step = atMarker(block, text, at, final);
      if (step) return step;
    }
    const before = watch.inArguments;
    watch.step(code);
    if (watch.inArguments && !before) shown = at;
    else if (before && !watch.inArguments) block.unseen.push(text.slice(shown, at));
    else if (watch.inArguments && watch.inString && code < 32) {
      // Shown as JSON, so that the pieces together can be read as such.
      block.unseen.push(text.slice(shown, at), JSON.stringify(text.charAt(at)).slice(1, -1));
      shown = at + 1;
    }
  }
  if (watch.inArguments) block.unseen.push(text.slice(shown));
  keep(block, text);
  if (block.length <= maxBody) return { length: text.length, events: display(block), next: "more" };
  return finish(block, { length: text.length, body: "", read: tooLong, next: "over" });
}

const tooLong: DialectRead = { ok: false, problem: "The call is over 8 MiB long. Send it in smaller parts." };

function atMarker(block: Block, text: string, at: number, final: boolean): Step | undefined {
  const { dialect, watch } = block;
  const rest = text.length - at;
  const markers = [dialect.closer, ...(watch.inString ? [] : [dialect.opener, ...dialect.endings])];
  for (const marker of markers) {
    const here = text.slice(at, at + marker.length);
    if (rest < marker.length && !final && marker.startsWith(here)) return wait(block, text, at);
    if (here !== marker) continue;
    if (marker === dialect.closer) return atCloser(block, text, at, final);
    if (marker === dialect.opener) return atOpener(block, text, at, final);
    const body = bodyUntil(block, text, at);
    return finish(block, {
      length: at + marker.length,
      body,
      read: dialect.readBody(body, false),
      next: "over",
    });
  }
  return undefined;
}

function wait(block: Block, text: string, at: number): Step {
  keep(block, text.slice(0, at));
  return { length: at, events: display(block), next: "more" };
}

function atCloser(block: Block, text: string, at: number, final: boolean): Step | undefined {
  const { watch, dialect } = block;
  const behind = at + dialect.closer.length;
  const body = (): string => bodyUntil(block, text, at);
  if (!watch.inString && watch.depth === 0) {
    const whole = body();
    return finish(block, { length: behind, body: whole, read: dialect.readBody(whole, true), next: "text" });
  }
  // In a string the closer is data, unless the string only looks open because its JSON is damaged.
  if (block.attempts === maxAttempts) return undefined;
  const next = text[behind];
  if (next === undefined && !final) return wait(block, text, at);
  if (next !== undefined && !/[\s<]/.test(next)) return undefined;
  const early = body();
  const read = dialect.readBody(early, true);
  const isEnd = isWhole(read) && !(watch.inString && isGuess(read));
  return isEnd ? finish(block, { length: behind, body: early, read, next: "text" }) : undefined;
}

/** A second opener: the closer was forgotten, or this was meant as one, or the opener was doubled. */
function atOpener(block: Block, text: string, at: number, final: boolean): Step | undefined {
  const { watch, dialect } = block;
  if (watch.depth === 0 && watch.values === 0) return undefined;
  if (watch.depth > 0) {
    if (block.attempts === maxAttempts) return undefined;
    const body = bodyUntil(block, text, at);
    const read = dialect.readBody(body, true);
    return isWhole(read) ? finish(block, { length: at, body, read, next: "text" }) : undefined;
  }
  const behind = at + dialect.opener.length;
  const ahead = text.slice(behind, behind + maxAhead);
  block.looked += ahead.length;
  const verdict = dialect.begins(ahead);
  if (verdict === "more" && ahead.length < maxAhead && !final) return wait(block, text, at);
  const body = bodyUntil(block, text, at);
  const read = dialect.readBody(body, false);
  return finish(block, { length: verdict === "call" ? at : behind, body, read, next: "text" });
}

const isWhole = (read: DialectRead): boolean =>
  read.ok && read.calls.length > 0 && read.calls.every(({ problem }) => problem === undefined);

/** Whether it was guessed where a string ends: then a marker in what looks like a string may well be data. */
const isGuess = (read: DialectRead): boolean =>
  read.ok && read.calls.some(({ repairs }) => repairs?.some(({ code }) => code === guessedEnd) ?? false);

function keep(block: Block, text: string): void {
  block.pieces.push(text);
  block.length += text.length;
}

/** The whole body up to a place in the newest text. Joined at most once for every attempt. */
function bodyUntil(block: Block, text: string, at: number): string {
  block.attempts += 1;
  block.looked += block.length;
  return block.pieces.join("") + text.slice(0, at);
}

type Ending = { length: number; body: string; read: DialectRead; next: "text" | "over" };

function finish(block: Block, { length, body, read, next }: Ending): Step {
  const calls = read.ok ? read.calls : [unreadable(block, body, read.problem)];
  return { length, events: [...display(block), ...calls.flatMap((call) => tellCall(block, call))], next };
}

function endBlock(block: Block, cutByLength: boolean): { events: ModelEvent[]; rest: string } {
  const body = block.pieces.join("");
  if (body.trim() === "" && block.id === undefined) return { events: [], rest: "" };
  if (cutByLength) return { events: tellCall(block, unreadable(block, body, cutOff)), rest: "" };
  const read = block.dialect.readBody(body, false);
  const { events } = finish(block, { length: 0, body, read, next: "text" });
  const rest = read.ok ? body.slice(read.end).trim() : "";
  // A closing tag that was misspelt is no text either.
  return { events, rest: /^(?:[`}\],;\s]|<\/?[\w|]*>?)*$/.test(rest) ? "" : rest };
}

const cutOff =
  "truncated: the answer ended at its length limit before the call was complete, so it was not run. Send it again in smaller parts.";

const unreadable = (block: Block, rawArguments: string, problem: string): ReadCall => ({
  name: block.watch.name ?? "unreadable_call",
  input: {},
  rawArguments,
  problem,
});

/** The first call of a block may already be on display; every other is told as a whole. */
function tellCall(block: Block, call: ReadCall): ModelEvent[] {
  const shown = block.id;
  block.id = undefined;
  const id = shown ?? block.newId();
  const start: ModelEvent[] = [
    { type: "call-start", id, name: call.name },
    { type: "call-delta", id, json: JSON.stringify(call.input) },
  ];
  const end: ModelEvent = { type: "call-end", call: { id, ...call, source: block.dialect.name } };
  return shown === undefined ? [...start, end] : [end];
}

function display(block: Block): ModelEvent[] {
  const { name } = block.watch;
  if (name === undefined || block.unseen.length === 0) return [];
  const json = block.unseen.join("");
  block.unseen = [];
  if (json === "") return [];
  const started: ModelEvent[] = [];
  if (block.id === undefined) {
    block.id = block.newId();
    started.push({ type: "call-start", id: block.id, name });
  }
  return [...started, { type: "call-delta", id: block.id, json }];
}
