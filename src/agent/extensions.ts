/**
 * Extension points of a turn: hooks, instruction files, language servers. The agent knows none of them; what they say
 * is turned into facts and text here, so that a crash between two points loses nothing that was acted on.
 */

import type { JsonObject } from "../base/json.ts";
import type { Change } from "../base/safe-fs/image.ts";
import type { ChangedFile, Fact, FactOf, CallOutcome } from "../protocol/facts.ts";
import type { ContentPart } from "../protocol/messages.ts";
import type { SessionState } from "../protocol/session-state.ts";
import type { Tool } from "../tools/tool.ts";

/** `facts` are stored before anything else happens. `veto`: the reason and its author, in one line. @experimental */
export type GuardResult = { facts: Fact[]; veto?: string };
/** `words`: text for the model to read with the result, each with its author. @experimental */
export type ExtensionNotes = { facts: Fact[]; words: string[] };

/**
 * A call whose arguments were understood: `input` has them as they run, not by the model's aliases. `paths`: files it
 * reads or changes as far as its arguments show, relative to the workspace or absolute. `command`: the command line.
 * @experimental
 */
export type CallDescription = {
  callId: string;
  tool: string;
  title: string;
  input: JsonObject;
  paths: readonly string[];
  command?: string;
};
/** A call and its result. @experimental */
export type ResultDescription = CallDescription & { outcome: CallOutcome; content: readonly ContentPart[] };
/** Files that will change, or have changed. The contents of `changes` can be read. @experimental */
export type ChangeDescription = {
  callId: string;
  tool: string;
  files: readonly ChangedFile[];
  changes: readonly Change[];
};

/** `heldBack`: how often an extension has already kept the turn from ending. */
type TurnEnding = { stopped: string; text: string; heldBack: number };

/**
 * Every method is optional. None may throw except when the signal aborts; each enforces its own timeout. @experimental
 */
export interface Extensions {
  /** Whether nothing that it does around calls and changes can change a file: then commands may run before their turn. */
  onlyLooks?(): boolean;
  /** Whether an extension may refuse or change calls of this tool: such calls run alone. */
  guards?(tool: Tool): boolean;
  /**
   * Called if the policy would allow the call or ask, before a person is asked. `input`: the arguments from here on;
   * the call's `hook-ran` fact in `facts` records the same.
   */
  beforeCall?(call: CallDescription, signal: AbortSignal): Promise<GuardResult & { input?: JsonObject }>;
  /** The call has run; its result is not recorded yet. */
  afterCall?(result: ResultDescription, signal: AbortSignal): Promise<ExtensionNotes>;
  /** Called before a person is asked about the changes, and before they are made. */
  beforeChange?(change: ChangeDescription, signal: AbortSignal): Promise<GuardResult>;
  /** Called when the changes are made. */
  afterChange?(change: ChangeDescription, signal: AbortSignal): Promise<ExtensionNotes>;
  /** Called when a person is asked. Not awaited. */
  asked?(question: FactOf<"approval-asked">): void;
  /** Called before the model is asked: facts the log must have first. Returns none once they are there. */
  beforeAsk?(state: SessionState, signal: AbortSignal): Promise<Fact[]>;
  /** Before the conversation is shortened. */
  beforeCompaction?(because: string, signal: AbortSignal): Promise<Fact[]>;
  /**
   * Called before the turn ends, unless it was interrupted; vetoing the end of a turn that is done makes it continue,
   * and the model is told why.
   */
  beforeEnd?(end: TurnEnding, signal: AbortSignal): Promise<GuardResult>;
}

/** Combines extensions, in order: the first veto counts, and each sees the arguments as the previous one left them. */
export function together(all: readonly Extensions[]): Extensions {
  return {
    onlyLooks: () => all.every(changesNothing),
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

/** Whether no file can have been changed by what extensions did between two calls. */
export const changesNothing = (one: Extensions): boolean =>
  one.onlyLooks?.() ?? !(one.beforeCall || one.afterCall || one.beforeChange || one.afterChange);

type ExtensionQuestion<T> = () => Promise<T> | undefined;

async function callThrough(
  all: readonly Extensions[],
  call: CallDescription,
  signal: AbortSignal,
): Promise<GuardResult & { input?: JsonObject }> {
  const facts: Fact[] = [];
  let changed: JsonObject | undefined;
  for (const one of all) {
    const said = await one.beforeCall?.({ ...call, input: changed ?? call.input }, signal);
    facts.push(...(said?.facts ?? []));
    changed = said?.input ?? changed;
    if (said?.veto !== undefined) return { facts, veto: said.veto };
  }
  return { facts, input: changed };
}

/** Asks one after the other, until one has something against it. */
export async function untilVeto(all: readonly ExtensionQuestion<GuardResult>[]): Promise<GuardResult> {
  const facts: Fact[] = [];
  for (const ask of all) {
    const said = await ask();
    facts.push(...(said?.facts ?? []));
    if (said?.veto !== undefined) return { facts, veto: said.veto };
  }
  return { facts };
}

async function saidBy(all: readonly ExtensionQuestion<ExtensionNotes>[]): Promise<ExtensionNotes> {
  const said: ExtensionNotes = { facts: [], words: [] };
  for (const ask of all) {
    const more = await ask();
    said.facts.push(...(more?.facts ?? []));
    said.words.push(...(more?.words ?? []));
  }
  return said;
}

async function factsOf(all: readonly ExtensionQuestion<Fact[]>[]): Promise<Fact[]> {
  const facts: Fact[] = [];
  for (const ask of all) facts.push(...((await ask()) ?? []));
  return facts;
}
