/** A session at a gateway as driven by a test: its commands and its current state. */

import type { Command } from "../../src/protocol/commands.ts";
import type { Entry } from "../../src/protocol/facts.ts";
import { step } from "../../src/protocol/fold.ts";
import { emptyState, type SessionState } from "../../src/protocol/session-state.ts";
import type { TestGateway } from "../../src/testing/gateway.ts";

export type Driver = {
  readonly id: string;
  readonly state: SessionState;
  /** The facts so far. */
  readonly entries: readonly Entry[];
  ask(command: Command): Promise<void>;
  say(text: string): Promise<void>;
  /** Resolves when the session meets the condition, now or after a later fact. */
  until(isSo: (state: SessionState, last: Entry | undefined) => boolean): Promise<void>;
  close(): Promise<void>;
};

export async function drive(gateway: TestGateway): Promise<Driver> {
  const id = await gateway.newSession();
  const state = emptyState();
  const waiting = new Set<() => void>();
  const closing = new AbortController();
  const entries: Entry[] = [];
  const follow = async (): Promise<void> => {
    for await (const event of gateway.test.host.follow(id, 0, { signal: closing.signal, person: true })) {
      if (!("seq" in event)) continue;
      step(state, event);
      entries.push(event);
      for (const look of waiting) look();
    }
  };
  const followed = follow().catch(() => undefined);

  const ask = async (command: Command): Promise<void> => {
    const { status, body } = await gateway.ask("POST", `/sessions/${id}/commands`, command);
    if (status !== 200) throw new Error(`${command.type} was refused: ${JSON.stringify(body)}`);
  };
  return {
    id,
    state,
    entries,
    ask,
    say: (text) => ask({ type: "send", content: [{ type: "text", text }] }),
    until: (isSo) =>
      new Promise((resolve) => {
        const look = (): void => {
          if (!isSo(state, entries.at(-1))) return;
          waiting.delete(look);
          resolve();
        };
        waiting.add(look);
        look();
      }),
    async close() {
      closing.abort();
      await followed;
    },
  };
}
