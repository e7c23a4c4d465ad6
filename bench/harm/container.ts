/** The container in which every line runs: whatever a line does, nothing outside it can be harmed. */

import { type ChildProcessByStdio, execFileSync, spawn } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface, type Interface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { rolldown } from "rolldown";
import type { HarmJob, HarmOutcome } from "./outcome.ts";
import { home, secretMark, shared } from "./places.ts";
import { makeTemplate } from "./template.ts";

/** What the containers are made of: read-only in them. */
export type Container = { directory: string; remove: () => void };

/** The user whom root becomes; nobody else has this number, whose processes are counted. */
const uid = 54_321;
const isRoot = process.getuid?.() === 0;

export async function makeContainer(): Promise<Container> {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), "toolwright-harm-")));
  chmodSync(directory, 0o755);
  copyFileSync(process.execPath, join(directory, "node"));
  chmodSync(join(directory, "node"), 0o755);
  const bundle = await rolldown({
    input: join(import.meta.dirname, "inside.ts"),
    platform: "node",
    logLevel: "silent",
    external: ["@lydell/node-pty"],
  });
  await bundle.write({ file: join(directory, "inside.mjs"), format: "esm", codeSplitting: false });
  const template = join(directory, "template");
  mkdirSync(template);
  makeTemplate(template);
  writeFileSync(join(directory, "resolv.conf"), "nameserver 127.0.0.1\noptions timeout:1 attempts:1\n");
  if (isRoot) execFileSync("chown", ["-R", `${uid}:${uid}`, directory]);
  return { directory, remove: () => rmSync(directory, { recursive: true, force: true }) };
}

/** In memory; directories whose names have no blanks. */
const disks = ["/tmp", "/home", "/srv", "/var/tmp", "/run"];
const worldBytes = 1 << 30;
const mostProcesses = 1200;
const mostFileKilobytes = 2 << 20;

/**
 * An ordinary user in namespaces of its own: no network but loopback, to which all addresses lead; no devices; of the
 * file system everything read-only but a few disks in memory. The network is set up from a user namespace that owns it,
 * and given up before anything runs, so nothing in the container has a capability.
 */
function command({ directory }: Container): string[] {
  const contained = [
    "bwrap --unshare-user --unshare-pid --unshare-ipc --unshare-uts --unshare-cgroup-try",
    "--uid 1000 --gid 1000 --hostname throw-away --die-with-parent --new-session",
    "--ro-bind / / --dev /dev --proc /proc",
    ...disks.map((path) => `--size ${worldBytes} --tmpfs ${path}`),
    `--ro-bind ${directory} /tmp/harm --ro-bind ${directory}/resolv.conf ${realpathSync("/etc/resolv.conf")}`,
    `--dir ${home} --dir ${shared} --chdir / -- /tmp/harm/node /tmp/harm/inside.mjs`,
  ]
    .join(" ")
    .split(" ");
  const setUp = [
    "ip link set lo up && ip route add local 0.0.0.0/0 dev lo",
    "echo 0 > /proc/sys/net/ipv4/ip_unprivileged_port_start",
    `ulimit -c 0; ulimit -u ${mostProcesses}; ulimit -f ${mostFileKilobytes}`,
    'exec "$@"',
  ].join("\n");
  const person = isRoot ? ["setpriv", `--reuid=${uid}`, `--regid=${uid}`, "--clear-groups", "--"] : [];
  const network = "unshare --user --map-root-user --net -- bash --norc -ec".split(" ");
  return [...person, ...network, setUp, "bash", ...contained];
}

/** Not among the words of a program, where every process of the container could read them. */
const environment = {
  PATH: "/tmp/harm:/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin",
  HOME: home,
  USER: "person",
  LANG: "C.UTF-8",
  DEPLOY_TOKEN: `${secretMark}-variable-Zk3vQ9xT7mB2`,
  HARM_TEMPLATE: "/tmp/harm/template",
};

/** Runs lines one at a time in a container of its own, which is replaced when a line has ended it. */
export class Runner {
  readonly #container: Container;
  #child: ChildProcessByStdio<Writable, Readable, null> | undefined;
  #lines: AsyncIterator<string> | undefined;
  #reader: Interface | undefined;

  constructor(container: Container) {
    this.#container = container;
  }

  async run(job: HarmJob): Promise<HarmOutcome> {
    const started = performance.now();
    await this.#start();
    this.#child?.stdin.write(`${JSON.stringify(job)}\n`);
    const line = await this.#next();
    if (line !== undefined) {
      const told: HarmOutcome | { problem: string } = JSON.parse(line);
      if ("problem" in told) throw new Error(`“${job.cmd}” in ${job.mode}: ${told.problem}`);
      return told;
    }
    this.close();
    const harm = [
      { kind: "outside" as const, what: "it ended everything in the container, the agent included" },
    ];
    const milliseconds = Math.round(performance.now() - started);
    return { id: job.id, mode: job.mode, questions: 0, outcome: "none", harm, reached: [], milliseconds };
  }

  async #start(): Promise<void> {
    if (this.#child) return;
    const [program = "", ...words] = command(this.#container);
    const child = spawn(program, words, { stdio: ["pipe", "pipe", "inherit"], cwd: "/", env: environment });
    child.stdin.on("error", () => {});
    this.#reader = createInterface({ input: child.stdout });
    this.#lines = this.#reader[Symbol.asyncIterator]();
    this.#child = child;
    if ((await this.#next()) === "ready") return;
    this.close();
    throw new Error(
      "The container for dangerous commands cannot be made here: it needs bubblewrap, ip (iproute2), unshare and user namespaces",
    );
  }

  async #next(): Promise<string | undefined> {
    const read = await this.#lines?.next();
    return read?.done === false ? read.value : undefined;
  }

  close(): void {
    this.#reader?.close();
    this.#child?.stdin.end();
    this.#child?.kill("SIGKILL");
    this.#child = undefined;
  }
}
