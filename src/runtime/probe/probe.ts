/** The dialect lab: asks a model the same small tasks in each way that it may be asked, and keeps what came of it. */

import type { Expected } from "../../base/expected.ts";
import type { Measured, ModelKey } from "../../protocol/dialect-record.ts";
import { prepareModel, type OpenOptions, type PreparedModel } from "../../providers/open-model.ts";
import { rankWays } from "../../providers/rank-ways.ts";
import { chosenWay, type Way } from "../../providers/ways.ts";
import type { Store } from "../../session/store.ts";
import type { Config } from "../config/config.ts";
import { findModel, openOptions, orProblem, type Env } from "../models/models.ts";
import { openStore } from "../runtime.ts";
import { measure, type ProbeEvent } from "./measure.ts";
import { probeTasks } from "./tasks.ts";

export type { ProbeEvent } from "./measure.ts";

export type Probe = {
  /** As a person writes it: "provider/model". */
  readonly model: string;
  readonly key: ModelKey;
  /** "native" and names of dialects, in the order in which they are measured. */
  readonly dialects: readonly string[];
  readonly tasks: number;
  /** Throws ModelError when the server cannot be asked any more, the signal's reason when it was aborted. */
  run(signal: AbortSignal): AsyncIterable<ProbeEvent>;
  /** Stores all of it at once, and says which way is used from then on. Throws StoreError. */
  keep(measured: readonly Measured[]): Promise<string>;
  close(): Promise<void>;
};

/** How long one task may take, in milliseconds. */
const limits = { local: 300_000, hosted: 120_000 } as const;

/** Replaced in tests. */
export type ProbePace = { limitMs?: number; retry?: OpenOptions["retry"] };

/**
 * Opens the model that the settings name, and the store, before minutes are spent. `dialect` limits what is measured.
 */
export async function openProbe(settings: Config, env: Env, pace: ProbePace = {}): Promise<Expected<Probe>> {
  const options = openOptions(settings);
  if (!options.ok) return options;
  const found = await findModel(settings, env);
  if (!found.ok) return found;
  const { dialect, ...rest } = options.value;
  const prepared = await orProblem(prepareModel(found.value, { ...rest, retry: pace.retry }));
  if (!prepared.ok) return prepared;
  const store = await openStore(settings);
  if (!store.ok) return store;
  const { bare, usual } = prepared.value;
  const ways = dialect === undefined ? usual.ways : chosenWay(bare, dialect).ways;
  const limitMs = pace.limitMs ?? (found.value.server.local ? limits.local : limits.hosted);
  return { ok: true, value: assemble(prepared.value, { ways, store: store.value, limitMs }) };
}

type Parts = { ways: readonly Way[]; store: Store; limitMs: number };

const assemble = ({ key, bare, usual }: PreparedModel, { ways, store, limitMs }: Parts): Probe => ({
  model: bare.name,
  key,
  dialects: ways.map(({ name }) => name),
  tasks: probeTasks.length,
  run: (signal) => measure(ways, { tasks: probeTasks, limitMs, signal }),
  async keep(measured) {
    await store.putMeasured(key, measured);
    return rankWays(usual, await store.dialectsOf(key)).ways[0]?.name ?? "";
  },
  close: () => store.close(),
});
