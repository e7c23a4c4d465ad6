/** Test helpers: a log on a memory store whose appends can be counted, delayed and made to fail, and short facts. */

import type { Entry, Fact, Signal } from "../../protocol/facts.ts";
import { SessionLog, type LogSetup } from "../log.ts";
import type { StreamedBlock } from "../store.ts";
import { WrappedStore } from "./wrapped-store.ts";

/** A memory store whose appends can be counted, delayed and made to fail. */
export class WatchedStore extends WrappedStore {
  readonly appends: number[] = [];
  readonly kept: (StreamedBlock | undefined)[] = [];
  failure: Error | undefined;
  gate: Promise<void> | undefined;

  override async append(session: string, epoch: number, entries: readonly Entry[]): Promise<void> {
    this.appends.push(entries.length);
    await this.gate;
    if (this.failure) throw this.failure;
    await super.append(session, epoch, entries);
  }

  override async keepOpenBlock(
    session: string,
    epoch: number,
    block: StreamedBlock | undefined,
  ): Promise<void> {
    this.kept.push(block);
    await super.keepOpenBlock(session, epoch, block);
  }

  /** Appends wait until the returned function is called. */
  hold(): () => void {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.gate = promise;
    return () => {
      this.gate = undefined;
      resolve();
    };
  }
}

export async function newLog(
  more: Partial<LogSetup> = {},
): Promise<{ log: SessionLog; store: WatchedStore; told: (Entry | Signal)[] }> {
  const store = new WatchedStore();
  await store.create({ id: "s", workspace: "/w", createdAt: 0 });
  const log = await SessionLog.open({ store, session: "s", epoch: await store.claim("s"), ...more });
  const told: (Entry | Signal)[] = [];
  log.listen((event) => told.push(event));
  return { log, store, told };
}

export const user: Fact = { type: "user-message", content: [{ type: "text", text: "hello" }] };
export const turnEnd: Fact = { type: "turn-end", stopped: "done", changed: [], verified: [], text: "" };
export const note = (text: string): Fact => ({ type: "warning", code: "test", text });
export const block = (number: number, text: string): Fact => ({
  type: "text",
  block: number,
  text,
  by: "model",
});
export const delta = (number: number, offset: number, text: string): Signal => ({
  type: "text-delta",
  block: number,
  offset,
  text,
});
export const reasoningDelta = (number: number, offset: number, text: string): Signal => ({
  type: "reasoning-delta",
  block: number,
  offset,
  text,
});
export const output = (callId: string, offset: number, text: string): Signal => ({
  type: "output-delta",
  callId,
  offset,
  text,
});

/** A short form of events: the text of facts and signals. */
export const words = (events: readonly (Entry | Signal)[]): string[] =>
  events.map((event) => ("text" in event && typeof event.text === "string" ? event.text : event.type));
