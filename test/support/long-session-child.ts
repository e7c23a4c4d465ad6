/** Runs a long session in a separate process and periodically prints its memory and the cost of the rounds since. */

import { runLongSession, type Work } from "./long-session-run.ts";

export type Told = { held: number; round: number; most: Work; stored: number };

const [database = "", root = "", rounds = "0", every = "100"] = process.argv.slice(2);
const { gc } = globalThis;
if (!gc) throw new Error("to be run with --expose-gc");

const none: Work = { round: 0, appended: 0, transactions: 0, rowsRead: 0, told: 0, prompt: 0 };
let [most, stored] = [none, 0];
await runLongSession({
  database,
  root,
  rounds: Number(rounds),
  each: async (work) => {
    most = larger(most, work);
    stored += work.appended;
    if (work.round % Number(every) !== 0) return;
    const told: Told = {
      held: await heldBytes(() => {
        gc();
      }),
      round: work.round,
      most,
      stored,
    };
    process.stdout.write(`${JSON.stringify(told)}\n`);
    most = none;
  },
});

function larger(one: Work, other: Work): Work {
  return {
    round: other.round,
    appended: Math.max(one.appended, other.appended),
    transactions: Math.max(one.transactions, other.transactions),
    rowsRead: Math.max(one.rowsRead, other.rowsRead),
    told: Math.max(one.told, other.told),
    prompt: Math.max(one.prompt, other.prompt),
  };
}

/** Memory in use after a full garbage collection. */
async function heldBytes(collect: () => void): Promise<number> {
  for (let time = 0; time < 3; time += 1) {
    collect();
    await new Promise((resolve) => setImmediate(resolve));
  }
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}
