/** Everything put together, once: model, store, tools, policy and workspace become a runtime that opens sessions. */
import { realpath, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Parsed } from "../base/json.ts";
import { childEnvironment } from "../base/process.ts";
import { fileProblem, makeDirectory } from "../base/safe-fs/own-files.ts";
import { openSqliteStore } from "../session/sqlite.ts";
import { findSandbox, type Sandbox } from "../safety/sandbox/sandbox.ts";
import { StoreError, type SessionSummary, type Store } from "../session/store.ts";
import { tools as ownTools } from "../tools/index.ts";
import type { Tool } from "../tools/tool.ts";
import type { Config } from "./config.ts";
import { sandboxState, workspaceWarning } from "./containing.ts";
import { turnSettings } from "./turn-settings.ts";
import type { Layers } from "../safety/subject.ts";
import type { Chosen } from "./kept-settings.ts";
import type { LiveSession } from "./live-session.ts";
import { memoryIn, openChosenModel, openNamedModel, type Env, type Model } from "./models.ts";
import { namedRules } from "./named-rules.ts";
import { noSuchSession } from "./open-session.ts";
import { openSessions } from "./open-sessions.ts";
import type { Presence } from "./policy.ts";
import { pricingFor } from "./pricing.ts";
import { openProjectGrants, type ProjectGrants } from "./project-grants.ts";
import { forkSession } from "./sessions.ts";
import { sensitiveFiles } from "../safety/sensitive-files.ts";

export { findSandbox, type Sandbox };
export { findModel, modelsWithinReach, type Env, type Model, type Reach } from "./models.ts";

export type Runtime = {
  readonly model: Model;
  readonly store: Store;
  /** Absolute and real. */
  readonly workspace: string;
  readonly warnings: readonly string[];
  /** What commands run in. Found when first asked for. */
  sandbox(): Promise<Sandbox>;
  /** Whether commands run over a layer of the workspace, so that undo covers all they change there; undefined without a sandbox. */
  layers(): Promise<Layers | undefined>;
  /**
   * A new session, the newest of this workspace, or the one whose id is (or ends with) `resume`. One that is open here
   * is given again, to be closed once more. `takeOver`: also from another living process, because a person says so.
   */
  open(
    which: Chosen & { continue?: boolean; resume?: string; takeOver?: boolean },
  ): Promise<Parsed<LiveSession>>;
  /** A new session with everything before this request of another, opened; with all of it that is over unless told. */
  fork(id: string, beforeTurn?: number, chosen?: Chosen): Promise<Parsed<LiveSession>>;
  close(): Promise<void>;
};

export type RuntimeRoom = {
  env: Env;
  /** Whether a person can be asked, always or about this session now. */
  interactive: Presence;
  /** Instead of the one in the state directory; it stays open when the runtime is closed. */
  store?: Store;
  /** Instead of the model that the settings would choose. */
  model?: Model;
  /** Instead of looking for this machine's sandbox. */
  sandbox?: () => Promise<Sandbox>;
  /** Instead of our own (`tools`); a list with both has both. */
  tools?: readonly Tool[];
};

/** The problem is one line: what happened and what to do next. Nothing is left open then. */
export async function startRuntime(settings: Config, room: RuntimeRoom): Promise<Parsed<Runtime>> {
  const workspace = await makeWorkspace(settings.workspace);
  if (!workspace.ok) return workspace;
  const storing = room.store ? parsed(room.store) : openStore(settings);
  const opening = room.model
    ? { ok: true as const, value: room.model }
    : openChosenModel(settings, room.env, memoryIn(storing));
  const [model, store] = await Promise.all([opening, storing]);
  if (!model.ok || !store.ok) {
    if (store.ok && !room.store) await store.value.close();
    return model.ok ? { ok: false, problem: store.ok ? "" : store.problem } : model;
  }
  const parts = { model: model.value, store: store.value, workspace: workspace.value };
  const kept = await openProjectGrants(settings.stateDir, workspace.value);
  return { ok: true, value: assemble(settings, room, { ...parts, kept }) };
}

type Parts = Pick<Runtime, "model" | "store" | "workspace"> & {
  kept: { grants: ProjectGrants; warnings: string[] };
};

function assemble(settings: Config, room: RuntimeRoom, { kept, ...parts }: Parts): Runtime {
  const { interactive, tools = ownTools, env } = room;
  const { store, workspace } = parts;
  const { rules, warnings } = namedRules(settings.rules, tools);
  const sandbox = once(room.sandbox ?? findSandbox);
  const setup = {
    ...parts,
    sandbox,
    stateDir: settings.stateDir,
    registries: settings.registries,
    tools,
    interactive,
    environment: childEnvironment(env, keyVariables(settings)),
    mode: settings.mode,
    rules,
    sensitive: sensitiveFiles(...settings.autoApproveEdits),
    projectGrants: kept.grants,
    openModel: (name: string) => openNamedModel(name, settings, { env, store }),
    gitBranch: settings.gitBranch,
    ...turnSettings(settings),
    pricing: pricingFor(settings, env),
  };
  const opened = openSessions(setup);
  return {
    ...parts,
    sandbox,
    layers: async () => (await sandboxState(setup)).layers,
    warnings: [...settings.warnings, ...warnings, ...kept.warnings, ...workspaceWarning(workspace)],
    async open(which) {
      const found = await findSession(store, workspace, which);
      if (!found.ok) return found;
      const elsewhere =
        found.value === undefined ? undefined : await elsewhereProblem(store, found.value, workspace);
      if (elsewhere !== undefined) return { ok: false, problem: elsewhere };
      const { continue: _, ...chosen } = which;
      return opened.open({ ...chosen, resume: found.value });
    },
    async fork(id, before, chosen = {}) {
      const forked = await forkSession(store, id, before === undefined ? undefined : { before });
      return forked.ok ? this.open({ ...chosen, resume: forked.value.id }) : forked;
    },
    close: async () => {
      if (!room.store) await store.close();
    },
  };
}

const parsed = async <T>(value: T): Promise<Parsed<T>> => ({ ok: true, value });

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => (made ??= make());
}

/** Where the configuration keeps keys, whatever the variables are called. */
const keyVariables = ({ providers }: Config): string[] =>
  Object.values(providers).flatMap(({ keyVariable }) => keyVariable ?? []);

/** Opens the sessions' database in the state directory, which is made with mode 0700. */
export async function openStore(settings: Pick<Config, "stateDir">): Promise<Parsed<Store>> {
  try {
    await makeDirectory(settings.stateDir, 0o700);
  } catch (error) {
    return problemOf(settings.stateDir, error, "--state-dir");
  }
  const others = await writableByOthers(settings.stateDir);
  if (others !== undefined) return { ok: false, problem: others };
  try {
    return { ok: true, value: openSqliteStore(join(settings.stateDir, "sessions.db")) };
  } catch (error) {
    if (error instanceof StoreError) return { ok: false, problem: error.message };
    throw error;
  }
}

/** Who may write there could put a log or an address of his own in the place of ours. */
async function writableByOthers(stateDir: string): Promise<string | undefined> {
  const { mode } = await stat(stateDir);
  const isTold = process.platform !== "win32";
  if (!isTold || (mode & 0o022) === 0) return undefined;
  return `Other users may write in the state directory ${stateDir}: close it with chmod 700, or choose another with --state-dir.`;
}

/** E1: the workspace is made when it does not exist. */
async function makeWorkspace(path: string): Promise<Parsed<string>> {
  try {
    await makeDirectory(path);
    return { ok: true, value: await realpath(path) };
  } catch (error) {
    return problemOf(path, error, "--cwd");
  }
}

function problemOf(path: string, error: unknown, flag: string): { ok: false; problem: string } {
  const { problem } = fileProblem(path, error, "write");
  return { ok: false, problem: `${problem.message}. Choose another directory with ${flag}.` };
}

async function findSession(
  store: Store,
  workspace: string,
  which: { continue?: boolean; resume?: string },
): Promise<Parsed<string | undefined>> {
  if (which.resume !== undefined) return findNamed(store, which.resume);
  if (!which.continue) return { ok: true, value: undefined };
  const newest = (await store.list()).find((session) => session.workspace === workspace);
  if (newest) return { ok: true, value: newest.id };
  return {
    ok: false,
    problem: `There is no session of ${workspace} to go on with. Start one without --continue.`,
  };
}

/** Its files are those of its own workspace: here its tools would work on others. */
async function elsewhereProblem(store: Store, id: string, workspace: string): Promise<string | undefined> {
  const session = await store.get(id);
  if (!session || session.workspace === workspace) return undefined;
  return `Session ${id} is of the workspace ${session.workspace}. Go on with it there: toolwright -C ${JSON.stringify(session.workspace)} --resume ${id.slice(-6)}`;
}

/** By the whole id or the end of it, or by words of its title, when only one session fits. */
export async function findNamed(store: Store, wanted: string): Promise<Parsed<string>> {
  if (wanted.trim() === "")
    return {
      ok: false,
      problem: "Which session? Give its id or words of its title: see `toolwright sessions`.",
    };
  const sessions = await store.list();
  const fits = (session: SessionSummary): boolean => session.id === wanted || session.id.endsWith(wanted);
  const exact = sessions.find((session) => session.id === wanted);
  const [only, second] = exact ? [exact] : sessions.filter(fits);
  if (!only) return findTitled(sessions, wanted);
  if (second)
    return {
      ok: false,
      problem: `Several sessions end with ${wanted}. Give more of the id: ${only.id}, ${second.id}.`,
    };
  return { ok: true, value: only.id };
}

/** Every word must occur in the title, in any order and case. */
function findTitled(sessions: readonly SessionSummary[], wanted: string): Parsed<string> {
  const words = wanted
    .toLowerCase()
    .split(/\s+/u)
    .filter((word) => word !== "");
  const isMeant = ({ title }: SessionSummary): boolean =>
    words.length > 0 && words.every((word) => title.toLowerCase().includes(word));
  const [only, second] = sessions.filter(isMeant);
  if (!only) return { ok: false, problem: noSuchSession(wanted) };
  if (!second) return { ok: true, value: only.id };
  return {
    ok: false,
    problem: `The titles of several sessions have the words ${JSON.stringify(wanted)}. Give the id: ${only.id}, ${second.id}.`,
  };
}
