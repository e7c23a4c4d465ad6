/** A runtime for each workspace that a host has sessions of, all on one store. */
import { realpath, stat } from "node:fs/promises";
import { isAbsolute } from "node:path";
import type { Parsed } from "../base/json.ts";
import type { Store } from "../session/store.ts";
import type { Config } from "./config.ts";
import { type Runtime, type RuntimeRoom, startRuntime } from "./runtime.ts";

export type RuntimesSetup = {
  store: Store;
  /** What holds in a workspace: the user's settings, tightened by its own. */
  settingsFor: (workspace: string) => Promise<Parsed<Config>>;
  room: Omit<RuntimeRoom, "store">;
};

export class HostedRuntimes {
  readonly #setup: RuntimesSetup;
  /** By workspace, absolute and real. One that could not be started is tried again the next time. */
  readonly #started = new Map<string, Promise<Parsed<Runtime>>>();

  constructor(setup: RuntimesSetup) {
    this.#setup = setup;
  }

  async get(workspace: string): Promise<Parsed<Runtime>> {
    const place = await existing(workspace);
    if (!place.ok) return place;
    const known = this.#started.get(place.value);
    if (known) return known;
    const starting = this.#start(place.value);
    this.#started.set(place.value, starting);
    const started = await starting.catch((error: unknown) => {
      this.#started.delete(place.value);
      throw error;
    });
    if (!started.ok) this.#started.delete(place.value);
    return started;
  }

  async close(): Promise<void> {
    const started = await Promise.allSettled(this.#started.values());
    this.#started.clear();
    for (const one of started) if (one.status === "fulfilled" && one.value.ok) await one.value.value.close();
  }

  async #start(workspace: string): Promise<Parsed<Runtime>> {
    const settings = await this.#setup.settingsFor(workspace);
    if (!settings.ok) return settings;
    const { store, room } = this.#setup;
    return startRuntime({ ...settings.value, workspace }, { ...room, store });
  }
}

/** Nothing is made where a program misspelt it. */
async function existing(path: string): Promise<Parsed<string>> {
  const quoted = JSON.stringify(path);
  if (!isAbsolute(path)) return { ok: false, problem: `The workspace ${quoted} is no absolute path.` };
  const found = await stat(path).catch(() => undefined);
  if (!found?.isDirectory())
    return { ok: false, problem: `There is no directory ${quoted} here to work in. Make it first.` };
  return { ok: true, value: await realpath(path) };
}
