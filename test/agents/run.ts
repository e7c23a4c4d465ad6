/** Runs an agent to completion in its own home, as a process group that does not outlive the test. */

import { spawn } from "node:child_process";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { put, type Ended, type Home } from "../support/command.ts";
import type { Agent, Place } from "./agents.ts";

/** No agent takes longer than this; those that are tried take one or two seconds. */
const longestMs = 90_000;

/** `env` overrides the home's environment, and is overridden by the agent's. */
export async function runAgent(
  agent: Agent,
  task: string,
  { home, place, env }: { home: Home; place: Place; env: Record<string, string> },
): Promise<Ended> {
  await put(home.root, agent.files?.(place) ?? {});
  const child = spawn(
    process.execPath,
    [join(place.packages, agent.packageName, agent.program), ...agent.args(task, place)],
    {
      cwd: home.workspace,
      env: { ...home.env, ...env, ...agent.env(place) },
      stdio: ["ignore", "pipe", "pipe"],
      detached: true,
    },
  );
  const end = (): void => endGroup(child.pid);
  const limit = setTimeout(end, longestMs);
  onTestFinished(end);
  const heard = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const)
    child[name].setEncoding("utf8").on("data", (text: string) => (heard[name] += text));
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => {
      clearTimeout(limit);
      resolve({ code, ...heard });
    });
  });
}

function endGroup(leader: number | undefined): void {
  if (leader === undefined) return;
  try {
    process.kill(-leader, "SIGKILL");
  } catch {
    // Nothing of it is left.
  }
}
