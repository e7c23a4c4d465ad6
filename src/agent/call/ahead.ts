/**
 * Commands that run before their turn, each over an overlay of its own. Nobody sees anything of one before its turn. Then
 * it stands if it cannot have seen what calls before it have changed since it began; otherwise it is dropped, and runs.
 */

import type { CallState } from "../../protocol/session-state.ts";
import { mayHaveSeen, mayMeet, type FilesOfLine } from "../../safety/named-files.ts";
import type { Contain, ToolResult } from "../../tools/tool.ts";
import { changesNothing } from "../extensions.ts";
import type { DecidedCall } from "./decide.ts";
import { type EarlyWork, produce } from "./produce.ts";
import { type AheadRun, startsEarly, whyNotStarted } from "./step.ts";
import { isStaged } from "./understand.ts";

/** The calls before one that were queued or running when it came, with the files that each names. */
type CallsBefore = ReadonlyMap<string, FilesOfLine | undefined>;

/** Starts the command if it may run now; it waits for its turn if there is any doubt. */
export function withAhead(decided: DecidedCall, before: CallsBefore): DecidedCall {
  const { job } = decided;
  const { named } = job;
  if (!named || !isHeld(decided)) return decided;
  if ([...before.values()].some((other) => other && mayMeet(named, other))) return decided;
  return { ...decided, job: { ...job, ahead: start(decided, named, [...before.keys()]) } };
}

/** Nothing but its overlay can be touched by it, and nobody has to answer first. */
function isHeld({ job, isAsked, plan, sandbox }: DecidedCall): boolean {
  const { prepared, does, step } = job;
  const isCommand = does === "execute" && prepared.command !== undefined && !prepared.lasting;
  const isOpen = isAsked || sandbox?.trial !== undefined || isStaged(job, step.context) || plan !== undefined;
  return isCommand && !job.typed && !isOpen && isOverlaid(sandbox) && changesNothing(step.context.extensions);
}

/** The profile lets it change nothing else, and its changes come back as facts. */
const isOverlaid = (sandbox: DecidedCall["sandbox"]): boolean =>
  sandbox?.isOn === true &&
  sandbox.profile === "build" &&
  sandbox.undo === "workspace" &&
  !sandbox.outside?.length;

function start({ job, sandbox }: DecidedCall, named: FilesOfLine, before: readonly string[]): AheadRun {
  const { step } = job;
  const { context } = step;
  const dropping = new AbortController();
  const signal = AbortSignal.any([context.signal, dropping.signal]);
  const turn = Promise.withResolvers<boolean>();
  const printed = openPrinted();
  let began: number | undefined;
  let isTaken = false;
  const run = async (): Promise<ToolResult> => {
    if (!startsEarly(job)) await step.answerOver;
    const leave = await step.turnstile.placesAhead.take(signal);
    try {
      if (whyNotStarted(job) !== undefined) dropping.abort();
      signal.throwIfAborted();
      began = context.now();
      const contain = (inner: Contain): Contain => untilTurn(inner, turn.promise);
      return await produce(job, { sandbox, early: { signal, output: printed.output, contain } });
    } finally {
      leave();
    }
  };
  const running = run();
  running.catch(() => undefined); // whoever takes it hears of it
  return {
    comeDue() {
      if (began === undefined) return undefined;
      const ms = context.now() - began;
      const stands = !isStaged(job, context) && !haveMet(named, before, context.log.state.calls);
      return stands ? { ms } : { ms, lost: true };
    },
    take() {
      isTaken = true;
      printed.release();
      turn.resolve(true);
      return running;
    },
    async drop() {
      if (isTaken) return;
      dropping.abort();
      turn.resolve(false);
      if (began !== undefined) await running.catch(() => undefined);
    },
  };
}

/** The command ends when it ends; what it changed is looked at only when its turn has come. */
const untilTurn =
  (contain: Contain, turn: Promise<boolean>): Contain =>
  async (request) => {
    const contained = await contain(request);
    if (!contained.ok) return contained;
    const { finished, drop } = contained.value;
    const later: typeof finished = async () => {
      if (await turn) return finished();
      await drop?.();
      throw new Error("Its run was dropped.");
    };
    return { ok: true, value: { ...contained.value, finished: later } };
  };

/** Characters that are kept of what it prints until its turn; the result has all. */
const mostPrinted = 2 ** 18;

function openPrinted(): { output: EarlyWork["output"]; release: () => void } {
  let held: string[] | undefined = [];
  let length = 0;
  let say: ((words: string) => void) | undefined;
  return {
    output(words, tell) {
      say = tell;
      if (!held) return tell(words);
      length += words.length;
      if (length <= mostPrinted) held.push(words);
    },
    release() {
      const words = held?.join("") ?? "";
      held = undefined;
      if (words !== "") say?.(words);
    },
  };
}

/** Whether one of the calls has changed something that may have been seen, or more than its facts tell. */
const haveMet = (
  named: FilesOfLine,
  before: readonly string[],
  calls: ReadonlyMap<string, CallState>,
): boolean =>
  before.some((id) => {
    const paths = changedBy(calls.get(id));
    return !paths || paths.some((path) => mayHaveSeen(named, path));
  });

/** The paths that a call has changed; undefined if there may be others. */
function changedBy(known: CallState | undefined): string[] | undefined {
  const { start: begun, applied, decision } = known ?? {};
  if (!begun || begun.does === "read") return [];
  const sandbox = decision?.sandbox;
  const isRead = begun.does === "execute" && sandbox?.isOn === true && sandbox.profile === "read";
  if (isRead) return [];
  const isTold = begun.does === "change" || (begun.does === "execute" && isOverlaid(sandbox));
  return isTold && !applied?.uncovered?.length ? (applied?.changes ?? []).map(({ path }) => path) : undefined;
}
