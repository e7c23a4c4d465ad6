/** The dialect lab: gives a model the same small tasks in each call format, and stores the results. */

import type { EnvironmentVariables } from "../../base/environment-variables.ts";
import type { Expected } from "../../base/expected.ts";
import type { Config } from "../../configuration/config.ts";
import type { DialectMeasurement, ModelKey } from "../../protocol/dialect-record.ts";
import { prepareModel, type OpenOptions, type PreparedModel } from "../../providers/open-model.ts";
import { rankWays } from "../../providers/rank-ways.ts";
import { chosenWay, type ModelWay } from "../../providers/ways.ts";
import type { Store } from "../../session/store.ts";
import { findModel, openOptions, orProblem } from "../models/models.ts";
import { openStore } from "../runtime.ts";
import { measure, type ProbeEvent } from "./measure.ts";
import { probeTasks } from "./tasks.ts";

export { isEvidence } from "../../providers/rank-ways.ts";
export type { ProbeEvent } from "./measure.ts";

export type Probe = {
  /** The model as a person names it: "provider/model". */
  readonly model: string;
  readonly key: ModelKey;
  /** The kind of server, as its makers write it. */
  readonly serverTitle: string;
  /** "native" and names of dialects, in the order of measurement. */
  readonly dialects: readonly string[];
  readonly tasks: number;
  /** Throws ModelError if the server becomes unusable, or the signal's reason on abort. */
  run(signal: AbortSignal): AsyncIterable<ProbeEvent>;
  /** Stores all results at once, and says which format is used from then on. Throws StoreError. */
  keep(measured: readonly DialectMeasurement[]): Promise<string>;
  close(): Promise<void>;
};

/** Time limit for one task, in milliseconds. */
const limits = { local: 300_000, hosted: 120_000 } as const;

/** How long a server that fails is asked again, in milliseconds: a person is waiting for the figures. */
const patienceMs = 3_000;

/** Replaced in tests. */
export type ProbePace = { limitMs?: number; retry?: OpenOptions["retry"] };

/** Opens the model and the store up front, before minutes are spent. `dialect` limits what is measured. */
export async function openProbe(
  settings: Config,
  env: EnvironmentVariables,
  pace: ProbePace = {},
): Promise<Expected<Probe>> {
  const options = openOptions(settings);
  if (!options.ok) return options;
  const found = await findModel(settings, env);
  if (!found.ok) return found;
  const { dialect, ...rest } = options.value;
  const retry = { forMs: settings.retryMs ?? patienceMs, ...pace.retry };
  const prepared = await orProblem(
    prepareModel(found.value, { ...rest, reasoning: settings.reasoning, retry, measures: true }),
  );
  if (!prepared.ok) return prepared;
  const store = await openStore(settings);
  if (!store.ok) return store;
  const { bare, usual, held } = prepared.value;
  const ways = dialect === undefined ? usual.ways : chosenWay(bare, dialect, held).ways;
  const limitMs = pace.limitMs ?? (found.value.server.local ? limits.local : limits.hosted);
  const serverTitle = found.value.provider.title;
  return { ok: true, value: assemble(prepared.value, { ways, store: store.value, limitMs, serverTitle }) };
}

type ProbeParts = Pick<Probe, "serverTitle"> & { ways: readonly ModelWay[]; store: Store; limitMs: number };

const assemble = (
  { key, bare, usual }: PreparedModel,
  { ways, store, limitMs, serverTitle }: ProbeParts,
): Probe => ({
  model: bare.name,
  key,
  serverTitle,
  dialects: ways.map(({ name }) => name),
  tasks: probeTasks.length,
  run: (signal) => measure(ways, { tasks: probeTasks, limitMs, signal }),
  async keep(measured) {
    await store.putMeasured(key, measured);
    return rankWays(usual, await store.dialectsOf(key)).ways[0]?.name ?? "";
  },
  close: () => store.close(),
});
