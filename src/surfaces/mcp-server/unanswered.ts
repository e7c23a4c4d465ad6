/** Questions that were handed to a client: where it does not come back with an answer in time, they count as a no. */

import { nobody } from "../../protocol/fact-words.ts";
import type { SessionHost } from "../../runtime/hosting/session-host.ts";
import type { PersonQuestion } from "./asked.ts";
import { refusalOf } from "./questions.ts";

/** `gone`: nobody waits for the task or call any more. */
type Wait = { host: SessionHost; id: string; asked: readonly PersonQuestion[]; gone: () => void };
type Waiting = { timer: NodeJS.Timeout; refuse: () => Promise<void> };

export class Unanswered {
  readonly #waits = new Map<string, Waiting>();
  readonly #withinMs: number;

  constructor(withinMs: number) {
    this.#withinMs = withinMs;
  }

  /** `key`: of the task or call. What is handed out again waits anew. */
  wait(key: string, { host, id, asked, gone }: Wait): void {
    this.over(key);
    const refuse = async (): Promise<void> => {
      this.over(key);
      for (const one of asked) await host.command(id, refusalOf(one, nobody)).catch(() => undefined);
      gone();
    };
    this.#waits.set(key, { refuse, timer: setTimeout(() => void refuse(), this.#withinMs).unref() });
  }

  /** The client does not want to know any more: at once. */
  giveUp(key: string): void {
    void this.#waits.get(key)?.refuse();
  }

  over(key: string): void {
    clearTimeout(this.#waits.get(key)?.timer);
    this.#waits.delete(key);
  }

  close(): void {
    for (const key of this.#waits.keys()) this.over(key);
  }
}
