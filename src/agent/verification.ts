/** What verified a turn's changes: the checks that succeeded after the last one; or what could have. */

import { isDeepStrictEqual } from "node:util";
import type { ChangedFile, FactOf } from "../protocol/facts.ts";
import { statusOf, trailsOf } from "../protocol/fold-changes.ts";
import { textOf } from "../protocol/messages.ts";
import type { CallState, SessionState, TurnState } from "../protocol/session-state.ts";
import { findTool } from "../tools/index.ts";
import type { TurnContext } from "./turn-context.ts";

type Verification = Pick<FactOf<"turn-end">, "changed" | "verified" | "check">;

/** `check`: the command that would check the project, if something was changed and nothing has. */
export async function verificationOf(turn: TurnState, context: TurnContext): Promise<Verification> {
  const { state } = context.log;
  const changed = changedBy(state, turn);
  const verified: string[] = [];
  if (changed.length === 0) return { changed, verified };
  for (const known of succeededCalls(callsOf(state, turn), turn))
    if (!lookedAtNothing(known) && (await isCheck(known, context))) verified.push(known.call.id);
  const check = verified.length === 0 ? await context.usualCheck?.() : undefined;
  return { changed, verified, check };
}

export function callsOf({ calls }: SessionState, turn: TurnState): CallState[] {
  return turn.callIds.flatMap((id) => calls.get(id) ?? []);
}

/** Files that differ from before the turn; changes undone since, by the turn or by a person, do not count. */
function changedBy({ changes }: SessionState, turn: TurnState): string[] {
  const standing = trailsOf(changes, turn.turn).filter((trail) => statusOf(trail) !== "undone");
  const paths = new Set(standing.map(({ path }) => path));
  const made = turn.changes.filter(isNoDirectory).map(({ path }) => path);
  return [...new Set(made)].filter((path) => paths.has(path));
}

const isNoDirectory = ({ was, is }: ChangedFile): boolean => (is ?? was)?.kind !== "directory";

/** Other commands say nothing of the change, nor do calls without one, such as those of tool servers. */
async function isCheck({ call, rewritten, answered }: CallState, context: TurnContext): Promise<boolean> {
  const tool = findTool(context.tools, call.name);
  const prepared = tool.ok ? tool.value.prepare(rewritten ?? call.input) : undefined;
  if (!prepared?.ok || prepared.value.typesInto !== undefined) return false;
  const command = answered?.command ?? prepared.value.command;
  if (command === undefined) return false;
  if (prepared.value.checks === true && answered?.command === undefined) return true;
  const checks = await import("../safety/checks.ts");
  const { workspace, home, programs: own } = context;
  return checks.isCheck(command, { workspace, home, directory: workspace, own });
}

/** It ran no test, or found everything up to date: its success says nothing. */
function lookedAtNothing({ result }: CallState): boolean {
  const said = textOf(result?.content ?? []);
  return nothing.test(said) && !something.test(said);
}

const nothing =
  /\bno tests? (?:files? )?(?:ran|run|found|collected|were|to run)|\[no test files\]|\bcollected 0 items|\b(?:ran|running|found) 0 tests?\b|\b0 (?:tests?|specs?|examples|passing|passed)\b|^[#ℹ] tests 0$|nothing to be done|is up to date|no work to do/imu;
const something =
  /\b[1-9][\d,]* (?:tests?|specs?|examples|passing|passed)\b|^[#ℹ] tests [1-9]|\btests:? +[1-9]|^ok\s+\S+\s+[\d.(]/imu;

/**
 * Commands that succeeded after the last complete or partial change: exclusive calls run in call order. A test that
 * writes a report has verified the state before it; a formatter changes that state.
 */
function succeededCalls(calls: readonly CallState[], { takenBackAt = 0 }: TurnState): CallState[] {
  const changed = new Set<string>();
  let verified: CallState[] = [];
  for (const known of calls) {
    const paths = pathsOf(known);
    const isCheck = hasSucceeded(known) && !onlyDeletes(known) && (known.resultAt ?? 0) > takenBackAt;
    const leavesAlone = paths.every((path) => !changed.has(path));
    // A check that fails now no longer counts, even if it succeeded before.
    if (known.start?.does === "execute") verified = verified.filter((check) => !isSameCheck(check, known));
    if (isCheck && leavesAlone && (paths.length === 0 || changed.size > 0)) verified.push(known);
    else if (paths.length > 0) verified = [];
    for (const path of paths) changed.add(path);
  }
  return verified;
}

const onlyDeletes = ({ applied }: CallState): boolean =>
  applied !== undefined && applied.changes.length > 0 && applied.changes.every(({ after }) => after === null);

const isSameCall = ({ call: one }: CallState, { call: other }: CallState): boolean =>
  one.name === other.name && isDeepStrictEqual(one.input, other.input);

/** If a person replaced the command, it is a different check. */
const isSameCheck = (one: CallState, other: CallState): boolean =>
  isSameCall(one, other) && one.answered?.command === other.answered?.command;

/** A command still running in a terminal, or typed into its shell, has no known outcome. */
function hasSucceeded({ start, result }: CallState): boolean {
  const { terminal, state } = result?.metadata ?? {};
  return (
    start?.does === "execute" && result?.outcome === "ok" && (terminal === undefined || state === "ended")
  );
}

/** Paths a call changed, or may have changed before it was cut off. */
function pathsOf({ applied, start, result }: CallState): string[] {
  const intended = result?.outcome === "interrupted" ? (start?.changes ?? []) : [];
  return [...intended, ...(applied?.changes ?? [])].map(({ path }) => path);
}
