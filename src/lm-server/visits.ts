/** Tracks each request from arrival to its log line, and limits how many run at once. */

import { ModelError } from "../protocol/model-events.ts";
import type { Arrival, HearsRequests, RequestHeard } from "../protocol/serving.ts";
import { makeId } from "../wires/fields.ts";
import { lmServerBounds } from "./bounds.ts";
import { hearing } from "./hearing.ts";
import type { Log, LogLine } from "./log.ts";
import { RequestRefusal } from "./refusal.ts";

export type Visit = {
  /** Links the reply to its log line. */
  id: string;
  /** Takes a slot among the running requests. Throws Refusal if there is none. */
  begin(): void;
  note(told: Partial<LogLine>): void;
  failed(thrown: unknown): void;
  /** Whole milliseconds elapsed. */
  since(): number;
  /** Calls `work` when the visit is over. */
  after(work: () => void): void;
  /** Only the first call counts. */
  over(status: number): void;
  /** The request's observer, if there is one. */
  heard: RequestHeard | undefined;
};

export type Visits = {
  arrive(arrival: Arrival): Visit;
  /** How many requests are. */
  running(): number;
  /** Resolves when no request is running. */
  idle(): Promise<void>;
};

export function openVisits(log: Log, hears?: HearsRequests): Visits {
  let running = 0;
  let waiting: (() => void)[] = [];
  const leave = (): void => {
    running -= 1;
    if (running > 0) return;
    for (const tell of waiting) tell();
    waiting = [];
  };
  return {
    arrive(arrival) {
      const { method, path } = arrival;
      const heard = hearing(hears, arrival);
      let failure: string | undefined;
      const started = performance.now();
      const since = (): number => Math.round(performance.now() - started);
      const id = makeId("req");
      const line: LogLine = {
        at: new Date().toISOString(),
        id,
        method,
        path,
        status: 0,
        ms: 0,
      };
      const last: (() => void)[] = [];
      let isOver = false;
      let isRunning = false;
      return {
        id,
        since,
        heard,
        note: (said) => void Object.assign(line, said),
        after: (work) => void last.push(work),
        failed(thrown) {
          line.error ??= wordsFor(thrown);
          failure ??= kindOf(thrown);
        },
        begin() {
          if (running >= lmServerBounds.requests.most) throw busy();
          running += 1;
          isRunning = true;
        },
        over(status) {
          if (isOver) return;
          isOver = true;
          if (isRunning) leave();
          for (const work of last) work();
          log({ ...line, status, ms: since() });
          const { calls, mended, broken } = line;
          heard?.over({ status, calls, mended, failure: failure ?? (broken ? "aborted" : undefined) });
        },
      };
    },
    running: () => running,
    idle: () => (running === 0 ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve))),
  };
}

const busy = (): RequestRefusal =>
  new RequestRefusal(503, "Too many requests are being answered: try again in a moment.", {
    retryAfter: 1000,
  });

/** One of a few words, suitable as a metric label. */
function kindOf(thrown: unknown): string {
  if (thrown instanceof RequestRefusal) return "refused";
  return thrown instanceof ModelError ? thrown.kind : "unexpected";
}

/** A provider's message may quote the prompt, so only its kind is logged. */
function wordsFor(thrown: unknown): string {
  if (thrown instanceof RequestRefusal) return thrown.message;
  if (thrown instanceof ModelError) {
    const { kind, status } = thrown;
    return status === undefined ? kind : `${kind} (${status})`;
  }
  const words = thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : String(thrown);
  return `unexpected: ${words.slice(0, 300)}`;
}
