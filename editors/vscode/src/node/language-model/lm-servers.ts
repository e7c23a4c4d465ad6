/** The one language-model server of this window: started when a model is first asked, again when others are wanted. */

import type { Expected } from "../../../../../src/base/expected.ts";
import type { LmServerPlace } from "../../common/language-model/lm-server-client.ts";
import { type LmServerProcess, type ProgramStart, startLmServer } from "./lm-server-process.ts";

type LmServersSetup = { program: () => Promise<Expected<ProgramStart>>; log: (line: string) => void };

export class LmServers {
  readonly #setup: LmServersSetup;
  #serves: ReadonlySet<string> = new Set();
  #server: Promise<Expected<LmServerProcess>> | undefined;
  /** Requests one after the other: two must not start two. */
  #turn: Promise<unknown> = Promise.resolve();

  constructor(setup: LmServersSetup) {
    this.#setup = setup;
  }

  /** A server that has these models. The problem is a sentence for people. */
  serving(models: readonly string[]): Promise<Expected<LmServerPlace>> {
    const place = this.#turn.then(() => this.#serving(models));
    this.#turn = place.catch(() => undefined);
    return place;
  }

  async close(): Promise<void> {
    const server = await this.#server?.catch(() => undefined);
    this.#server = undefined;
    if (server?.ok) await server.value.stop();
  }

  async #serving(models: readonly string[]): Promise<Expected<LmServerPlace>> {
    const known = await this.#server;
    const isThere = known?.ok === true && known.value.isRunning();
    if (isThere && models.every((model) => this.#serves.has(model))) return known;
    const all = [...new Set([...models, ...this.#serves])];
    const program = await this.#setup.program();
    if (!program.ok) return program;
    if (isThere) void known.value.stop(); // it finishes the answers that it has begun
    this.#server = startLmServer(program.value, all, this.#setup.log);
    this.#serves = new Set(all);
    return this.#server;
  }
}
