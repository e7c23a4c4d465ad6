/** The runtimes of a host, one per workspace on a shared store, each for as long as it is needed. */

import { realpath, stat } from "node:fs/promises";
import { isAbsolute } from "node:path";
import { type Expected, refuse } from "../base/expected.ts";
import type { Config } from "../configuration/config.ts";
import { laterModel } from "../providers/later-model.ts";
import { memoryIn, openChosenModel } from "../runtime/models/models.ts";
import type { RuntimeContext } from "../runtime/runtime-context.ts";
import { withDialects } from "../runtime/runtime-setup.ts";
import { type Runtime, startRuntime } from "../runtime/runtime.ts";
import type { Store } from "../session/store.ts";

/** Time without an open session before a gateway releases a workspace, in milliseconds. */
const restingWorkspaceMs = 600_000;

export type RuntimesSetup = {
  store: Store;
  /** The settings in effect in a workspace: the user's, tightened by the workspace's own. */
  settingsFor: (workspace: string) => Promise<Expected<Config>>;
  context: Omit<RuntimeContext, "store">;
  /** The workspaces with open sessions, absolute and with symbolic links resolved. */
  busy: () => ReadonlySet<string>;
  /** Idle milliseconds before a runtime is closed; replaced in tests. */
  workspaceRestMs?: number;
};

/** A runtime that failed to start is retried on the next use. */
type RuntimeSlot = {
  started: Promise<Expected<Runtime>>;
  /** How many callers are using it now. */
  uses: number;
  /** Last use, in milliseconds of a monotonic clock. */
  usedAt: number;
};

export class HostedRuntimes {
  readonly #setup: RuntimesSetup;
  readonly #restMs: number;
  /** By workspace, absolute and with symbolic links resolved. */
  readonly #kept = new Map<string, RuntimeSlot>();
  /** Runs only while there are runtimes to check. */
  #timer: NodeJS.Timeout | undefined;

  constructor(setup: RuntimesSetup) {
    this.#setup = setup;
    this.#restMs = setup.workspaceRestMs ?? restingWorkspaceMs;
  }

  get size(): number {
    return this.#kept.size;
  }

  /** Keeps the runtime open for the duration of the work, and as long as sessions opened with it. */
  async use<T>(workspace: string, work: (runtime: Runtime) => Promise<Expected<T>>): Promise<Expected<T>> {
    const place = await existing(workspace);
    if (!place.ok) return place;
    const kept = this.#kept.get(place.value) ?? this.#keep(place.value);
    kept.uses += 1;
    try {
      const started = await kept.started;
      return started.ok ? await work(started.value) : started;
    } finally {
      kept.uses -= 1;
      kept.usedAt = performance.now();
    }
  }

  async close(): Promise<void> {
    clearTimeout(this.#timer);
    const all = [...this.#kept.values()];
    this.#kept.clear();
    await Promise.all(all.map(endRuntime));
  }

  #keep(workspace: string): RuntimeSlot {
    const kept = { started: this.#start(workspace), uses: 0, usedAt: performance.now() };
    this.#kept.set(workspace, kept);
    const failed = (): void => {
      if (this.#kept.get(workspace) === kept) this.#kept.delete(workspace);
    };
    kept.started.then(({ ok }) => (ok ? this.#look() : failed()), failed);
    return kept;
  }

  #look(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#letGo();
      if (this.#kept.size > 0) this.#look();
    }, this.#restMs).unref();
  }

  #letGo(): void {
    const [now, busy] = [performance.now(), this.#setup.busy()];
    for (const [workspace, kept] of this.#kept) {
      const isUsed = kept.uses > 0 || busy.has(workspace);
      if (isUsed) kept.usedAt = now;
      if (isUsed || now - kept.usedAt < this.#restMs) continue;
      this.#kept.delete(workspace);
      void endRuntime(kept);
    }
  }

  async #start(workspace: string): Promise<Expected<Runtime>> {
    const settings = await this.#setup.settingsFor(workspace);
    if (!settings.ok) return settings;
    const { store, context } = this.#setup;
    const here = { ...settings.value, workspace };
    const named = withDialects(here, context);
    const memory = memoryIn(Promise.resolve({ ok: true, value: store }));
    // Sessions may bring their own model: only one that does not needs that of the settings.
    const model = context.model ?? laterModel(() => openChosenModel(named, context.env, memory));
    return startRuntime(here, { ...context, store, model });
  }
}

/** Errors while closing are dropped: no caller is left to receive them. */
async function endRuntime({ started }: RuntimeSlot): Promise<void> {
  const runtime = await started.catch(() => undefined);
  if (runtime?.ok) await runtime.value.close().catch(() => undefined);
}

/** Never creates the directory: a program may have misspelt the path. */
export async function existing(path: string): Promise<Expected<string>> {
  const quoted = JSON.stringify(path);
  if (!isAbsolute(path)) return refuse(`The workspace ${quoted} is no absolute path.`);
  const found = await stat(path).catch(() => undefined);
  if (!found?.isDirectory()) return refuse(`There is no directory ${quoted} here to work in. Make it first.`);
  return { ok: true, value: await realpath(path) };
}
