/** `toolwright worker`: runs the turns of sessions that gateways with `--engine dbos` serve, until it is stopped. */

import { hostname } from "node:os";
import { join } from "node:path";
import type { Expected } from "../../base/expected.ts";
import { isLoopbackHost } from "../../base/listening.ts";
import { openTokenFile } from "../../base/token-file.ts";
import { visibleLine } from "../../base/visible-text.ts";
import type { Values } from "../../configuration/options/options.ts";
import { type SessionWorker, startSessionWorker } from "../../hosting/session-worker.ts";
import { openWorkerStatus, type WorkerStatus } from "../../hosting/worker-status.ts";
import { exitCodes, type CliContext, failWith, printAnswer } from "../cli-context.ts";
import { needsDatabase, openWorkersEngine, sessionsOf } from "./engine-choice.ts";
import { openHostSetup, type SettingsReader } from "./open-session-host.ts";
import { stopSignals } from "./stop-signals.ts";

type WorkerGiven = { flags: Values; settingsFor: SettingsReader };

/** Exit code 0 if it was stopped, 130 if it was stopped at once. */
export async function runWorker(context: CliContext, given: WorkerGiven): Promise<number> {
  const { terminal, settings } = context;
  const fail = (problem: string, code?: number): number => failWith(terminal, problem, code);
  if (settings.database === undefined) return fail(needsDatabase, exitCodes.usage);
  const setup = await openHostSetup(context, given.settingsFor);
  if (!setup.ok) return fail(setup.problem);
  const engine = await openWorkersEngine(context, setup.value, given.flags);
  if (!engine.ok) {
    await setup.value.store.close();
    return fail(engine.problem);
  }
  try {
    const worker = await startSessionWorker(setup.value, engine.value);
    if (!worker.ok) return fail(worker.problem);
    const stop = new AbortController();
    const status = await openStatus(context, worker.value, stop.signal);
    if (!status.ok) {
      await worker.value.close();
      return fail(status.problem);
    }
    greet(context, sessionsOf(given.flags), status.value?.url);
    const code = await untilStopped(context, worker.value, stop);
    await worker.value.close();
    await status.value?.close();
    return code;
  } finally {
    await setup.value.store.close();
  }
}

/** Only where a port is given. */
async function openStatus(
  { settings, terminal }: CliContext,
  worker: SessionWorker,
  stopping: AbortSignal,
): Promise<Expected<WorkerStatus | undefined>> {
  const { port, host, stateDir } = settings;
  if (port === undefined) return { ok: true, value: undefined };
  const token = await openTokenFile(tokenPathIn(stateDir));
  if (!token.ok) return token;
  const isStopping = (): boolean => stopping.aborted;
  const opened = await openWorkerStatus({ worker, token: token.value, listen: { host, port }, isStopping });
  if (opened.ok && !isLoopbackHost(host))
    terminal.report(
      `! The worker tells its health and figures on ${visibleLine(host)}: other machines reach it, and what goes back and forth is not encrypted.\n`,
    );
  return opened;
}

const tokenPathIn = (stateDir: string): string => join(stateDir, "worker-token");

function greet(context: CliContext, sessions: number, url: string | undefined): void {
  const host = hostname();
  const tokenFile = tokenPathIn(context.settings.stateDir);
  const status = url === undefined ? {} : { url, tokenFile };
  const told =
    url === undefined ? "" : `\nHealth and figures: ${url} (the token is in ${visibleLine(tokenFile)}).`;
  printAnswer(
    context,
    { host, sessions, pid: process.pid, ...status },
    () => `The worker runs sessions of ${host}, ${sessions} at once. Ctrl-C stops it.${told}`,
  );
}

/**
 * What has not ended when it must stop is not stopped but left: another worker goes on with it as after a death, so this
 * process must end without closing its sessions.
 */
async function untilStopped(
  { terminal, settings }: CliContext,
  worker: SessionWorker,
  stop: AbortController,
): Promise<number> {
  const { asked, askedAgain, release } = stopSignals(terminal);
  try {
    await asked;
    stop.abort();
    terminal.report(stopWords(worker.open, settings.drainMs));
    const ended = await Promise.race([worker.drain(settings.drainMs), askedAgain]);
    if (worker.open === 0 && ended === undefined) return exitCodes.done;
    terminal.report(`Left to other workers: ${sessionsInWords(worker.open)}.\n`);
    const code = ended === undefined ? exitCodes.done : exitCodes.interrupted;
    terminal.exit(code);
    return code;
  } finally {
    release();
  }
}

const sessionsInWords = (open: number): string => (open === 1 ? "one session" : `${open} sessions`);

const stopWords = (open: number, drainMs: number): string =>
  open === 0
    ? "Stopping.\n"
    : `Stopping: nothing new is taken. Waiting for ${sessionsInWords(open)}, at most ${Math.round(drainMs / 1_000)} s; Ctrl-C again leaves them to other workers at once.\n`;
