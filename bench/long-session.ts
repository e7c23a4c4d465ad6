/** Wall-clock cost of the rounds of a long session, early and late, its memory, and the time to reopen it. */

import { join } from "node:path";
import { SessionLog } from "../src/session/log.ts";
import { openSqliteStore } from "../src/session/sqlite/sqlite.ts";
import { temporaryWorkspace } from "../src/testing/workspace.ts";
import { longFiles, runLongSession } from "../test/support/long-session-run.ts";
import { median, printTable, quantile, shown } from "./figures.ts";

const rounds = 2000;
const every = 250;

const workspace = await temporaryWorkspace(longFiles);
const place = await temporaryWorkspace({});
try {
  await run(join(place.root, "sessions.db"));
} finally {
  await workspace.remove();
  await place.remove();
}

async function run(database: string): Promise<void> {
  const rows = [["rounds to", "median ms", "95 % ms", "held MB", "prompt KB"]];
  let times: number[] = [];
  let since = performance.now();
  await runLongSession({
    database,
    root: workspace.root,
    rounds: rounds + 1,
    each: ({ round, prompt }) => {
      times.push(performance.now() - since);
      if (round % every === 0) {
        globalThis.gc?.();
        const held = process.memoryUsage().heapUsed / 1024 ** 2;
        const figures = [median(times), quantile(times, 0.95), held, prompt / 1024];
        rows.push([String(round), ...figures.map(shown)]);
        times = [];
      }
      since = performance.now();
    },
  });
  printTable(rows);
  await reopen(database);
}

async function reopen(database: string): Promise<void> {
  const store = openSqliteStore(database);
  const [summary] = await store.list();
  const session = summary?.id ?? "";
  const started = performance.now();
  const log = await SessionLog.open({ store, session, epoch: await store.claim(session) });
  const ms = performance.now() - started;
  console.log(
    `opened again: ${log.state.seq} facts in ${shown(ms)} ms, ${log.entries.length} of them in memory`,
  );
  await store.close();
}
