/** A real PostgreSQL server for tests: in a temporary directory, on a free port of this machine, gone with this process. */

import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  appendFileSync,
  chownSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../support/free-port.ts";

type DatabaseServer = {
  /** The address of its superuser's database. */
  address: string;
  /** Waits until it takes connections; on the same port as before. */
  start(): Promise<void>;
  /** As a crash does: nothing is written any more. */
  kill(): Promise<void>;
  /** With its data. */
  remove(): Promise<void>;
};

/** The directory with these programs: those of Debian's package lie outside the PATH. */
export function placeOf(...needed: string[]): string {
  const places = ["/usr/lib/postgresql", "/usr/local/pgsql", "/opt/homebrew/opt/postgresql"].filter(
    existsSync,
  );
  const inside = places.flatMap((place) => readdirSync(place).map((name) => join(place, name, "bin")));
  const path = (process.env["PATH"] ?? "").split(":");
  const found = [
    ...path,
    ...inside.toSorted().toReversed(),
    ...places.map((place) => join(place, "bin")),
  ].find((place) => needed.every((name) => existsSync(join(place, name))));
  if (found !== undefined) return found;
  throw new Error("PostgreSQL is not installed, and these tests need it: run `apt-get install postgresql`.");
}

/** The server refuses to run as root; Debian's package brings a user of its own. */
function user(): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {};
  return { uid: idOf("-u"), gid: idOf("-g") };
}

const idOf = (flag: string): number =>
  Number(execFileSync("id", [flag, "postgres"], { encoding: "utf8" }).trim());

const password = "test-password";
/** It is asked for nothing that only a server which runs for days needs. */
const settings = ["fsync=on", "autovacuum=off", "max_connections=200", "logging_collector=off"];

/** `also`: another address of this machine that it listens on, for its own network of 256. */
export async function databaseServer(also?: string): Promise<DatabaseServer> {
  const bin = placeOf("initdb", "postgres");
  const who = user();
  const root = mkdtempSync(join(tmpdir(), "toolwright-postgres-"));
  const [data, secret] = [join(root, "data"), join(root, "password")];
  writeFileSync(secret, password);
  if (who.uid !== undefined && who.gid !== undefined)
    for (const path of [root, secret]) chownSync(path, who.uid, who.gid);
  const making = [
    "-D",
    data,
    "-U",
    "owner",
    "--pwfile",
    secret,
    "-A",
    "scram-sha-256",
    "-E",
    "UTF8",
    "--locale=C",
    "-N",
  ];
  execFileSync(join(bin, "initdb"), making, { ...who, cwd: root, stdio: "pipe" });
  if (also !== undefined)
    appendFileSync(join(data, "pg_hba.conf"), `host all all ${also}/24 scram-sha-256\n`);
  const port = await freePort();
  let running: ChildProcess | undefined;

  const start = async (): Promise<void> => {
    const given = [
      ...settings,
      `listen_addresses=${["127.0.0.1", ...(also === undefined ? [] : [also])].join(",")}`,
      `port=${port}`,
      `unix_socket_directories=${root}`,
    ];
    const flags = ["-D", data, ...given.flatMap((setting) => ["-c", setting])];
    // It ends with us, however we end.
    const words = ["--pdeathsig", "INT", join(bin, "postgres"), ...flags];
    running = spawn("setpriv", words, { ...who, cwd: root, stdio: ["ignore", "ignore", "pipe"] });
    await isReady(running);
  };
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    const ending = running;
    running = undefined;
    if (!ending || ending.exitCode !== null || ending.signalCode !== null) return;
    const ended = once(ending, "exit");
    ending.kill(signal);
    await ended;
  };
  await start();
  return {
    address: `postgres://owner:${password}@127.0.0.1:${port}/postgres`,
    start,
    kill: () => end("SIGQUIT"),
    remove: async () => {
      await end("SIGQUIT"); // nothing of it is needed any more
      rmSync(root, { recursive: true, force: true });
    },
  };
}

async function isReady(server: ChildProcess): Promise<void> {
  let told = "";
  const ready = Promise.withResolvers<void>();
  server.stderr?.setEncoding("utf8").on("data", (text: string) => {
    told += text;
    if (told.includes("ready to accept connections")) ready.resolve();
  });
  server.once("error", ready.reject);
  server.once("exit", () => ready.reject(new Error(`The PostgreSQL server ended: ${told}`)));
  await ready.promise;
}
