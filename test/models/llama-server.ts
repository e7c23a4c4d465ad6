/** A real llama.cpp server with real weights, as a process of its own. */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { isObject } from "../../src/base/json.ts";
import { serverFolder, weightsPath } from "./fetch.ts";
import type { WeightsPackage } from "./packages.ts";

export type LlamaServer = {
  /** With the version prefix, as `LLAMACPP_BASE_URL` has it. */
  url: string;
  /** What makes our command find it. */
  env: Record<string, string>;
  pid: number;
  /** How many answers it is writing. */
  busy(): Promise<number>;
  /** Resolves once that many answers are being written. */
  untilBusy(count: number): Promise<void>;
  /** Ends it at once, in the middle of whatever it does. */
  kill(): Promise<void>;
};

export type ServerOptions = {
  /** Tokens that fit each conversation. */
  context?: number;
  /** How many answers it writes at the same time. */
  slots?: number;
  port?: number;
  /** Tokens after which it ends an answer. */
  longest?: number;
  /** Whether the model never ends an answer by itself, so that something is always left to interrupt. */
  endless?: boolean;
};

export async function startLlamaServer(
  weights: WeightsPackage,
  { context = 8192, slots = 2, port = 0, longest = 256, endless = false }: ServerOptions = {},
): Promise<LlamaServer> {
  const chosen = {
    model: weightsPath(weights),
    name: weights.name,
    context,
    slots,
    port,
    longest,
    endless,
    seed: 1,
  };
  const program = join(import.meta.dirname, "llama_server.py");
  const child = spawn("python3", ["-I", program, serverFolder, JSON.stringify(chosen)], {
    stdio: ["pipe", "pipe", "pipe"],
    env: { PATH: process.env["PATH"], OMP_WAIT_POLICY: "passive" },
  });
  const ended = once(child, "close");
  const said: string[] = [];
  child.stderr.setEncoding("utf8").on("data", (text: string) => said.push(text));
  child.stdin.on("error", () => undefined);
  const first = await Promise.race([
    once(child.stdout.setEncoding("utf8"), "data").then(([text]) => String(text)),
    ended.then(() => ""),
  ]);
  const address = first.trim();
  if (!address.startsWith("http://")) throw new Error(`The server did not start:\n${said.join("")}`);
  const busy = (): Promise<number> => answersOf(address);
  const url = `${address}/v1`;
  return {
    url,
    env: { LLAMACPP_BASE_URL: url },
    pid: child.pid ?? 0,
    busy,
    untilBusy: (count) => until(async () => (await busy()) === count),
    async kill() {
      child.kill("SIGKILL");
      await ended;
    },
  };
}

async function answersOf(address: string): Promise<number> {
  const slots: unknown = await (await fetch(`${address}/slots`)).json();
  if (!Array.isArray(slots)) throw new Error("The server does not tell its slots.");
  return slots.filter((slot: unknown) => isObject(slot) && slot["is_processing"] === true).length;
}

/** The server tells nobody when an answer begins or ends: it has to be asked. */
async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await wait(20);
}
