/** Runs a command against the bench server, in a throw-away home and workspace, and reports its cost. */

import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { BenchServer } from "./server.ts";

export type Place = { root: string; workspace: string; env: NodeJS.ProcessEnv };

export type Cost = {
  exitCode: number | null;
  /** CPU seconds of the process itself, user and system. */
  cpu: number;
  /** Peak memory in megabytes. */
  rss: number;
  /** Milliseconds from the start of the process to its first complete request; NaN without one. */
  first: number;
  /** Milliseconds from the end of each reply to the next request: the cost of a round besides the model. */
  gaps: number[];
  /** Request sizes in bytes. */
  sizes: number[];
  /** Its output, with the time at which each piece arrived. */
  printed: { at: number; text: string }[];
  /** Its standard error. */
  complaints: string;
};

/** Creates a workspace of 2,000 files and a home without configuration. */
export function makePlace(): Place {
  const root = mkdtempSync(join(tmpdir(), "toolwright-bench-"));
  const workspace = join(root, "workspace");
  for (const folder of ["src", "test"]) mkdirSync(join(workspace, folder), { recursive: true });
  const line = "export const value = { name: 'example', list: [1, 2, 3] };\n";
  for (let at = 0; at < 1_000; at += 1) {
    writeFileSync(join(workspace, "src", `file-${at}.ts`), line.repeat(20));
    writeFileSync(join(workspace, "test", `file-${at}.ts`), line.repeat(20));
  }
  return { root, workspace, env: { PATH: process.env["PATH"], HOME: join(root, "home") } };
}

export const removePlace = ({ root }: Place): void => rmSync(root, { recursive: true, force: true });

/** Wall-clock milliseconds of a process that only starts, prints something and exits. */
export function wallOf(argv: readonly string[], { env }: Place): number {
  const started = performance.now();
  const { status } = spawnSync(process.execPath, argv, { env, stdio: "ignore" });
  if (status !== 0) throw new Error(`${argv.join(" ")} ended with ${status}`);
  return performance.now() - started;
}

const reporter = join(import.meta.dirname, "report-usage.cjs");

/** The cost of `node …argv`, whose requests go to the server. */
export async function costOf(argv: readonly string[], server: BenchServer, place: Place): Promise<Cost> {
  const usage = join(place.root, "usage.json");
  const env = {
    ...place.env,
    OPENAI_COMPATIBLE_BASE_URL: server.url,
    NODE_OPTIONS: `--require=${reporter}`,
    BENCH_USAGE: usage,
  };
  server.requests.length = 0;
  const printed: Cost["printed"] = [];
  const started = performance.now();
  const child = spawn(process.execPath, argv, {
    cwd: place.workspace,
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let complaints = "";
  child.stderr.on("data", (piece: Buffer) => (complaints += piece.toString()));
  child.stdout.on("data", (piece: Buffer) => printed.push({ at: performance.now(), text: piece.toString() }));
  const exitCode = await new Promise<number | null>((resolve) => child.on("close", resolve));
  const { cpu, rss }: Pick<Cost, "cpu" | "rss"> = JSON.parse(readFileSync(usage, "utf8"));
  const { requests } = server;
  return {
    exitCode,
    cpu,
    rss,
    printed,
    complaints,
    first: (requests[0]?.arrived ?? Number.NaN) - started,
    gaps: requests.slice(1).map(({ arrived }, at) => arrived - (requests[at]?.replied ?? Number.NaN)),
    sizes: requests.map(({ bytes }) => bytes),
  };
}
