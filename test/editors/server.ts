/** VS Code as a server: a process group that ends with the test, however that ends, and so does all that it started. */

import { type ChildProcess, execFile, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { promisify } from "node:util";
import { guardProcesses } from "../../src/base/process-guard.ts";
import { processesCarrying } from "../support/processes.ts";
import type { EditorHome } from "./home.ts";
import type { InstalledVSCode } from "./installed-vscode.ts";

type Server = {
  /** Host and port, as in the addresses of its windows and files. */
  authority: string;
  install(vsix: string): Promise<void>;
  /** Whatever runs because of it, however far it went from its process group. */
  processes(): number[];
  close(): Promise<void>;
};

const always = [
  "--auth",
  "none",
  "--bind-addr",
  "127.0.0.1:0",
  "--disable-telemetry",
  "--disable-update-check",
];

export async function startServer(
  { node, entry, flags }: InstalledVSCode,
  home: EditorHome,
): Promise<Server> {
  const program = [entry, "--user-data-dir", home.user, "--extensions-dir", home.extensions];
  const id = randomUUID().replaceAll("-", "");
  const mark = `EDITOR_TEST=${id}`;
  const env = { ...home.env, EDITOR_TEST: id };
  const unguard = guardProcesses(mark);
  const child = spawn(node, [...program, ...always, ...flags, ...home.flags], {
    cwd: home.root,
    env,
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const processes = (): number[] => processesCarrying(mark);
  const ended = once(child, "exit");
  return {
    authority: await authorityOf(child),
    processes,
    async install(vsix) {
      const words = [...program, "--install-extension", vsix, "--force"];
      await promisify(execFile)(node, words, { cwd: home.root, env });
    },
    async close() {
      if (child.pid !== undefined) send(-child.pid, "SIGTERM");
      await ended;
      for (const pid of processes()) send(pid, "SIGKILL");
      unguard();
    },
  };
}

/** It says where it listens. Whatever else it says must be read, too, or it would wait for a reader. */
function authorityOf(child: ChildProcess): Promise<string> {
  let heard = "";
  return new Promise((resolve, reject) => {
    const hear = (text: string): void => {
      heard += text;
      const [, authority] = /listening on http:\/\/([\d.:]+)/u.exec(heard) ?? [];
      if (authority !== undefined) resolve(authority);
    };
    for (const stream of [child.stdout, child.stderr]) stream?.setEncoding("utf8").on("data", hear);
    child.once("error", reject);
    child.once("exit", () => reject(new Error(`VS Code ended before it listened:\n${heard}`)));
  });
}

function send(target: number, signal: NodeJS.Signals): void {
  try {
    process.kill(target, signal);
  } catch {
    // Nothing of it is left.
  }
}
