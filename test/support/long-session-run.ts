/** A session of many rounds with large results: reads, edits and commands, turn after turn, with compactions. */

import { setImmediate } from "node:timers/promises";
import type { Fact } from "../../src/protocol/facts.ts";
import type { Model } from "../../src/providers/provider.ts";
import { type ScriptedAnswer, scriptedModel } from "../../src/providers/scripted-model.ts";
import { openSqliteStore } from "../../src/session/sqlite/sqlite.ts";
import type { Store } from "../../src/session/store.ts";
import { testSession } from "../../src/testing/session.ts";
import { workspaceAt } from "./workspace-at.ts";

/** The cost of a round in counted operations, which unlike times are reproducible. */
export type Work = {
  round: number;
  /** Facts stored and folded, and the transactions they took. */
  appended: number;
  transactions: number;
  /** Facts read back from the database. */
  rowsRead: number;
  /** Messages and characters of the prompt. */
  told: number;
  prompt: number;
};

type LongRun = {
  database: string;
  root: string;
  rounds: number;
  /** Called after each round. */
  each: (work: Work) => void | Promise<void>;
};

const roundsPerTurn = 20;
export const longFiles = {
  "big.txt": "A line of the large file that is read again and again.\n".repeat(800),
  "value.txt": `value 0\n${"Another line of the file that is changed.\n".repeat(200)}`,
};

export async function runLongSession({ database, root, rounds, each }: LongRun): Promise<void> {
  const work = { appended: 0, transactions: 0, rowsRead: 0, told: 0, prompt: 0 };
  const store = counting(openSqliteStore(database), work);
  const workspace = workspaceAt(root);
  let round = 0;
  const model: Model = {
    name: "scripted/long",
    contextTokens: undefined,
    notice: undefined,
    async *ask(prompt, signal) {
      if (round > 0) await each({ round, ...work });
      const { messages } = prompt;
      Object.assign(work, { appended: 0, transactions: 0, rowsRead: 0, told: messages.length });
      work.prompt = JSON.stringify(messages).length;
      round += 1;
      yield* scriptedModel([answerOf(round)]).ask(prompt, signal); // a new one each time, because it records its prompts
    },
  };
  const { session, ask, close } = await testSession(model, { store, workspace, mode: "auto" });
  const stop = new AbortController();
  const reader = readAlong(session.follow(0, stop.signal));
  for (let part = 1; part <= Math.ceil(rounds / roundsPerTurn); part += 1) {
    await ask(`Go on with part ${part}.`);
    await session.log.append(shortened);
    await setImmediate();
  }
  stop.abort();
  await reader;
  await close();
  await store.close();
}

/** A compaction like that of a long session: a summary replaces all but the last messages. */
const shortened: Fact = {
  type: "compaction",
  summary: "The file was read and its value counted up.",
  keep: 2,
  because: "budget",
  tokensBefore: 100_000,
  tokensAfter: 1_000,
  model: "scripted/long",
};

function answerOf(round: number): ScriptedAnswer {
  if (round % roundsPerTurn === 0) return [{ say: `Part ${round / roundsPerTurn} is done.` }];
  const think = { think: `Round ${round}: what comes next? `.repeat(10) };
  if (round % 3 === 0) {
    const value = Math.floor(round / 3) - Math.floor(round / 60);
    const [old, next] = [`value ${value - 1}\n`, `value ${value}\n`];
    return [think, { call: "edit_file", with: { path: "value.txt", old, new: next } }];
  }
  if (round % 3 === 1) return [think, { call: "read_file", with: { path: "value.txt" } }];
  return [think, { call: "read_file", with: { path: "big.txt" } }];
}

async function readAlong(events: AsyncIterable<unknown>): Promise<number> {
  let count = 0;
  for await (const _ of events) count += 1;
  return count;
}

/** Wraps a store to count its work. */
function counting<S extends Store>(store: S, work: Omit<Work, "round">): S {
  const [append, read] = [store.append.bind(store), store.read.bind(store)];
  store.append = async (session, epoch, entries) => {
    work.appended += entries.length;
    work.transactions += 1;
    return append(session, epoch, entries);
  };
  store.read = async (session, after, limit) => {
    const rows = await read(session, after, limit);
    work.rowsRead += rows.length;
    return rows;
  };
  return store;
}
