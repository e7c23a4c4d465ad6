/**
 * Acts on a workspace from another process, through its own session: `node file-child.ts <what> <root> …`. Reads calls
 * from standard input.
 */

import { closeSync, lstatSync, openSync, readFileSync } from "node:fs";
import type { JsonObject } from "../../src/base/json.ts";
import type { Entry } from "../../src/protocol/facts.ts";
import { scriptedModel, type ScriptedAnswer } from "../../src/providers/scripted-model.ts";
import { openSqliteStore } from "../../src/session/sqlite/sqlite.ts";
import type { Store } from "../../src/session/store.ts";
import { testSession, type TestSession } from "../../src/testing/session.ts";
import { workspaceAt } from "./workspace-at.ts";

type Asked = readonly [tool: string, input: JsonObject];
type Told = { outcome: string; words: string };

/** Marks the start of the calls in the trace of system calls. */
export const marker = "/the-calls-begin";

type Child = { opened: TestSession; calls: (all: readonly Asked[]) => Promise<Told[]> };

async function child(root: string, store?: Store): Promise<Child> {
  let next: ScriptedAnswer = [];
  const model = scriptedModel(() => {
    const now = next;
    next = [];
    return now.length > 0 ? now : [{ say: "Done." }];
  });
  const opened = await testSession(model, {
    mode: "auto",
    workspace: workspaceAt(root),
    maxRounds: 1000,
    maxCalls: 100_000,
    ...(store ? { store } : {}),
  });
  const calls = async (all: readonly Asked[]): Promise<Told[]> => {
    const before = opened.session.state.seq; // older facts may leave the memory meanwhile
    next = all.map(([call, input]) => ({ call, with: input }));
    await opened.ask("go");
    return toldOf(opened.facts().filter(({ seq }) => seq > before));
  };
  return { opened, calls };
}

/** The results in the order of the calls, whichever ended first. */
function toldOf(facts: readonly Entry[]): Told[] {
  const results = new Map(
    facts.flatMap((fact) => (fact.type === "result" ? [[fact.callId, fact] as const] : [])),
  );
  return facts.flatMap((fact) => {
    const result = fact.type === "call" ? results.get(fact.call.id) : undefined;
    if (result === undefined) return [];
    const words = result.content.map((part) => (part.type === "text" ? part.text : "")).join("\n");
    return [{ outcome: result.outcome, words }];
  });
}

/** Prints the results of the calls. */
async function makeCalls(root: string, asked: readonly Asked[]): Promise<void> {
  const { opened, calls } = await child(root);
  process.stdout.write(JSON.stringify([await calls(asked)]));
  await opened.close();
}

/** Repeats the calls with 0 to `most` free descriptors; prints the results of each run. */
async function withFewDescriptors(root: string, asked: readonly Asked[], most: number): Promise<void> {
  const { opened, calls } = await child(root);
  await calls([["read_file", { path: "." }]]); // loads everything first
  const all: Told[][] = [];
  for (let left = 0; left <= most; left++) {
    const taken = takeAll();
    for (const descriptor of taken.splice(0, left)) closeSync(descriptor);
    const told = await calls(asked);
    for (const descriptor of taken) closeSync(descriptor);
    all.push(told);
  }
  process.stdout.write(JSON.stringify(all));
  await opened.close();
}

function takeAll(): number[] {
  const taken: number[] = [];
  for (;;) {
    try {
      taken.push(openSync("/dev/null", "r"));
    } catch {
      return taken;
    }
  }
}

/** Inserts lines into a file that other processes edit, too; prints the lines reported as written. */
async function edit(root: string, writer: string, count: number): Promise<void> {
  const { opened, calls } = await child(root);
  const made: string[] = [];
  const inTurn = 50;
  for (let from = 0; from < count; from += inTurn) {
    const lines = Array.from({ length: Math.min(inTurn, count - from) }, (_, at) => `${writer} ${from + at}`);
    const told = await calls(
      lines.flatMap((line): Asked[] => [
        ["read_file", { path: "shared", from: 1, to: 1 }],
        ["edit_file", { path: "shared", old: "# end", new: `${line}\n# end` }],
      ]),
    );
    made.push(...lines.filter((_, at) => told[at * 2 + 1]?.outcome === "ok"));
  }
  process.stdout.write(JSON.stringify(made));
  await opened.close();
}

/** Makes several changes in one request, with a database, to be killed in the middle. */
async function change(root: string, asked: readonly Asked[], database: string): Promise<void> {
  const store = openSqliteStore(database);
  const { opened, calls } = await child(root, store);
  lstatSync(marker, { throwIfNoEntry: false });
  await calls(asked);
  await opened.close();
  await store.close();
}

async function main([what = "", root = "", ...more]: readonly string[]): Promise<void> {
  if (what === "edit") return edit(root, more[0] ?? "", Number(more[1]));
  const asked: readonly Asked[] = JSON.parse(readFileSync(0, "utf8"));
  if (what === "calls") return makeCalls(root, asked);
  if (what === "descriptors") return withFewDescriptors(root, asked, Number(more[0]));
  return change(root, asked, more[0] ?? "");
}

if (import.meta.main) await main(process.argv.slice(2));
