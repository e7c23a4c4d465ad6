import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, onTestFinished, test } from "vitest";
import type { Entry } from "../../src/protocol/facts.ts";
import { openSqliteStore } from "../../src/session/sqlite/sqlite.ts";
import { scale } from "../../src/testing/scale.ts";
import { expectAgreement } from "../faults/agreement.ts";
import { faults, type FaultName } from "../faults/kinds.ts";
import type { Line, Plan } from "../faults/plan.ts";
import { expectNothingLost, goOnAfter, type Left } from "../faults/recovery.ts";
import { stationOf, stations, type StationName } from "../faults/stations.ts";
import { files } from "../faults/task.ts";
import { smallDisk } from "../support/small-disk.ts";

const names = <Name extends string>(table: Record<Name, unknown>): Name[] => {
  const all: Name[] = [];
  for (const name in table) all.push(name);
  return all;
};

/** Every cell with TOOLWRIGHT_RUNS of 4 or more; otherwise a selection that covers every fault and every station. */
const cells = names(faults).flatMap((fault, row) =>
  names(stations).flatMap((station, column) => ((row + column) % 4 < scale ? [{ fault, station }] : [])),
);

test.each(cells)("SAFETY 6: $fault ($station): nothing is lost, and the session goes on", async (cell) => {
  const place = await newPlace(cell.station);
  const { lines, left } = await strike(cell, place);
  expect(lines).toContainEqual({ struck: true });
  // A process that cannot open its database reports it and ends; before the opening, a signal simply ends the process.
  if (cell.fault !== "kill -9" && !stationOf(cell.station).isOld)
    expect(lines.at(-1)).toEqual({ over: true });
  const { does } = stationOf(cell.station);
  const entries = await goOnAfter(left, does === "undo" ? does : undefined);
  await expectNothingLost(left, { entries, lines });
  await expectAgreement(left, entries);
  if (stationOf(cell.station).isOld) expect(await oldSession(left)).toEqual(oldFacts);
});

async function newPlace(station: StationName): Promise<string> {
  const place = await mkdtemp(join(tmpdir(), "toolwright-fault-"));
  onTestFinished(() => rm(place, { recursive: true, force: true }));
  await mkdir(join(place, "disk/work"), { recursive: true });
  for (const [name, text] of Object.entries(files)) await writeFile(join(place, "disk/work", name), text);
  if (stationOf(station).isOld) makeOld(join(place, "disk/sessions.db"));
  return place;
}

/** A database of the first version: without later tables, and with a session that is continued. */
function makeOld(path: string): void {
  const database = new DatabaseSync(path);
  database.exec(oldest);
  database
    .prepare("INSERT INTO sessions VALUES ('old', ?, 1, 1, ?, 'Hello', 1)")
    .run(join(dirname(path), "work"), oldFacts.length);
  for (const fact of oldFacts)
    database.prepare("INSERT INTO facts VALUES ('old', ?, ?)").run(fact.seq, JSON.stringify(fact));
  database.close();
}

const oldFacts = [
  { type: "session-start", session: "old", workspace: "/elsewhere", version: "1" },
  { type: "user-message", content: [{ type: "text", text: "Hello" }] },
  { type: "turn-start", model: "m", mode: "ask" },
  { type: "text", block: 1, text: "Good morning.", by: "model" },
  { type: "answer-end", reason: "stop", model: "m" },
  { type: "turn-end", stopped: "done", changed: [], verified: [], text: "Good morning." },
].map((fact, at) => ({ ...fact, v: 1, seq: at + 1, at: 1, turn: at === 0 ? 0 : 1 }));

const oldest = `
  CREATE TABLE sessions (id TEXT PRIMARY KEY, workspace TEXT NOT NULL, created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL, facts INTEGER NOT NULL DEFAULT 0, title TEXT NOT NULL DEFAULT '',
    epoch INTEGER NOT NULL DEFAULT 0) STRICT;
  CREATE TABLE facts (session TEXT NOT NULL REFERENCES sessions (id), seq INTEGER NOT NULL, entry TEXT NOT NULL,
    PRIMARY KEY (session, seq)) STRICT;
  CREATE TABLE open_blocks (session TEXT PRIMARY KEY REFERENCES sessions (id), block INTEGER NOT NULL,
    kind TEXT NOT NULL, text TEXT NOT NULL) STRICT;
  CREATE TABLE blobs (hash TEXT PRIMARY KEY, bytes BLOB NOT NULL) STRICT;
  PRAGMA user_version = 1;`;

/** What is left of the facts that the first version stored. */
async function oldSession({ database }: Left): Promise<Entry[]> {
  const store = openSqliteStore(database);
  const entries = (await store.read("old", 0)).slice(0, oldFacts.length);
  await store.close();
  return entries;
}

type Cell = { fault: FaultName; station: StationName };

/** Runs the session until it ends; returns its output lines and where its files are. */
async function strike({ fault, station }: Cell, place: string): Promise<{ lines: Line[]; left: Left }> {
  const disk = join(place, "disk");
  const plan: Plan = { database: join(disk, "sessions.db"), root: join(disk, "work"), station, fault };
  const command = [process.execPath, join(import.meta.dirname, "../faults/child.ts"), JSON.stringify(plan)];
  if (fault !== "disk full") return { lines: await linesOf(command), left: plan };
  const small = await smallDisk(disk, { kilobytes: 2048 });
  const lines = await linesOf([...small.through, ...command]);
  const left = { database: join(small.after, "sessions.db"), root: join(small.after, "work") };
  return { lines, left };
}

/** A process that hangs is killed, and then its output lacks the final line. */
async function linesOf([program = "", ...args]: readonly string[]): Promise<Line[]> {
  // The parent is a shell, so that it can be killed.
  const child = spawn("/bin/sh", ["-c", '"$@"; exit $?', "sh", program, ...args], {
    stdio: ["ignore", "pipe", "inherit"],
    detached: true,
  });
  const pieces: string[] = [];
  child.stdout.on("data", (piece: Buffer) => pieces.push(piece.toString()));
  const { pid } = child;
  if (pid === undefined) throw new Error("The shell could not be started.");
  const late = setTimeout(() => process.kill(-pid, "SIGKILL"), 60_000);
  await once(child.stdout, "close");
  clearTimeout(late);
  const lines = pieces.join("").split("\n");
  return lines.filter((line) => line !== "").map((line): Line => JSON.parse(line));
}
