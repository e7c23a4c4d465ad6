/** A process that runs turns for others: it opens sessions as an engine gives them to it, and serves nobody itself. */

import type { Expected } from "../base/expected.ts";
import { StoreError } from "../session/store.ts";
import type { EngineFigures, HostFigures } from "./figures.ts";
import { type HostSetup, hostParts } from "./host-parts.ts";
import { performerOf } from "./performer.ts";
import type { TurnEngine } from "./turn-engine.ts";

export type SessionWorker = {
  /** How many sessions are open here. */
  readonly open: number;
  figures(): HostFigures;
  /** Of all machines; undefined if nobody could be asked. */
  queues(): Promise<EngineFigures | undefined>;
  /** Makes one attempt to read the store. Throws StoreError. */
  probe(): Promise<void>;
  /** Takes nothing new; resolves when nothing runs here any more, or after this many milliseconds. */
  drain(mostMs: number): Promise<void>;
  /** Ends what still runs. The store stays open. */
  close(): Promise<void>;
};

/** Resolves once it takes work. Closing it closes the engine. */
export async function startSessionWorker(
  setup: HostSetup,
  engine: TurnEngine,
): Promise<Expected<SessionWorker>> {
  const parts = hostParts(setup);
  const { sessions, runtimes, checkouts, changes } = parts;
  const close = async (): Promise<void> => {
    await sessions.closeAll();
    await runtimes.close();
    await engine.close();
    checkouts?.close();
    changes.close();
  };
  try {
    await engine.work(performerOf(parts));
  } catch (error) {
    await close();
    if (error instanceof StoreError) return { ok: false, problem: error.message };
    throw error;
  }
  const worker: SessionWorker = {
    get open() {
      return sessions.all().length;
    },
    figures: () => sessions.figures,
    queues: () => engine.figures().catch(() => undefined),
    probe: () => setup.store.probe(),
    drain: (mostMs) => engine.drain(mostMs),
    close,
  };
  return { ok: true, value: worker };
}
