/** Asking a server for the problems of files, or waiting until it has sent them. */

import { setTimeout as sleep } from "node:timers/promises";
import { isObject } from "../../base/json.ts";
import { problemsIn } from "./problems.ts";
import type { RunningServer } from "./running-server.ts";
import { pathOf, uriOf } from "./uris.ts";

type CheckPlace = { workspace: string; signal: AbortSignal };

/**
 * Whether the problems of these files, as the server was told them, are known now. Ends with the signal at the latest.
 */
export async function check(
  server: RunningServer,
  paths: readonly string[],
  { workspace, signal }: CheckPlace,
): Promise<boolean> {
  const shown = paths.filter((path) => server.documents.get(path) !== undefined);
  if (!server.can.answersProblems) return sentAll(server, shown, signal);
  const answered = await Promise.all(shown.map((path) => askFor(server, path, { workspace, signal })));
  // Some send besides what a slower check of theirs has found.
  if (server.hasWorked()) await quiet(server, signal, () => server.isBusy());
  return answered.every(Boolean) && !server.isBusy();
}

/** A server may say that it was overtaken by a change: then it is asked again. */
const mostTries = 5;
const overtaken = [-32_802, -32_801];

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
async function sentAll(
  server: RunningServer,
  paths: readonly string[],
  signal: AbortSignal,
): Promise<boolean> {
  const waits = (): boolean => server.isBusy() || !paths.every((path) => isSent(server, path));
  const wasHeard = await quiet(server, signal, waits);
  return wasHeard && !waits();
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

/** Waits as long as told, and then until nothing comes for a moment; false when the signal ended it. */
async function quiet(server: RunningServer, signal: AbortSignal, waits: () => boolean): Promise<boolean> {
  const stopped = aborted(signal);
  while (!server.conversation.isOver() && !signal.aborted) {
    const heard = server.next().then(() => "heard" as const);
    const still = waits() ? [] : [pause(quietMs, signal).then(() => "quiet" as const)];
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
