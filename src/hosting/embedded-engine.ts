/** The engine of one machine: the process that serves the sessions runs their turns itself. */

import { ownIdentity } from "../base/process-identity.ts";
import type { TurnEngine, TurnPerformer } from "./turn-engine.ts";

export class EmbeddedEngine implements TurnEngine {
  readonly #performer = Promise.withResolvers<TurnPerformer>();

  async work(performer: TurnPerformer): Promise<void> {
    this.#performer.resolve(performer);
  }

  readonly submit: TurnEngine["submit"] = async (session, ask) =>
    (await this.#performer.promise).perform(session, ask);

  async owner(sessions: readonly string[]): Promise<Map<string, string>> {
    const performer = await this.#performer.promise;
    const here = `this program (process ${ownIdentity().pid})`;
    return new Map(sessions.filter((id) => performer.isOpen(id)).map((id) => [id, here]));
  }

  async figures(): Promise<undefined> {}

  async wake(session: string): Promise<void> {
    await (await this.#performer.promise).goOn(session);
  }

  async drain(mostMs: number): Promise<void> {
    await (await this.#performer.promise).drain(mostMs);
  }

  async close(): Promise<void> {}
}
