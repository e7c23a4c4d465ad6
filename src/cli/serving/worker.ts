/** `toolwright worker`: runs the turns of sessions that gateways with `--engine dbos` serve, until it is stopped. */

import { hostname } from "node:os";
import type { Values } from "../../configuration/options/options.ts";
import { type SessionWorker, startSessionWorker } from "../../hosting/session-worker.ts";
import { exitCodes, type CliContext, failWith } from "../cli-context.ts";
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
    greet(context, sessionsOf(given.flags));
    const code = await untilStopped(context, worker.value);
    await worker.value.close();
    return code;
  } finally {
    await setup.value.store.close();
  }
}

function greet({ terminal, settings }: CliContext, sessions: number): void {
  const host = hostname();
  terminal.print(
    settings.output === "text"
      ? `The worker runs sessions of ${host}, ${sessions} at once. Ctrl-C stops it.\n`
      : `${JSON.stringify({ host, sessions, pid: process.pid })}\n`,
  );
}

/**
 * What has not ended when it must stop is not stopped but left: another worker goes on with it as after a death, so this
 * process must end without closing its sessions.
 */
async function untilStopped({ terminal, settings }: CliContext, worker: SessionWorker): Promise<number> {
  const { asked, askedAgain, release } = stopSignals(terminal);
  try {
    await asked;
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
