/** Runs a subagent: the child session of a delegating call, from opening to result, however it ends. */

import { inTime } from "../../base/async.ts";
import { minutes } from "../../base/bound.ts";
import { type Expected, errorMessage, refuse } from "../../base/expected.ts";
import type { Command } from "../../protocol/commands.ts";
import type { Entry, FactOf, Signal } from "../../protocol/facts.ts";
import { currentTurn } from "../../protocol/session-state.ts";
import { nameFrom } from "../../session/store-rules.ts";
import { type Delegate, type Delegation, failedResult, type ToolResult } from "../../tools/tool.ts";
import type { LiveSession } from "../live-session.ts";
import { openSession, type SessionSelection } from "../open-session.ts";
import type { ParentContext, SessionSetup } from "../session-setup.ts";
import { subagentBounds } from "./bounds.ts";
import { changesOf } from "./changes.ts";
import type { ChildrenPlaces } from "./places.ts";
import { type ChildEnd, producedOf } from "./result.ts";
import { type ChildPlan, modeOf, planChild } from "./setup.ts";
import { dropUnbegun } from "./unbegun.ts";

/** Wait for a subagent that was told to stop, in milliseconds. */
const subagentEndingMs = 3_000;
/** Part of a long time limit reserved for the parent, in milliseconds. */
const keptMostMs = 2 * minutes;

export type ChildrenContext = {
  /** The parent's setup. */
  setup: SessionSetup;
  /** Opens a session with its own setup. Default: opens it directly. */
  open?: (which: SessionSelection, own: SessionSetup) => Promise<Expected<LiveSession>>;
  /** Called with each child once open, so that a surface can follow it. */
  opened?: (child: LiveSession) => void;
  /** Time limit of a child, and of waiting for its end, in milliseconds; replaced in tests. */
  timeMs?: number;
  endingMs?: number;
  /** Calls `late` after `ms` unless cancelled through the returned function; replaced in tests. */
  timer?: (late: () => void, ms: number) => () => void;
};

export type ChildJob = {
  parent: ParentContext;
  callId: string;
  places: ChildrenPlaces;
  delegation: Delegation;
  how: Parameters<Delegate>[1];
};

/** Rejects only if the call is interrupted before the child has begun, or the parent's log fails. */
export async function delegateTo(job: ChildJob, context: ChildrenContext): Promise<ToolResult> {
  if (job.how.signal.aborted) return leftBy(job, context);
  const leave = await job.places.take(job.how.signal);
  try {
    const time = timeFor(job.parent, context);
    if (time.ms <= 0) return failedResult(noTime);
    const until = performance.now() + time.ms;
    const begun = await inTime(beginChild(job, { context, until }), { ms: time.ms, signal: job.how.signal });
    if (!begun) {
      job.how.signal.throwIfAborted();
      return { ...failedResult(tooLate), outcome: "timeout" };
    }
    if (!begun.ok) return failedResult(begun.problem);
    const { child, plan } = begun.value;
    const rest = { ...time, ms: until - performance.now() };
    return await workOf(child, { ...job, plan, time: rest }, context);
  } finally {
    leave();
  }
}

const noTime =
  "There is no time left for a subagent in this request: what there is, is for its end. Answer with what you have, and say what is left open.";

/** A call cut off by a crash is not continued, but its child's changes still count as the parent's. */
async function leftBy({ parent, callId, how }: ChildJob, context: ChildrenContext): Promise<ToolResult> {
  const { addons: _, closed: __, delegate: ___, ...rest } = context.setup;
  const opened = await openAgain({ parent, callId }, { ...rest, interactive: false }, context);
  if (!opened?.ok) throw how.signal.reason;
  const { value: child } = opened;
  try {
    if (child.state.status === "running")
      await inTime(stop(child), { ms: context.endingMs ?? subagentEndingMs });
    const changed = await changesOf(child, context.setup);
    if (!parent.log.state.calls.get(callId)?.ended?.includes(child.id))
      await parent.log.append(endFact(child, callId, "cancelled"));
    return { ...failedResult("The subagent was not gone on with."), ...changed, made: true };
  } finally {
    await child.close();
  }
}

type StartedChild = { child: LiveSession; plan: ChildPlan };

const tooLate = "The subagent could not begin in time: its model or its session did not open.";

/** If the call was aborted or timed out meanwhile, the child is never announced. */
async function beginChild(
  job: ChildJob,
  { context, until }: { context: ChildrenContext; until: number },
): Promise<Expected<StartedChild>> {
  const isLate = (): boolean => job.how.signal.aborted || performance.now() >= until;
  const plan = await planChild(job.parent, job.delegation, context.setup);
  if (!plan.ok) return plan;
  if (isLate()) return refuse(tooLate);
  const opened = await openChild(job, plan.value, context);
  if (!opened.ok) return opened;
  const { child, isNew } = opened.value;
  try {
    if (isLate()) throw new Error(tooLate);
    context.opened?.(child);
    if (isNew) await introduce(child, job, plan.value);
    return { ok: true, value: { child, plan: plan.value } };
  } catch (error) {
    await child.close();
    if (isNew) await dropUnbegun(child.id, job.parent.log.state, context.setup.store);
    throw error;
  }
}

/** `isParents`: the limit is this short because the parent needs the remaining time. */
type ChildTime = { ms: number; isParents: boolean };

/** The lesser of a subagent's own time limit and what the parent's request has left, less a reserve. */
function timeFor(
  { log }: ParentContext,
  { setup, timeMs = subagentBounds.time.most }: ChildrenContext,
): ChildTime {
  const turn = currentTurn(log.state);
  const most = turn?.raised.get("time") ?? setup.limits?.maxMs;
  if (!turn || most === undefined) return { ms: timeMs, isParents: false };
  const used = (setup.now ?? Date.now)() - turn.startedAt - turn.waitedMs;
  const left = most - keptOf(most) - used;
  return left < timeMs ? { ms: left, isParents: true } : { ms: timeMs, isParents: false };
}

/** The reserve: how much of its request's time the parent retains to finish properly. */
function keptOf(most: number): number {
  const { keptLeast } = subagentBounds;
  return Math.min(most / 2, keptMostMs, Math.max(keptLeast.most, most / 4));
}

/** Reopens the child of a call that a crash cut off, so that the repeated call continues its session. */
async function openChild(
  { parent, callId }: ChildJob,
  { setup }: ChildPlan,
  context: ChildrenContext,
): Promise<Expected<{ child: LiveSession; isNew: boolean }>> {
  const again = await openAgain({ parent, callId }, setup, context);
  if (again?.ok) return { ok: true, value: { child: again.value, isNew: false } };
  const { open = openAlone } = context;
  const made = await open({ parent: { session: parent.log.state.session, callId } }, setup);
  return made.ok ? { ok: true, value: { child: made.value, isNew: true } } : made;
}

const openAlone: NonNullable<ChildrenContext["open"]> = (which, own) => openSession(own, which);

/** Undefined if the call had no child; the children of a forked session belong to the original. */
async function openAgain(
  { parent, callId }: Pick<ChildJob, "parent" | "callId">,
  setup: SessionSetup,
  { open = openAlone }: ChildrenContext,
): Promise<Expected<LiveSession> | undefined> {
  const { state } = parent.log;
  const last = state.calls.get(callId)?.children?.at(-1);
  const isOurs = last !== undefined && (await setup.store.get(last))?.parent === state.session;
  return isOurs ? open({ resume: last }, setup) : undefined;
}

/** Announces the child to its followers and to the parent's. */
async function introduce(
  { id, log }: LiveSession,
  { parent, callId, delegation: { task } }: ChildJob,
  { agent, found }: ChildPlan,
): Promise<void> {
  await log.append({ type: "session-renamed", title: nameFrom(task) });
  if (found.length > 0) await log.append({ type: "tools-found", names: [...found] });
  const named = agent ? { agent: agent.name } : {};
  await parent.log.append({ type: "child-started", callId, session: id, ...named, task });
}

type ChildWork = ChildJob & { plan: ChildPlan; time: ChildTime };

/** Records what the child used before its result. */
async function workOf(child: LiveSession, work: ChildWork, context: ChildrenContext): Promise<ToolResult> {
  const { endingMs = subagentEndingMs } = context;
  const { parent, callId, places, how } = work;
  const done = places.count(() => child.state);
  const leave = child.log.listen((event) => showOn(how, event));
  const leaveParent = followSettings(child, parent);
  try {
    const end = await endOf(child, work, context);
    if (child.state.status === "running") await inTime(stop(child), { ms: endingMs });
    const produced = await producedOf(child, { end, plan: work.plan }, context.setup);
    done();
    if (!parent.log.state.calls.get(callId)?.ended?.includes(child.id))
      await parent.log.append(endFact(child, callId, outcomeOf(end, produced)));
    return produced;
  } finally {
    done();
    leave();
    leaveParent();
    const closing = child.close().catch(() => undefined);
    if (!child.isWorking) await inTime(closing, { ms: endingMs }); // do not wait for work that never ends
  }
}

/** What a person sets for the parent also applies to the running child, as far as its own model can follow. */
function followSettings(child: LiveSession, { log }: ParentContext): () => void {
  const set = (command: Command): void => void child.command(command).catch(() => undefined); // its log failed, which ends it
  const follow = (): void => {
    const { mode, reasoning = child.reasoning } = log.state;
    set({ type: "set-mode", mode: modeOf(mode), by: "user" });
    set({ type: "set-reasoning", reasoning, by: "user" });
  };
  follow();
  return log.listen(({ type }) => (type === "mode-set" || type === "reasoning-set") && follow());
}

const stop = (child: LiveSession): Promise<unknown> =>
  child.command({ type: "interrupt", because: "its task was ended" }).catch(() => undefined);

const outcomeOf = (end: ChildEnd, { outcome }: ToolResult): FactOf<"child-ended">["outcome"] =>
  end.why === "interrupted" ? "cancelled" : outcome;

function endFact(
  { id, state }: LiveSession,
  callId: string,
  outcome: FactOf<"child-ended">["outcome"],
): FactOf<"child-ended"> {
  const { usage, cost, unpriced } = state;
  const priced = cost > 0 ? { cost } : {};
  const unknown = unpriced > 0 ? { unpriced } : {};
  return { type: "child-ended", callId, session: id, outcome, usage: { ...usage }, ...priced, ...unknown };
}

/** Resolves when the child's turn is over or it must stop, whichever comes first. */
async function endOf(
  child: LiveSession,
  work: ChildWork,
  { setup, timer = usualTimer }: ChildrenContext,
): Promise<ChildEnd> {
  const { parent, places, how, time } = work;
  const ended = Promise.withResolvers<ChildEnd>();
  const inTime = timer(() => ended.resolve({ why: "time", ...time }), time.ms);
  const interrupted = (): void => ended.resolve({ why: "interrupted" });
  how.signal.addEventListener("abort", interrupted, { once: true });
  if (how.signal.aborted) interrupted();
  const leave = child.log.listen(({ type }) => {
    const limit = type === "answer-end" ? budgetReached({ parent, places }, setup) : undefined;
    if (limit !== undefined) ended.resolve({ why: "budget", limit });
  });
  begin(child, work).then(ended.resolve, (error: unknown) =>
    ended.resolve({ why: "broken", problem: errorMessage(error) }),
  );
  try {
    return await ended.promise;
  } finally {
    inTime();
    leave();
    how.signal.removeEventListener("abort", interrupted);
  }
}

function usualTimer(late: () => void, ms: number): () => void {
  const timer = setTimeout(late, ms);
  return () => clearTimeout(timer);
}

async function begin(child: LiveSession, { delegation }: ChildWork): Promise<ChildEnd> {
  const begun = await beginIn(child, delegation);
  if (!begun.ok) return { why: "broken", problem: begun.problem };
  await child.idle();
  return { why: "over" };
}

/** A child cut off by a crash resumes; a finished one stays finished. */
async function beginIn(child: LiveSession, { task, context = "" }: Delegation) {
  if (child.state.status === "running") return child.command({ type: "go-on" });
  if (child.state.turns.length > 0) return { ok: true as const };
  const text = context.trim() === "" ? task : `${task}\n\n# What you have to know\n\n${context}`;
  return child.command({ type: "send", content: [{ type: "text", text }] });
}

/** Which limit of the parent's turn the parent and its subagents have reached together. */
function budgetReached(
  { parent, places }: Pick<ChildWork, "parent" | "places">,
  { limits = {} }: SessionSetup,
): "cost" | "tokens" | undefined {
  const turn = currentTurn(parent.log.state);
  if (!turn) return undefined;
  const used = places.used();
  const most = (limit: "cost" | "tokens", set: number | undefined): number =>
    turn.raised.get(limit) ?? set ?? Number.POSITIVE_INFINITY;
  if (turn.cost + used.cost >= most("cost", limits.maxCost)) return "cost";
  const { inputTokens, outputTokens } = turn.usage;
  return inputTokens + outputTokens + used.tokens >= most("tokens", limits.maxTokens) ? "tokens" : undefined;
}

/** Shows the child's progress, one line per event. */
function showOn(how: ChildWork["how"], event: Entry | Signal): void {
  if (event.type === "call-start") how.output(`${event.title}\n`);
  if (event.type === "result" && event.outcome !== "ok") how.output(`  (${event.outcome})\n`);
  if (event.type === "text") how.output(`${event.text.trimEnd()}\n`);
  if (event.type === "retrying") how.output(`  (tries again: ${event.because})\n`);
}
