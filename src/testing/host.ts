/** A whole session host for a test: real workspaces, a real store on disk, and the model given by the test. */

import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type Expected, refuse } from "../base/expected.ts";
import { withoutUndefined } from "../base/without-undefined.ts";
import { type Config, loadConfig } from "../configuration/config.ts";
import { parseArguments } from "../configuration/options/arguments.ts";
import type { WhenAway } from "../configuration/options/option-choices.ts";
import { sessionHost } from "../hosting/host.ts";
import type { HostedCheckoutsSetup } from "../hosting/hosted-checkouts.ts";
import type { SessionHost } from "../hosting/session-host.ts";
import type { Entry, Mode, Signal } from "../protocol/facts.ts";
import type { Model } from "../providers/provider.ts";
import { openStore } from "../runtime/runtime.ts";
import type { Sandbox } from "../safety/sandbox/sandbox.ts";
import { openSqliteStore } from "../session/sqlite/sqlite.ts";
import type { Store } from "../session/store.ts";
import { databaseAt } from "../session/testing/store-at.ts";

export type TestHostOptions = {
  files?: Record<string, string>;
  /** "staged" by default. */
  mode?: Mode;
  /** Reuses this directory, left behind by an earlier host. */
  root?: string;
  restMs?: number;
  workspaceRestMs?: number;
  /** How long a disconnected client still counts as present; 0 by default. */
  absentMs?: number;
  whenAway?: WhenAway;
  sandbox?: () => Promise<Sandbox>;
  /** Bounds of checkouts. */
  checkouts?: Pick<HostedCheckoutsSetup, "most" | "restMs">;
  /** Keeps the sessions in a file also where TOOLWRIGHT_TEST_DATABASE names a server: for tests of that file. */
  keptIn?: "file";
  /** Milliseconds a write waits for locks of that file held by other programs. */
  databaseWaitMs?: number;
  /** Variables besides PATH and HOME. */
  env?: Readonly<Record<string, string>>;
  /** Additional command-line flags. */
  flags?: readonly string[];
};

export type TestHost = {
  host: SessionHost;
  store: Store;
  /** Holds `work` (the workspace), `state`, and anything the test adds. */
  root: string;
  workspace: string;
  close: () => Promise<void>;
  remove: () => Promise<void>;
};

export async function testHost(model: Model, options: TestHostOptions = {}): Promise<TestHost> {
  const root = options.root ?? (await realpath(await mkdtemp(join(tmpdir(), "toolwright-host-"))));
  const workspace = join(root, "work");
  await mkdir(workspace, { recursive: true });
  for (const [path, text] of Object.entries(options.files ?? {})) {
    await mkdir(dirname(join(workspace, path)), { recursive: true });
    await writeFile(join(workspace, path), text);
  }
  const { mode = "staged", flags = [] } = options;
  const store = await storeIn(join(root, "state"), options);
  const host = sessionHost({
    store,
    workspace,
    mode,
    settingsFor: (place) => settingsIn(root, place, ["--mode", mode, ...flags]),
    context: {
      env: { PATH: process.env["PATH"], HOME: root, ...options.env },
      model,
      sandbox: options.sandbox,
    },
    ...withoutUndefined({ restMs: options.restMs, workspaceRestMs: options.workspaceRestMs }),
    ...withoutUndefined({ whenAway: options.whenAway }),
    checkouts: {
      directory: join(root, "checkouts"),
      cache: join(root, "state", "repositories"),
      owner: "test",
      protocols: ["file"],
      env: { ...process.env, HOME: root },
      ...options.checkouts,
    },
    absentMs: options.absentMs ?? 0,
    lookMs: 20,
  });
  const close = async (): Promise<void> => {
    await host.close();
    await store.close();
  };
  return {
    host,
    store,
    root,
    workspace,
    close,
    remove: () => rm(root, { recursive: true, force: true, maxRetries: 5 }),
  };
}

async function storeIn(stateDir: string, { databaseWaitMs, keptIn }: TestHostOptions): Promise<Store> {
  const path = join(stateDir, "sessions.db");
  if (databaseWaitMs !== undefined) return openSqliteStore(path, { busyTimeoutMs: databaseWaitMs });
  const database = keptIn === "file" ? undefined : await databaseAt(path);
  return requireValue(await openStore({ stateDir, database }));
}

async function settingsIn(root: string, place: string, flags: readonly string[]): Promise<Expected<Config>> {
  const given = ["--cwd", place, "--state-dir", join(root, "state"), ...flags];
  const parsed = parseArguments(given, {});
  return parsed.ok
    ? loadConfig({ arguments: parsed.value, env: { HOME: root }, cwd: root })
    : refuse(parsed.problem);
}

function requireValue<T>(parsed: Expected<T>): T {
  if (!parsed.ok) throw new Error(parsed.problem);
  return parsed.value;
}

/** Collects everything the host reports about a session until `isLast` returns true. */
export async function followUntil(
  host: SessionHost,
  id: string,
  isLast: (event: Entry | Signal) => boolean,
  how: { after?: number; person?: boolean } = {},
): Promise<(Entry | Signal)[]> {
  const stop = new AbortController();
  const events: (Entry | Signal)[] = [];
  const { after = 0, person = false } = how;
  for await (const event of host.follow(id, after, { signal: stop.signal, person })) {
    events.push(event);
    if (isLast(event)) break;
  }
  stop.abort();
  return events;
}
