/**
 * Doctor's checks of the state directory: permissions, disk space, the database and the processes that have it open.
 */

import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { constants } from "node:fs";
import { access, realpath, rm, stat, statfs, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { sizeInWords } from "../../base/amounts.ts";
import { mib } from "../../base/bound.ts";
import { errorMessage, refuse } from "../../base/expected.ts";
import { isObject, parseJson } from "../../base/json.ts";
import { livenessOf } from "../../base/process-identity.ts";
import { makeDirectory } from "../../base/safe-fs/own-files.ts";
import { fileProblem } from "../../base/safe-fs/problems.ts";
import type { Config } from "../../configuration/config.ts";
import { versionTimeMs } from "../../runtime/bounds.ts";
import { workspaceWarning } from "../../runtime/containing.ts";
import { sessionDatabase } from "../../runtime/inspecting/session-database.ts";
import { openStore, type Runtime } from "../../runtime/runtime.ts";
import { countText, type DoctorFinding } from "./finding.ts";
import { dialectFinding } from "./models.ts";

/** Wait of `doctor` for a database that another program has locked, in milliseconds. */
const lockWaitMs = 1_000;
/** A database that `doctor` reads in full, in bytes. */
const mostIntegritySize = 512 * mib;
/** Sessions for which `doctor` checks which process has them open, newest first. */
const mostHeldLooked = 200;

/** Free disk space below which `doctor` warns, in bytes. */
const littleDisk = 500 * mib;
/** Free disk space below which `doctor` reports an error, in bytes. */
const tooLittleDisk = 50 * mib;

type RuntimeStore = Runtime["store"];

/** Runs first, because it creates the state directory. Its last finding is about the dialects stored there. */
export async function database(settings: Config): Promise<DoctorFinding[]> {
  const check = "database";
  const opened = await openStore(settings).catch((error: unknown) => refuse(errorMessage(error)));
  if (!opened.ok) return [{ check, state: "fail", words: opened.problem }];
  const store = opened.value;
  try {
    const sessions = await store.list();
    const found: DoctorFinding = {
      check,
      state: "ok",
      words: `opens; it keeps ${countText(sessions.length, "session")}${await serverWords(settings)}`,
    };
    const newest = sessions.slice(0, mostHeldLooked).map(({ id }) => id);
    const times = clockFinding(sessions.map(({ updatedAt }) => updatedAt));
    return [
      found,
      await holdersFinding(store, newest),
      dialectFinding(await store.measuredModels()),
      ...times,
    ];
  } catch (error) {
    return [{ check, state: "fail", words: errorMessage(error) }];
  } finally {
    await store.close();
  }
}

async function serverWords(settings: Config): Promise<string> {
  const { bytes, server } = await sessionDatabase(settings);
  return server ? `: ${server.name}, PostgreSQL ${server.version}, ${sizeInWords(bytes)}` : "";
}

/** A session from the future means that the clock was wrong, then or now. */
export function clockFinding(times: readonly number[], now: number = Date.now()): DoctorFinding[] {
  const newest = times.reduce((one, other) => Math.max(one, other), 0);
  if (newest <= now + aDay) return [];
  const [here, there] = [now, newest].map((time) => new Date(time).toISOString().slice(0, 10));
  const words = `it says ${here}, and a session here is of ${there}`;
  const fix = "set it, if it is wrong now: certificates, limits and the order of sessions go by it";
  return [{ check: "clock", state: "warn", words, fix }];
}

const aDay = 86_400_000;

/** Sessions that a process has open, or left open when it was killed. */
async function holdersFinding(store: RuntimeStore, ids: readonly string[]): Promise<DoctorFinding> {
  const holders = (await Promise.all(ids.map((id) => store.holder(id)))).flatMap((holder) => holder ?? []);
  const left = holders.filter(({ process }) => livenessOf(process) === "dead").length;
  const open = holders.length - left;
  const words = [
    open === 0
      ? "none is open elsewhere"
      : `${countText(open, "session is", "sessions are")} open in a program`,
    ...(left === 0
      ? []
      : [`${countText(left, "was", "were")} left open by one that was killed: continuing it repairs it`]),
  ];
  return { check: "open sessions", state: "ok", words: words.join("; ") };
}

/** Checks the database in a child process, which can be killed: SQLite itself cannot be stopped. */
export async function integrity({ stateDir, database: server }: Config): Promise<DoctorFinding[]> {
  if (server !== undefined) return []; // PostgreSQL looks after its own
  const check = "integrity";
  const path = join(stateDir, "sessions.db");
  const size = await stat(path).then(
    (found) => found.size,
    () => 0,
  );
  if (size === 0) return [];
  const largest = mostIntegritySize;
  if (size > largest)
    return [{ check, state: "ok", words: `not checked: the database has ${sizeInWords(size)}` }];
  const { damage, locked } = await checkDatabase(path);
  const held: DoctorFinding[] =
    locked === undefined
      ? []
      : [{ check: "database", state: "fail", words: `cannot be written (${locked})`, fix: mendLock }];
  if (damage === undefined)
    return [{ check, state: "ok", words: `the database is sound (${sizeInWords(size)})` }, ...held];
  const fix = `keep a copy of ${path}, export what can be read (\`toolwright sessions export\`), then move the file away`;
  return [{ check, state: "fail", words: `the database is damaged: ${damage}`, fix }, ...held];
}

const mendLock =
  "close the program that has it locked, or free some space and fix the rights of its files: no session can start until then";

const checking = `
  const { DatabaseSync } = require("node:sqlite");
  const [, path, wait] = process.argv;
  const found = new DatabaseSync(path, { readOnly: true }).prepare("PRAGMA quick_check(3)").all();
  const told = { damage: found.map((row) => Object.values(row)[0]).join("; ") };
  try {
    new DatabaseSync(path).exec("PRAGMA busy_timeout = " + wait + "; BEGIN IMMEDIATE; ROLLBACK");
  } catch (error) {
    told.locked = error.message;
  }
  process.stdout.write(JSON.stringify(told));
`;

type DatabaseCheck = { damage?: string; locked?: string };

/** Nothing if the database is sound, or if the check did not finish in time. */
function checkDatabase(path: string): Promise<DatabaseCheck> {
  const options = { timeout: versionTimeMs, encoding: "utf8" } as const;
  const wait = String(lockWaitMs);
  return new Promise((resolve) => {
    execFile(process.execPath, ["--no-warnings", "-e", checking, path, wait], options, (error, output) => {
      const told = error ? undefined : parseJson(output);
      if (!told?.ok || !isObject(told.value)) return resolve({});
      const { damage, locked } = told.value;
      resolve({
        ...(typeof damage === "string" && damage !== "ok" ? { damage } : {}),
        ...(typeof locked === "string" ? { locked } : {}),
      });
    });
  });
}

/** Other users of this machine must not read the sessions. `misplaced`: why no session can be kept there. */
export async function stateDirectory(path: string, misplaced?: string): Promise<DoctorFinding> {
  const check = "state directory";
  if (misplaced !== undefined) return { check, state: "fail", words: misplaced };
  try {
    await makeDirectory(path, 0o700); // if that fails, it says why there is none
    const { mode } = await stat(path);
    await access(path, constants.R_OK | constants.W_OK | constants.X_OK);
    await tryWriting(path);
    const open = process.platform !== "win32" && (mode & 0o077) !== 0;
    if (!open) return { check, state: "ok", words: path };
    return {
      check,
      state: "warn",
      words: `${path} can be read by others`,
      fix: `run \`chmod 700 ${path}\``,
    };
  } catch (error) {
    const words = fileProblem(path, error, "write").problem.message;
    return { check, state: "fail", words, fix: "fix that, or choose another with --state-dir" };
  }
}

/** Permissions do not reveal a full disk, a quota, or a read-only mount. */
async function tryWriting(directory: string): Promise<void> {
  const path = join(directory, `doctor-${process.pid}-${randomBytes(4).toString("hex")}`);
  try {
    await writeFile(path, Buffer.alloc(64 * 1_024), { flag: "wx", mode: 0o600 });
  } finally {
    await rm(path, { force: true });
  }
}

export async function freeDisk({ stateDir, database: server }: Config): Promise<DoctorFinding> {
  const check = "free disk";
  try {
    const { bavail, bsize } = await statfs(await nearestExisting(stateDir));
    const free = bavail * bsize;
    const words = `${sizeInWords(free)} where ${server === undefined ? "sessions are" : "all but sessions is"} kept`;
    if (free >= littleDisk) return { check, state: "ok", words };
    return {
      check,
      state: free < tooLittleDisk ? "fail" : "warn",
      words: `only ${words}`,
      fix: "delete something, or choose another place with --state-dir",
    };
  } catch (error) {
    return { check, state: "warn", words: `cannot be told (${errorMessage(error)})` };
  }
}

export async function workspace(path: string): Promise<DoctorFinding> {
  const check = "workspace";
  const place = await nearestExisting(path);
  try {
    await access(place, constants.R_OK | constants.W_OK);
    const [warning] = workspaceWarning(join(await realpath(place), relative(place, path)));
    if (warning !== undefined) return { check, state: "warn", words: `${path}. ${warning}` };
    return { check, state: "ok", words: place === path ? path : `${path} will be made` };
  } catch {
    const words = `${place} is read-only for you: files can be read there, not changed`;
    return { check, state: "warn", words, fix: "change its rights, or choose another one with --cwd" };
  }
}

async function nearestExisting(path: string): Promise<string> {
  for (let place = path; ; place = dirname(place)) {
    const found = await stat(place).then(
      () => true,
      () => false,
    );
    if (found || dirname(place) === place) return place;
  }
}
