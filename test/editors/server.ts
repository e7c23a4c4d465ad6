/** VS Code as a server: a process group that ends with the test, and everything that it started. */

import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { promisify } from "node:util";
import { processesCarrying } from "../support/processes.ts";
import type { EditorHome } from "./home.ts";

export type Server = {
  /** Host and port, as in the addresses of its windows and files. */
  authority: string;
  installExtension(vsix: string): Promise<void>;
  /** Whatever runs because of it, however far it went from its process group. */
  processes(): number[];
  /** What it wrote so far. */
  log(): string;
  close(): Promise<void>;
};

/** A closed window leaves its extension host for three hours, were it not for the grace time. */
const always = [
  ...["--auth", "none", "--bind-addr", "127.0.0.1:0", "--disable-telemetry", "--disable-update-check"],
  ...["--reconnection-grace-time", "2"],
];

/** `entry` is the program's file. */
export async function startServer(entry: string, home: EditorHome): Promise<Server> {
  const program = [entry, "--user-data-dir", home.user, "--extensions-dir", home.extensions];
  const mark = `TOOLWRIGHT_EDITOR_HOME=${home.root}`;
  const env = { ...home.env, TOOLWRIGHT_EDITOR_HOME: home.root };
  const child = spawn(process.execPath, [...program, ...always, ...home.flags], {
    cwd: home.root,
    env,
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const processes = (): number[] => processesCarrying(mark);
  const end = (): void => processes().forEach((pid) => send(pid, "SIGKILL"));
  process.once("exit", end);
  const ended = once(child, "exit");
  const { authority, log } = listen(child);
  return {
    authority: await authority,
    processes,
    log,
    async installExtension(vsix) {
      const words = [...program, "--install-extension", vsix, "--force"];
      await promisify(execFile)(process.execPath, words, { cwd: home.root, env });
    },
    async close() {
      if (child.pid !== undefined) send(-child.pid, "SIGTERM");
      await ended;
      end();
      process.off("exit", end);
    },
  };
}

function listen(child: ChildProcess): { authority: Promise<string>; log: () => string } {
  let heard = "";
  const authority = new Promise<string>((resolve, reject) => {
    const hear = (text: string): void => {
      heard += text;
      const [, address] = /listening on http:\/\/([\d.:]+)/u.exec(heard) ?? [];
      if (address !== undefined) resolve(address);
    };
    for (const stream of [child.stdout, child.stderr]) stream?.setEncoding("utf8").on("data", hear);
    child.once("error", reject);
    child.once("exit", () => reject(new Error(`VS Code ended before it listened:\n${heard}`)));
  });
  return { authority, log: () => heard };
}

function send(target: number, signal: NodeJS.Signals): void {
  try {
    process.kill(target, signal);
  } catch {
    // Nothing of it is left.
  }
}
