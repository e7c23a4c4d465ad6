/** Questions handed to a client: if no answer arrives in time, they count as a no. */

import type { SessionHost } from "../hosting/session-host.ts";
import { nobody } from "../protocol/fact-words.ts";
import type { PersonQuestion } from "../view/person-questions.ts";
import { refusalOf } from "../view/question-forms.ts";

/** `gone`: called when the caller no longer waits for the task or call. */
type ClientQuestionWait = {
  host: SessionHost;
  id: string;
  asked: readonly PersonQuestion[];
  gone: () => void;
};
type RefusalTimer = { timer: NodeJS.Timeout; refuse: () => Promise<void> };

export class UnansweredQuestions {
  readonly #waits = new Map<string, RefusalTimer>();
  readonly withinMs: number;

  constructor(withinMs: number) {
    this.withinMs = withinMs;
  }

  /** `key`: the id of the task or call. Handing it out again restarts the timer. */
  wait(key: string, { host, id, asked, gone }: ClientQuestionWait): void {
    this.over(key);
    const refuse = async (): Promise<void> => {
      this.over(key);
      for (const one of asked) await host.command(id, refusalOf(one, nobody)).catch(() => undefined);
      gone();
    };
    this.#waits.set(key, { refuse, timer: setTimeout(() => void refuse(), this.withinMs).unref() });
  }

  /** Refuses at once, because the client has given up. */
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
