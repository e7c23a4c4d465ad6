/** Kills a process that runs a contained command at chosen moments, and looks for what goes on without it. */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Profile } from "../../src/protocol/fact-words.ts";
import { endLeftRunning } from "../../src/safety/sandbox/left-running.ts";
import type { ContainRequest } from "../../src/safety/sandbox/sandbox.ts";
import { type Person, type Place, plainEnv, requestFor, type Tools } from "./sandbox-place.ts";

/** `overlay` and `terminal` as in the request. */
type KillCase = { name: string; profile: Profile; more: Partial<ContainRequest> };

const killCases: readonly KillCase[] = [
  { name: "read", profile: "read", more: {} },
  { name: "build over a layer", profile: "build", more: { overlay: true } },
  { name: "build", profile: "build", more: {} },
  { name: "git", profile: "git", more: {} },
  { name: "install with its proxy", profile: "install", more: {} },
  { name: "terminal", profile: "build", more: { terminal: true } },
  { name: "open", profile: "open", more: { overlay: true } },
];

/** Counted from the sandbox's being found, or from the command's start. */
export type Moment = { after: "found" | "started"; ms: number };

type Killed = {
  /** The command lines of what still ran two seconds later. */
  survivors: string[];
  /** What the command did in the workspace after everything seemed to have ended. */
  late: boolean;
  /** Whether the next start found nothing to end. */
  left: number;
};

const busy =
  "(setsid sleep 300 &) ; (trap '' TERM HUP; sleep 301) & while :; do git commit -q --allow-empty -m late 2>/dev/null; date +%N 2>/dev/null >tick; sleep 0.01; done";

/** A terminal's native part cannot be bundled, and another user may not be able to read it where it is. */
export const casesFor = ({ uid }: Person): KillCase[] =>
  killCases.filter(({ more }) => more.terminal === undefined || uid === process.getuid?.());

export async function killOnce(
  { profile, more }: KillCase,
  { place, tools }: { place: Place; tools: Tools },
  moment: Moment,
): Promise<Killed> {
  const mark = `TEST_KILL=${Math.random()}`;
  const [name = "", value = ""] = mark.split("=");
  const asked = requestFor(place, profile, busy, more);
  const request = { ...asked, env: { ...asked.env, [name]: value } };
  const runner = startKillRunner(tools, place.person);
  runner.stdin.end(JSON.stringify(request));
  let heard = "";
  const { promise: reached, resolve } = Promise.withResolvers<void>();
  runner.stdout.on("data", (bytes: Buffer) => {
    heard += bytes.toString();
    if (heard.includes(moment.after)) resolve();
  });
  const ended = once(runner, "close");
  await Promise.race([reached, ended]);
  await sleep(moment.ms);
  if (runner.exitCode !== null) throw new Error(`the runner ended by itself, after ${heard}`);
  runner.kill("SIGKILL");
  await ended;
  const until = Date.now() + 2000;
  while (running(mark).length > 0 && Date.now() < until) await sleep(5);
  const before = effects(place);
  await sleep(30);
  const survivors = running(mark);
  return { survivors, late: effects(place) !== before, left: endLeftRunning(place.stateDir) };
}

export function startKillRunner(tools: Tools, { uid }: Person) {
  const isOther = process.getuid?.() !== uid;
  const asPerson = isOther ? ["setpriv", `--reuid=${uid}`, `--regid=${uid}`, "--clear-groups", "--"] : [];
  const sources = join(import.meta.dirname, "kill-runner.ts");
  const run = isOther ? [tools.node, tools.killRunner] : [process.execPath, sources];
  const [program = "", ...words] = [...asPerson, ...run];
  return spawn(program, words, {
    stdio: ["pipe", "pipe", "inherit"],
    cwd: "/",
    env: plainEnv("/nonexistent"),
  });
}

function running(mark: string): string[] {
  return readdirSync("/proc").flatMap((pid) => {
    if (!/^\d+$/.test(pid)) return [];
    try {
      const carries = readFileSync(`/proc/${pid}/environ`, "latin1").split("\0").includes(mark);
      if (!carries) return [];
      return [`${pid} ${readFileSync(`/proc/${pid}/cmdline`, "latin1").replaceAll("\0", " ").slice(0, 200)}`];
    } catch {
      return [];
    }
  });
}

const effects = ({ workspace }: Place): string =>
  ["tick", ".git/logs/HEAD", ".git/refs/heads/main"]
    .map((name) => join(workspace, name))
    .map((path) => (existsSync(path) ? readFileSync(path, "latin1") : ""))
    .join("\n");
