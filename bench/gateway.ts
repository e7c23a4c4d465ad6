/**
 * `node bench/gateway.ts`: the built command as a gateway under load. 200 connected sessions, 50 of which stream 50
 * words a second: the age of a word on arrival, losses and repetitions, and the gateway's memory; then the cost of
 * 1,000 followed idle sessions. The model server and the clients run in separate processes. `--connected` and
 * `--streaming` set how many sessions there are, `--words` how many words a second each of them streams, `--seconds` and
 * `--idle` the durations (0: skip); `--profile` writes a CPU profile of the gateway into the current directory.
 */

import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { connect } from "../src/client.ts";
import { cpuOf, endAll, memoryOf, start } from "./children.ts";
import { printTable, shown } from "./figures.ts";
import type { Seen, Task } from "./gateway-clients.ts";

const { values } = parseArgs({
  options: {
    command: { type: "string", default: "dist/bin.cjs" },
    connected: { type: "string", default: "200" },
    streaming: { type: "string", default: "50" },
    words: { type: "string", default: "50" },
    seconds: { type: "string", default: "10" },
    idle: { type: "string", default: "20" },
    profile: { type: "boolean", default: false },
  },
});
const command = resolve(values.command);
const [connected, streaming] = [Number(values.connected), Number(values.streaming)];
const [words, seconds] = [Number(values.words), Number(values.seconds)];
const idleSeconds = Number(values.idle);
const root = mkdtempSync(join(tmpdir(), "toolwright-bench-"));

type Gateway = { url: string; token: string; pid: number };

try {
  await measure();
} finally {
  await endAll();
  rmSync(root, { recursive: true, force: true });
}

async function measure(): Promise<void> {
  const model = start(join(import.meta.dirname, "gateway-model.ts"), [String(seconds), String(words)]);
  const gateway = await startGateway(await model.line());
  console.log(`memory at the start: ${shown(memoryOf(gateway.pid).now)} MB`);
  await measureLoad(gateway);
  if (idleSeconds === 0) return;
  await measureIdle(gateway, { sessions: 1_000, each: 5 });
  await measureIdle(gateway, { sessions: 1_000, each: 1 });
}

async function measureLoad(gateway: Gateway): Promise<void> {
  const ids = await newSessions(gateway, connected);
  const task: Task = { ...gateway, ids, each: 1, speaking: streaming };
  const clients = start(join(import.meta.dirname, "gateway-clients.ts"), [JSON.stringify(task)]);
  await clients.line();
  const before = cpuOf(gateway.pid);
  const begun = performance.now();
  clients.child.stdin?.write("go\n");
  const seen: Seen = JSON.parse(await clients.line());
  const cpu = cpuOf(gateway.pid) - before;
  const share = cpu / ((performance.now() - begun) / 1000);
  const { ages } = seen;
  printTable([
    [`${connected} connected, ${streaming} streaming`, "p50 ms", "p99 ms", "max ms", "words", "facts", "lost", "repeated", "RSS MB", "peak MB", "CPU %", "CPU µs a word"], // prettier-ignore
    [
      "measured",
      ...ages.map(shown),
      `${seen.words} of ${streaming * words * seconds}`,
      ...[seen.facts, seen.lost, seen.repeated].map(String),
      shown(memoryOf(gateway.pid).now),
      shown(memoryOf(gateway.pid).peak),
      shown(100 * share),
      shown((1e6 * cpu) / seen.words),
    ],
    ["goal", "", "100", "", "", "", "0", "0", "400", "400", "", ""],
  ]);
}

type Idle = { sessions: number; each: number };

/** Measures once right after the sessions are created, and once when they are at rest. */
async function measureIdle(gateway: Gateway, { sessions, each }: Idle): Promise<void> {
  const ids = await newSessions(gateway, sessions);
  const clients = start(join(import.meta.dirname, "gateway-clients.ts"), [
    JSON.stringify({ ...gateway, ids, each, speaking: 0 } satisfies Task),
  ]);
  await clients.line();
  const fresh = await shareOf(gateway.pid, idleSeconds / 2);
  await pause(30);
  const resting = await shareOf(gateway.pid, idleSeconds);
  clients.child.kill();
  console.log("");
  printTable([
    [`${sessions} idle sessions, ${each} on a connection`, "% of a core", "RSS MB"],
    ["just made", shown(fresh), ""],
    ["resting", shown(resting), shown(memoryOf(gateway.pid).now)],
    ["goal", "2", "400"],
  ]);
}

async function newSessions({ url, token }: Gateway, count: number): Promise<string[]> {
  const client = connect({ url, token });
  const ids: string[] = [];
  while (ids.length < count) {
    ids.push((await client.create({})).id);
    if (ids.length % 100 === 0) await pause(0.5); // stays within the gateway's rate limit
  }
  return ids;
}

async function startGateway(model: string): Promise<Gateway> {
  const workspace = join(root, "workspace");
  mkdirSync(workspace);
  const place = ["--port", "0", "--state-dir", join(root, "state"), "-C", workspace];
  const flags = ["serve", "--model", "openai-compatible/bench", "--output", "json", ...place];
  const profiling = values.profile ? ["--cpu-prof", "--cpu-prof-interval", "500"] : [];
  const env = { PATH: process.env["PATH"], HOME: root, OPENAI_COMPATIBLE_BASE_URL: model };
  const { line } = start(command, flags, { env, profiling });
  const told: { url: string; tokenFile: string; pid: number } = JSON.parse(await line());
  return { url: told.url, token: readFileSync(told.tokenFile, "utf8").trim(), pid: told.pid };
}

/** Percent of one core over that many seconds. */
async function shareOf(pid: number, over: number): Promise<number> {
  const [before, begun] = [cpuOf(pid), performance.now()];
  await pause(over);
  return (100 * (cpuOf(pid) - before)) / ((performance.now() - begun) / 1000);
}

function pause(duration: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, duration * 1000));
}
