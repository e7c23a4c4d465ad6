/**
 * A run: what was asked of a session is carried out in a worker until nothing is left to do and nothing runs in it,
 * because it is done or waits for a person. Its journal is the session's log, so whoever runs it again goes on from there.
 */

import { errorMessage } from "../../base/expected.ts";
import type { Notices } from "../../session/postgres/notices.ts";
import { type ServerLink, transaction } from "../../session/postgres/server-link.ts";
import { NoSuchSession } from "../session-host.ts";
import type { TurnPerformer } from "../turn-engine.ts";
import { beginAsks, finishAsk, settleAsks, type StoredAsk, type StoredOutcome } from "./asks.ts";
import type { EngineNotice } from "./desk.ts";
import { deadProcess, endRun, hasRun, type TurnRun, takeRun } from "./runs.ts";

type RunContext = {
  link: ServerLink;
  notices: Notices<EngineNotice>;
  performer: TurnPerformer;
  /** The id of this worker. */
  worker: string;
  /** Resolves when something may have been asked of the run, or after a while. */
  news: (run: string) => Promise<void>;
};

/** A run whose workers died so often is left as it is. */
export const mostFailures = 5;

export async function runTurn(context: RunContext, run: TurnRun): Promise<void> {
  const { link, worker } = context;
  const taken = await link.patiently((sql) => takeRun(sql, run, worker));
  if (!taken) return;
  const work = new RunWork(context, run);
  try {
    if (taken.before !== undefined) await work.takeOver(taken.before, taken.failures);
    await work.untilOver();
  } catch (error) {
    await work.release();
    throw error;
  }
}

class RunWork {
  readonly #context: RunContext;
  readonly #run: TurnRun;
  /** The sessions that were opened: of the run, and of its subagents. */
  readonly #sessions: Set<string>;
  readonly #performing = new Set<Promise<void>>();

  constructor(context: RunContext, run: TurnRun) {
    this.#context = context;
    this.#run = run;
    this.#sessions = new Set([run.session]);
  }

  /** Goes on where a worker ended in the middle. */
  async takeOver(before: string, failures: number): Promise<void> {
    const { link, notices, performer } = this.#context;
    const { session } = this.#run;
    const unknown = await link.patiently((sql) => transaction(sql, () => settleAsks(sql, session, before)));
    for (const done of unknown) notices.tell({ done });
    if (failures >= mostFailures) return;
    const dead = await link.patiently((sql) => deadProcess(sql, before));
    await performer.goOn(session, dead).catch((error: unknown) => {
      if (!(error instanceof NoSuchSession)) throw error; // it was about to be created
    });
  }

  /**
   * Until nothing is asked and nothing runs. The sessions are closed before the run is ended, and never behind it: the
   * next run may have them open by then, in this very worker. What is asked meanwhile begins at once: an interruption must not
   * wait.
   */
  async untilOver(): Promise<void> {
    const { link, worker, news } = this.#context;
    const { session } = this.#run;
    for (;;) {
      const heard = news(session);
      const asks = await link.patiently((sql) => beginAsks(sql, session, worker));
      for (const ask of asks) this.#perform(ask);
      const quiet = this.#quiet().then(() => "quiet" as const);
      if ((await Promise.race([quiet, heard])) === "quiet") {
        await this.release();
        const isOver = await link.patiently((sql) => transaction(sql, () => endRun(sql, this.#run, worker)));
        if (isOver) return;
      } else if (!(await link.patiently((sql) => hasRun(sql, this.#run, worker)))) return this.release();
    }
  }

  async release(): Promise<void> {
    const { performer } = this.#context;
    for (const session of [...this.#sessions].toReversed())
      await performer.release(session).catch(() => undefined);
  }

  async #quiet(): Promise<void> {
    const { performer } = this.#context;
    await Promise.all(this.#performing);
    // Why it failed is a fact of the session.
    for (const session of this.#sessions) await performer.idle(session).catch(() => undefined);
  }

  #perform(ask: StoredAsk): void {
    this.#sessions.add(ask.session);
    const performing = this.#outcome(ask)
      .then((outcome) => this.#finish(ask.number, outcome))
      .finally(() => this.#performing.delete(performing));
    this.#performing.add(performing);
  }

  async #outcome({ session, ask }: StoredAsk): Promise<StoredOutcome> {
    try {
      return { value: await this.#context.performer.perform(session, ask) };
    } catch (error) {
      return { thrown: errorMessage(error), isMissing: error instanceof NoSuchSession };
    }
  }

  async #finish(ask: number, outcome: StoredOutcome): Promise<void> {
    const { link, notices, worker } = this.#context;
    await link.patiently((sql) => finishAsk(sql, { ask, worker }, outcome)).catch(() => undefined); // settled by who takes over
    notices.tell({ done: ask });
  }
}
