/**
 * Where others may have a word in a turn: hooks, instruction files, language servers. The agent knows none of them;
 * what they say becomes facts and words here, so that a crash between two points loses nothing that was acted on.
 */

import type { JsonObject } from "../base/json.ts";
import type { Change } from "../base/safe-fs/image.ts";
import type { ChangedFile, Fact, FactOf, Outcome } from "../protocol/facts.ts";
import type { Part } from "../protocol/messages.ts";
import type { SessionState } from "../protocol/session-state.ts";
import type { Tool } from "../tools/tool.ts";

/** `facts` are stored before anything else comes of it. `veto`: why not, and who says so, in one line. */
export type Guarded = { facts: Fact[]; veto?: string };
/** `words`: what the model is told with the result, each with who says it. */
export type Said = { facts: Fact[]; words: string[] };

/**
 * A call whose arguments were understood: `input` has them as they run, whatever the model has called them. `paths`:
 * what it reads or changes, as far as they tell, relative to the workspace or absolute. `command`: the line that it runs.
 */
export type CallAbout = {
  callId: string;
  tool: string;
  title: string;
  input: JsonObject;
  paths: readonly string[];
  command?: string;
};
/** A call, and what it came to. */
export type ResultAbout = CallAbout & { outcome: Outcome; content: readonly Part[] };
/** Files that are to change, or have. `changes` can be read. */
export type ChangeAbout = {
  callId: string;
  tool: string;
  files: readonly ChangedFile[];
  changes: readonly Change[];
};

/** `heldBack`: how often it was to end before, and somebody found that it is not done. */
type TurnEnding = { stopped: string; text: string; heldBack: number };

/** Each may be absent: nobody listens there. None may throw but for the signal; each ends by itself. */
export interface Extensions {
  /** Whether somebody may refuse or change calls of this tool: such calls run alone. */
  guards?(tool: Tool): boolean;
  /**
   * Once the policy would let it run or ask, before anybody is asked. `input`: its arguments from here on, as a
   * `hook-ran` fact of the call among the facts says, too.
   */
  beforeCall?(call: CallAbout, signal: AbortSignal): Promise<Guarded & { input?: JsonObject }>;
  /** It has run; nobody has been told yet. */
  afterCall?(result: ResultAbout, signal: AbortSignal): Promise<Said>;
  /** Before a person is asked about the changes, and before they are made. */
  beforeChange?(change: ChangeAbout, signal: AbortSignal): Promise<Guarded>;
  /** They are made. */
  afterChange?(change: ChangeAbout, signal: AbortSignal): Promise<Said>;
  /** A person is asked now. Nobody waits for it. */
  asked?(question: FactOf<"approval-asked">): void;
  /** Before the model is asked: what has to be in the log first. Once it is there, it gives nothing. */
  beforeAsk?(state: SessionState, signal: AbortSignal): Promise<Fact[]>;
  /** Before the conversation is shortened. */
  beforeCompaction?(because: string, signal: AbortSignal): Promise<Fact[]>;
  /**
   * The turn is about to end; a veto of one that is done lets it go on, and the model is told why. Not of one that is
   * interrupted.
   */
  beforeEnd?(end: TurnEnding, signal: AbortSignal): Promise<Guarded>;
}

/** All of them, in order: the first veto counts, each sees the arguments as the one before has left them. */
export function together(all: readonly Extensions[]): Extensions {
  return {
    guards: (tool) => all.some((one) => one.guards?.(tool)),
    beforeCall: (call, signal) => callThrough(all, call, signal),
    afterCall: (result, signal) => saidBy(all.map((one) => () => one.afterCall?.(result, signal))),
    beforeChange: (change, signal) => untilVeto(all.map((one) => () => one.beforeChange?.(change, signal))),
    afterChange: (change, signal) => saidBy(all.map((one) => () => one.afterChange?.(change, signal))),
    asked: (question) => all.forEach((one) => one.asked?.(question)),
    beforeAsk: (state, signal) => factsOf(all.map((one) => () => one.beforeAsk?.(state, signal))),
    beforeCompaction: (because, signal) =>
      factsOf(all.map((one) => () => one.beforeCompaction?.(because, signal))),
    beforeEnd: (end, signal) => untilVeto(all.map((one) => () => one.beforeEnd?.(end, signal))),
  };
}

type Asked<T> = () => Promise<T> | undefined;

async function callThrough(
  all: readonly Extensions[],
  call: CallAbout,
  signal: AbortSignal,
): Promise<Guarded & { input?: JsonObject }> {
  const facts: Fact[] = [];
  let changed: JsonObject | undefined;
  for (const one of all) {
    const said = await one.beforeCall?.({ ...call, input: changed ?? call.input }, signal);
    facts.push(...(said?.facts ?? []));
    changed = said?.input ?? changed;
    if (said?.veto !== undefined) return { facts, veto: said.veto };
  }
  return { facts, ...(changed ? { input: changed } : {}) };
}

async function untilVeto(all: readonly Asked<Guarded>[]): Promise<Guarded> {
  const facts: Fact[] = [];
  for (const ask of all) {
    const said = await ask();
    facts.push(...(said?.facts ?? []));
    if (said?.veto !== undefined) return { facts, veto: said.veto };
  }
  return { facts };
}

async function saidBy(all: readonly Asked<Said>[]): Promise<Said> {
  const said: Said = { facts: [], words: [] };
  for (const ask of all) {
    const more = await ask();
    said.facts.push(...(more?.facts ?? []));
    said.words.push(...(more?.words ?? []));
  }
  return said;
}

async function factsOf(all: readonly Asked<Fact[]>[]): Promise<Fact[]> {
  const facts: Fact[] = [];
  for (const ask of all) facts.push(...((await ask()) ?? []));
  return facts;
}
