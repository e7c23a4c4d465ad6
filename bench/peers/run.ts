/** Runs an agent once in a scenario, and says what it cost: time, processor and memory of all of its processes. */

import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import type { Prompt } from "../../src/protocol/messages.ts";
import type { Model } from "../../src/providers/provider.ts";
import { scriptedModel } from "../../src/providers/scripted-model.ts";
import { serveModel } from "../../src/testing/scripted-server.ts";
import type { Racer } from "./agents.ts";
import { commandOf } from "./agents.ts";
import type { Scenario } from "./scenarios.ts";

/** A request that offers tools; agents ask for titles and the like in others. Times as `Date.now()`, with fractions. */
type Asked = { arrived: number; answered: number; called: number; bytes: number; last: string };

export type Run = {
  /** CPU seconds of all processes that it waited for. */
  cpu: number;
  /** The most that its processes held at once, in megabytes, looked at every 20 ms. */
  memory: number;
  started: number;
  requests: readonly Asked[];
};

/** Where the agents are installed, the files that they work on, and the directory with a home for each. */
export type Track = { packages: string; workspace: string; homes: string };

const longestMs = 120_000;
/** Without what npm adds: language servers and other programs of this checkout are nobody's. */
const pathOfPerson = process.env["PATH"]
  ?.split(delimiter)
  .filter((directory) => !directory.includes("node_modules"))
  .join(delimiter);
const now = (): number => performance.timeOrigin + performance.now();

/** Throws if the agent does not end well, with the end of what it said. */
export async function runOnce(racer: Racer, scenario: Scenario, track: Track): Promise<Run> {
  const requests: Asked[] = [];
  await using served = await servedScenario(racer, scenario, requests);
  const home = join(track.homes, racer.name.replaceAll(" ", "-"));
  const place = { packages: track.packages, home, url: served.url, token: "no-secret" };
  for (const [path, text] of Object.entries(racer.files?.(place) ?? {})) {
    mkdirSync(dirname(join(home, path)), { recursive: true });
    writeFileSync(join(home, path), text);
  }
  mkdirSync(join(home, "tmp"), { recursive: true });
  const env = {
    PATH: pathOfPerson,
    HOME: home,
    XDG_CONFIG_HOME: join(home, "config"),
    XDG_DATA_HOME: join(home, "data"),
    XDG_STATE_HOME: join(home, "state"),
    XDG_CACHE_HOME: join(home, "cache"),
    TMPDIR: join(home, "tmp"),
    ...racer.env(place),
  };
  const timed = ["-c", 'TIMEFORMAT="cpu %U %S"; time "$@"', "race", ...commandOf(racer, "Do it.", place)];
  const started = now();
  const child = spawn("bash", timed, {
    cwd: track.workspace,
    env,
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  let said = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => (said = (said + text).slice(-4_000)));
  let memory = 0;
  const look = setInterval(() => (memory = Math.max(memory, memoryBelow(child.pid))), 20);
  const limit = setTimeout(() => child.pid !== undefined && process.kill(-child.pid, "SIGKILL"), longestMs);
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
  clearInterval(look);
  clearTimeout(limit);
  const [user, system] =
    said
      .match(/^cpu [\d.]+ [\d.]+$/gmu)
      ?.at(-1)
      ?.split(" ")
      .slice(1) ?? [];
  if (code !== 0 || user === undefined || requests.length === 0)
    throw new Error(
      `ended with ${code ?? "a signal"} after ${requests.length} requests: ${said.trim().slice(-600)}`,
    );
  return { cpu: Number(user) + Number(system), memory, started, requests };
}

async function servedScenario(racer: Racer, scenario: Scenario, requests: Asked[]) {
  const scripted = scriptedModel((prompt) => scenarioAnswer(scenario, prompt, requests), {
    name: racer.model,
    ...(scenario.pieces !== undefined && { pieces: scenario.pieces }),
  });
  const model: Model = {
    ...scripted,
    name: racer.model,
    async *ask(prompt, signal) {
      const asked = requests.length;
      yield* scripted.ask(prompt, signal);
      const request = requests[asked];
      if (request) request.answered = now();
    },
  };
  const served = await serveModel(model);
  return { url: served.url, [Symbol.asyncDispose]: () => served.close() };
}

function scenarioAnswer(scenario: Scenario, prompt: Prompt, requests: Asked[]) {
  if (prompt.tools.length === 0) return [{ say: "A title" }];
  const round = requests.length;
  const last = JSON.stringify(prompt.messages.at(-1) ?? "");
  const bytes = JSON.stringify([prompt.system, prompt.tools, prompt.messages]).length;
  const asked: Asked = { arrived: now(), answered: Number.NaN, called: Number.NaN, bytes, last };
  requests.push(asked);
  return scenario.answer(prompt, round, () => (asked.called = now()));
}

/** Megabytes held by a process and all below it. */
function memoryBelow(top: number | undefined): number {
  if (top === undefined) return 0;
  const parents = new Map<number, number>();
  for (const name of readdirSync("/proc")) {
    if (!/^\d+$/u.test(name)) continue;
    const stat = readOrNothing(`/proc/${name}/stat`);
    parents.set(Number(name), Number(stat.slice(stat.lastIndexOf(")") + 4).split(" ")[0]));
  }
  const isBelow = (pid: number | undefined): boolean =>
    pid === top || (pid !== undefined && pid > 1 && isBelow(parents.get(pid)));
  let pages = 0;
  for (const pid of parents.keys())
    if (isBelow(pid)) pages += Number(readOrNothing(`/proc/${pid}/statm`).split(" ")[1] ?? 0);
  return (pages * 4_096) / 1e6;
}

function readOrNothing(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
