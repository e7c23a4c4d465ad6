/** Obtains diagnostics from a server, by request or by waiting until it has pushed them. */

import { setTimeout as sleep } from "node:timers/promises";
import { inTime } from "../../base/async.ts";
import { isObject } from "../../base/json.ts";
import { problemsIn } from "./problems.ts";
import type { RunningServer } from "./running-server.ts";
import { pathOf, uriOf } from "./uris.ts";

/** `isAnswered`: whether the server was sent something that it will answer with diagnostics; true by default. */
type CheckPlace = { workspace: string; signal: AbortSignal; isAnswered?: boolean };

/** Whether the diagnostics of these files are known for the content last sent. Ends no later than the signal. */
export async function check(
  server: RunningServer,
  paths: readonly string[],
  place: CheckPlace,
): Promise<boolean> {
  const shown = paths.filter((path) => server.documents.get(path) !== undefined);
  return server.can.answersProblems ? answeredAll(server, shown, place) : sentAll(server, shown, place);
}

/** Pulls until the server is idle and has not withdrawn its answers meanwhile. */
async function answeredAll(
  server: RunningServer,
  paths: readonly string[],
  place: CheckPlace,
): Promise<boolean> {
  for (let tries = 0; tries < mostTries && !place.signal.aborted; tries++) {
    const recalls = server.recalls();
    const answered = await Promise.all(paths.map((path) => askFor(server, path, place)));
    // Some servers also push the findings of a slower check.
    if (server.work.wasAny) await quiet(server, place.signal, () => server.work.isUnderWay());
    if (!answered.every(Boolean) || server.work.isUnderWay()) return false;
    if (server.recalls() === recalls) return true;
  }
  return false;
}

/** A server may cancel a request because of a change, or withdraw its answers: then we ask again, this often. */
const mostTries = 5;
const overtaken = [-32_802, -32_801];

/** Waits while the server is busy with the project, until the signal aborts. */
export async function untilIdle(server: RunningServer, signal: AbortSignal): Promise<void> {
  if (server.work.isUnderWay()) await quiet(server, signal, () => server.work.isUnderWay());
}

async function askFor(
  server: RunningServer,
  path: string,
  { workspace, signal }: CheckPlace,
): Promise<boolean> {
  const parameters = { textDocument: { uri: uriOf(workspace, path) } };
  for (let tries = 0; tries < mostTries && !signal.aborted; tries++) {
    try {
      const report = await server.conversation.request("textDocument/diagnostic", parameters, signal);
      if (isObject(report) && report["kind"] === "full")
        server.problems.answered(path, problemsIn(report["items"]));
      return true;
    } catch (error) {
      if (!isObject(error) || !overtaken.includes(Number(error["code"]))) return false;
      await pause(100, signal);
    }
  }
  return false;
}

/** For servers that push: waits for diagnostics of the current content, followed by a quiet period. */
async function sentAll(server: RunningServer, paths: readonly string[], place: CheckPlace): Promise<boolean> {
  const { isAnswered = true, signal } = place;
  const clean = await cleanOf(server, paths, place);
  const isKnown = (path: string): boolean => clean?.(path) ?? isSent(server, path);
  const waits = (): boolean => server.work.isUnderWay() || !paths.every(isKnown);
  const wasHeard = await quiet(server, signal, waits, isAnswered ? quietMs : longQuietMs);
  return wasHeard && !waits();
}

/**
 * For servers that push nothing for clean files: a test whether a file is known to be clean, or was reported on since
 * the last change.
 */
async function cleanOf(
  server: RunningServer,
  paths: readonly string[],
  place: CheckPlace,
): Promise<((path: string) => boolean) | undefined> {
  const { asks, documents, problems } = server;
  if (!asks) return undefined;
  const since = Math.max(0, ...documents.paths().map((path) => documents.get(path)?.since ?? 0));
  const answers = await Promise.all(paths.map((path) => findsNothing(server, path, { asks, ...place })));
  const clean = new Set(paths.filter((_path, at) => answers[at]));
  return (path) =>
    (clean.has(path) && problems.of(path).length === 0) || (problems.lastSent(path)?.order ?? 0) > since;
}

type Asking = CheckPlace & { asks: NonNullable<RunningServer["asks"]> };

async function findsNothing(
  { conversation }: RunningServer,
  path: string,
  { asks, workspace, signal }: Asking,
): Promise<boolean> {
  try {
    for (const first of asks.each) {
      const parameters = { command: asks.command, arguments: [first, { file: uriOf(workspace, path) }] };
      const answer = await conversation.request("workspace/executeCommand", parameters, signal);
      const found = isObject(answer) ? answer["body"] : undefined;
      if (!Array.isArray(found) || found.length > 0) return false;
    }
    return true;
  } catch {
    return false; // waits for pushed diagnostics instead
  }
}

function isSent({ documents, problems }: RunningServer, path: string): boolean {
  const shown = documents.get(path);
  const sent = problems.lastSent(path);
  if (!shown) return true;
  if (!sent) return false;
  return sent.version === undefined ? sent.order > shown.since : sent.version >= shown.version;
}

/** Diagnostics for one edit arrive in quick succession. */
const quietMs = 200;
/** If only files that the server does not have open have changed, it may push nothing at all. */
const longQuietMs = 1000;

/** Waits while `waits` holds, then until the server is quiet for `ms`; false if aborted. */
async function quiet(
  server: RunningServer,
  signal: AbortSignal,
  waits: () => boolean,
  ms = quietMs,
): Promise<boolean> {
  while (!server.conversation.isOver() && !signal.aborted) {
    const isWaiting = waits();
    const heard = server.next().then(() => true);
    const isHeard = await inTime(heard, { ms: isWaiting ? undefined : ms, signal });
    if (!isHeard && !isWaiting && !signal.aborted) return true;
  }
  return false;
}

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  sleep(ms, undefined, { signal }).catch(() => undefined);

/** Pulls the diagnostics of the whole workspace, if supported; without an answer in time, nothing is added. */
export async function checkAll(server: RunningServer, { workspace, signal }: CheckPlace): Promise<boolean> {
  if (!server.can.answersAllProblems) return false;
  try {
    const parameters = { previousResultIds: [] };
    const report = await server.conversation.request("workspace/diagnostic", parameters, signal);
    const items = isObject(report) && Array.isArray(report["items"]) ? report["items"] : [];
    for (const item of items) {
      const path = isObject(item) ? pathOf(workspace, item["uri"]) : undefined;
      if (path !== undefined && item["kind"] === "full")
        server.problems.answered(path, problemsIn(item["items"]));
    }
    return true;
  } catch {
    return false;
  }
}
