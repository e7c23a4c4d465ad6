/** Asking a server for the problems of files, or waiting until it has sent them. */

import { setTimeout as sleep } from "node:timers/promises";
import { isObject } from "../../base/json.ts";
import { problemsIn } from "./problems.ts";
import type { RunningServer } from "./running-server.ts";
import { pathOf, uriOf } from "./uris.ts";

/** `isAnswered`: whether a server was told of something of which it will say something; true by default. */
type CheckPlace = { workspace: string; signal: AbortSignal; isAnswered?: boolean };

/**
 * Whether the problems of these files, as the server was told them, are known now. Ends with the signal at the latest.
 */
export async function check(
  server: RunningServer,
  paths: readonly string[],
  place: CheckPlace,
): Promise<boolean> {
  const shown = paths.filter((path) => server.documents.get(path) !== undefined);
  return server.can.answersProblems ? answeredAll(server, shown, place) : sentAll(server, shown, place);
}

/** Once it has nothing more to do, and still says the same. */
async function answeredAll(
  server: RunningServer,
  paths: readonly string[],
  place: CheckPlace,
): Promise<boolean> {
  for (let tries = 0; tries < mostTries && !place.signal.aborted; tries++) {
    const recalls = server.recalls();
    const answered = await Promise.all(paths.map((path) => askFor(server, path, place)));
    // Some send besides what a slower check of theirs has found.
    if (server.hasWorked()) await quiet(server, place.signal, () => server.isBusy());
    if (!answered.every(Boolean) || server.isBusy()) return false;
    if (server.recalls() === recalls) return true;
  }
  return false;
}

/** A server may say that it was overtaken by a change, or take back what it has said: then it is asked again. */
const mostTries = 5;
const overtaken = [-32_802, -32_801];

/** Waits while it looks at the project, as long as the signal lets it; at once, if it does not. */
export async function untilIdle(server: RunningServer, signal: AbortSignal): Promise<void> {
  if (server.isBusy()) await quiet(server, signal, () => server.isBusy());
}

async function askFor(
  server: RunningServer,
  path: string,
  { workspace, signal }: CheckPlace,
): Promise<boolean> {
  const parameters = { textDocument: { uri: uriOf(workspace, path) } };
  for (let tries = 0; tries < mostTries && !signal.aborted; tries++) {
    try {
      const report = await server.conversation.request("textDocument/diagnostic", parameters, {
        ms: longest,
        signal,
      });
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

/** The caller's signal ends it before. */
const longest = 60_000;

/** Of a server that sends problems by itself: once for the text that it has now, and no more for a moment. */
async function sentAll(server: RunningServer, paths: readonly string[], place: CheckPlace): Promise<boolean> {
  const { isAnswered = true, signal } = place;
  const clean = await cleanOf(server, paths, place);
  const isKnown = (path: string): boolean => clean?.(path) ?? isSent(server, path);
  const waits = (): boolean => server.isBusy() || !paths.every(isKnown);
  const wasHeard = await quiet(server, signal, waits, isAnswered ? quietMs : longQuietMs);
  return wasHeard && !waits();
}

/**
 * Of a server that is silent of files without problems: whether a file is known to be one, or was heard of since
 * anything was told.
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
      const answer = await conversation.request("workspace/executeCommand", parameters, {
        ms: longest,
        signal,
      });
      const found = isObject(answer) ? answer["body"] : undefined;
      if (!Array.isArray(found) || found.length > 0) return false;
    }
    return true;
  } catch {
    return false; // what it sends is waited for
  }
}

function isSent({ documents, problems }: RunningServer, path: string): boolean {
  const shown = documents.get(path);
  const sent = problems.lastSent(path);
  if (!shown) return true;
  if (!sent) return false;
  return sent.version === undefined ? sent.order > shown.since : sent.version >= shown.version;
}

/** Those of one edit come one after the other. */
const quietMs = 200;
/** Where nothing has to come, because only files that it was not told the content of are others now. */
const longQuietMs = 1000;

/** Waits as long as told, and then until nothing comes for a moment; false when the signal ended it. */
async function quiet(
  server: RunningServer,
  signal: AbortSignal,
  waits: () => boolean,
  ms = quietMs,
): Promise<boolean> {
  const stopped = aborted(signal);
  while (!server.conversation.isOver() && !signal.aborted) {
    const heard = server.next().then(() => "heard" as const);
    const still = waits() ? [] : [pause(ms, signal).then(() => "quiet" as const)];
    if ((await Promise.race([heard, stopped, ...still])) === "quiet") return true;
    await Promise.resolve();
  }
  return false;
}

function aborted(signal: AbortSignal): Promise<"stopped"> {
  if (signal.aborted) return Promise.resolve("stopped");
  return new Promise((resolve) => {
    signal.addEventListener("abort", () => resolve("stopped"), { once: true });
  });
}

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  sleep(ms, undefined, { signal }).catch(() => undefined);

/** Of all files of the workspace, where the server can: what it has found until the signal ends it. */
export async function checkAll(server: RunningServer, { workspace, signal }: CheckPlace): Promise<boolean> {
  if (!server.can.answersAllProblems) return false;
  try {
    const parameters = { previousResultIds: [] };
    const report = await server.conversation.request("workspace/diagnostic", parameters, {
      ms: longest,
      signal,
    });
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
