/** One socket's view of the session list: sends the newest state whenever there is room, never a backlog of states. */

import { gatewayBounds } from "./bounds.ts";
import { type GatewayContext, logFailure } from "./gateway-context.ts";
import type { Outbox } from "./outbox.ts";
import type { SharedSessionList } from "./session-list.ts";

const { listEntries } = gatewayBounds;

export class SessionListView {
  readonly #context: GatewayContext;
  readonly #outbox: Outbox;
  readonly #list: SharedSessionList;
  #leave: (() => void) | undefined;
  #limit = 0;
  #told = "";
  /** `again`: the list changed while it was being read. */
  #reading: "no" | "yes" | "again" = "no";

  constructor(gateway: GatewayContext, outbox: Outbox, list: SharedSessionList) {
    this.#context = gateway;
    this.#outbox = outbox;
    this.#list = list;
  }

  watch(limit: number): void {
    this.#limit = Math.min(Math.max(1, Math.floor(limit) || 1), listEntries.most);
    this.#told = "";
    this.#leave ??= this.#list.watch(() => this.#changed());
    this.#changed();
  }

  unwatch(): void {
    this.#leave?.();
    this.#leave = undefined;
  }

  #changed(): void {
    if (this.#reading === "no") void this.#tell();
    else this.#reading = "again";
  }

  async #tell(): Promise<void> {
    do {
      this.#reading = "yes";
      try {
        await this.#outbox.untilSpace();
        const frame = await this.#list.newest(this.#limit);
        const text = JSON.stringify(frame);
        if (this.#leave && text !== this.#told) this.#outbox.send(frame);
        this.#told = text;
      } catch (error) {
        logFailure(this.#context, "the list of sessions could not be read", error);
      }
    } while (this.#isAgain());
    this.#reading = "no";
  }

  #isAgain(): boolean {
    return this.#reading === "again" && this.#leave !== undefined;
  }
}
