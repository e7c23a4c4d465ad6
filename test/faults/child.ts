/** A working session that a fault hits at one moment: `node child.ts <plan as JSON>`. */

import { spawn } from "node:child_process";
import { writeSync } from "node:fs";
import { onFailpoint } from "../../src/base/failpoint.ts";
import { httpModel } from "../../src/providers/http-model.ts";
import { openSqliteStore } from "../../src/session/sqlite/sqlite.ts";
import { serveModel, type ServerFault } from "../../src/testing/scripted-server.ts";
import { testSession } from "../../src/testing/session.ts";
import { workspaceAt } from "../support/workspace-at.ts";
import { answerAll } from "./answering.ts";
import { faults } from "./kinds.ts";
import { hashOf, type Line, type Plan } from "./plan.ts";
import { type Moment, stationOf, watchFor } from "./stations.ts";
import { taskModel } from "./task.ts";

/** Told where no fault reaches it. */
const say = (line: Line): void => void writeSync(1, `${JSON.stringify(line)}\n`);

async function work({ database, root, station, fault }: Plan): Promise<void> {
  const isReached = watchFor(station);
  const { does, checkpoints } = stationOf(station);
  const served = await serveModel(taskModel(), { chunk: 40 });
  const struck = (moment: Moment): void => {
    if (!isReached(moment)) return;
    say({ struck: true });
    if (checkpoints) copyBack(database);
    faults[fault]({
      database,
      jump: setClock,
      cut: () => served.cut(),
      refuse: (how) => served.fail(...refusals(how)),
    });
  };
  onFailpoint((point) => struck({ point }));
  const store = openSqliteStore(database, { busyTimeoutMs: 1000 });
  // Only a server that stalls is to be given up.
  const patience = fault === "provider stalls" ? 500 : 30_000;
  const model = httpModel({
    server: {
      provider: "anthropic",
      wire: "anthropic",
      baseUrl: served.url,
      keyNames: [],
      local: true,
      unreachableAdvice: "Start it",
    },
    model: "m",
    timeouts: { connectMs: patience, firstTokenMs: patience, idleMs: patience },
    retry: { forMs: 600, sleep: async () => undefined },
  });
  const workspace = workspaceAt(root);
  const { session, close } = await testSession(model, { store, workspace });
  const leave = async (): Promise<void> => {
    await close();
    await store.close();
    await served.close();
  };
  for (const signal of ["SIGTERM", "SIGHUP"] as const) process.once(signal, () => void leave().then(over));
  for (const entry of session.log.entries) say({ told: { seq: entry.seq, hash: hashOf(entry) } });
  session.log.listen((event) => {
    if ("seq" in event) say({ told: { seq: event.seq, hash: hashOf(event) } });
    struck({ told: event });
  });
  try {
    struck({ point: "opened" });
    await session.command({ type: "send", content: [{ type: "text", text: "Do the task." }] });
    await answerAll(session);
    if (does !== undefined) await session.command({ type: does });
    await session.idle();
  } catch (error) {
    say({ failed: error instanceof Error ? error.message : String(error) });
  }
  await leave().catch((error: unknown) => say({ failed: String(error) }));
  over();
}

/** For all of the program: the log, the lease, what is kept since when. */
function setClock(later: number): void {
  const real = Date.now;
  Date.now = () => real() + later;
}

function over(): never {
  say({ over: true });
  process.exit(0);
}

const refusals = (how: "500" | "stall"): ServerFault[] =>
  how === "500"
    ? [
        { status: 500, body: "{}" },
        { status: 500, body: "{}" },
      ]
    : [{ stall: new Promise(() => undefined) }, { stall: new Promise(() => undefined) }];

/** Another program checkpoints the database's log, again and again for a moment. */
function copyBack(database: string): void {
  const script = `
    const { DatabaseSync } = require("node:sqlite");
    const database = new DatabaseSync(process.argv[1], { timeout: 100 });
    const until = Date.now() + 300;
    while (Date.now() < until) try { database.exec("PRAGMA wal_checkpoint(TRUNCATE)"); } catch {}`;
  spawn(process.execPath, ["-e", script, database], { stdio: "ignore", detached: true }).unref();
}

await work(JSON.parse(process.argv[2] ?? ""));
