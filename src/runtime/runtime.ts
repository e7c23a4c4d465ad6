/** Assembles model, store, tools, policy and workspace into a runtime, which opens sessions. */

import { realpathSync, statSync } from "node:fs";
import { join } from "node:path";
import { forkSession, sessionRow } from "../archive/sessions.ts";
import { type Expected, refuse } from "../base/expected.ts";
import { fileProblem, makeDirectory } from "../base/safe-fs/own-files.ts";
import { shellQuoted } from "../base/shell-word.ts";
import type { Config } from "../configuration/config.ts";
import { type OptionName, sessionIdForm } from "../configuration/options/option-values.ts";
import { endLeftRunning } from "../safety/sandbox/left-running.ts";
import { abandonedRuns } from "../safety/sandbox/runs.ts";
import type { Sandbox } from "../safety/sandbox/sandbox.ts";
import type { OverlaysState } from "../safety/subject.ts";
import { currentBranch } from "../session/git-branch.ts";
import { openMemoryStore } from "../session/sqlite/memory-store.ts";
import { openSqliteStore } from "../session/sqlite/sqlite.ts";
import { StoreError, type SessionSummary, type Store } from "../session/store.ts";
import type { WorkspaceTrust } from "../trust/trust.ts";
import { findSandbox, sandboxState, workspaceWarning } from "./containing.ts";
import type { ChosenSettings } from "./kept-settings.ts";
import type { LiveSession } from "./live-session.ts";
import type { FileCommands } from "./messages/file-commands.ts";
import { memoryIn, openChosenModel, type Model } from "./models/models.ts";
import { closeObservers, openObservers } from "./observing/observers.ts";
import { noSuchSession, type SessionSelection } from "./open-session.ts";
import { openSessions } from "./open-sessions.ts";
import { openProjectGrants, type ProjectGrants } from "./project-grants.ts";
import type { FileObjection } from "./reading.ts";
import { readyCommands } from "./ready-commands.ts";
import type { RuntimeContext } from "./runtime-context.ts";
import { type DefinedAgents, type RuntimeParts, runtimeSetup, withDialects } from "./runtime-setup.ts";

export { findSandbox, type Sandbox };
export type { EnvironmentVariables } from "../base/environment-variables.ts";
export {
  findModel,
  namingProblem,
  modelsToChoose,
  modelsWithinReach,
  type Model,
  type ProviderReach,
} from "./models/models.ts";

/** Which session is meant; a new one by default. */
type SessionReference = Partial<Pick<Config, "continue" | "resume" | "fork">> & { id?: string };

/** The model, store, tools and policy of one workspace, shared by the sessions it opens. */
export type Runtime = {
  readonly model: Model;
  readonly store: Store;
  /** Absolute, with symbolic links resolved. */
  readonly workspace: string;
  readonly warnings: readonly string[];
  /** Records which of the workspace's own addons and instructions a person has approved. */
  readonly trust: WorkspaceTrust;
  /** The slash commands defined by files, in addition to the built-in ones. */
  readonly fileCommands: FileCommands;
  /** The git branch that is checked out in the workspace; undefined if there is none. */
  branch(): Promise<string | undefined>;
  /** The agents that people have defined in files for tasks. */
  agents(): Promise<DefinedAgents>;
  /** What objects to reading a file that a message names. */
  readonly objection: FileObjection;
  /** The sandbox that commands run in, detected on first use. */
  sandbox(): Promise<Sandbox>;
  /**
   * Whether commands run over an overlay of the workspace, so that undo covers all they change there; undefined without a
   * sandbox.
   */
  overlays(): Promise<OverlaysState | undefined>;
  /**
   * Opens a new session, the newest of this workspace, the one whose id is (or ends with) `resume`, or the one whose id
   * is `id`, which is new if there is none yet. `fork`: a copy of it. A session already open here is shared: each
   * opener must close it.
   * `takeOver` claims it even from another living process, at a person's request. `checkout`: what the workspace of a new
   * one was made from.
   */
  open(
    which: ChosenSettings & SessionReference & Pick<SessionSelection, "takeOver" | "checkout">,
  ): Promise<Expected<LiveSession>>;
  /** The session with this id, if it is open here. */
  present(id: string): LiveSession | undefined;
  /** Forks a session and opens the copy: everything before `beforeTurn`, or all finished turns by default. */
  fork(id: string, beforeTurn?: number, chosen?: ChosenSettings): Promise<Expected<LiveSession>>;
  close(): Promise<void>;
};

/** On failure everything already opened is closed, and the problem is one line: what happened and what to do next. */
export async function startRuntime(settings: Config, context: RuntimeContext): Promise<Expected<Runtime>> {
  const workspace = await makeWorkspace(settings.workspace);
  if (!workspace.ok) return workspace;
  // Before anyone reads files that they may be changing.
  const cleaned = await cleanUp(settings.stateDir);
  const storing = context.store ? expectedValue(context.store) : openOwnStore(settings);
  const opening = context.model
    ? { ok: true as const, value: context.model }
    : openChosenModel(withDialects(settings, context), context.env, memoryIn(storing));
  const observing = openObservers(settings, context.env);
  const [model, store, observers] = await Promise.all([opening, storing, observing]);
  if (!model.ok || !store.ok || !observers.ok) {
    const session = store.ok ? await findSession(store.value, workspace.value, settings) : store;
    if (store.ok && !context.store) await store.value.close();
    const [problem = ""] = [model, store, observers].flatMap((part) => (part.ok ? [] : part.problem));
    return refuse(store.ok && !session.ok ? `${session.problem} ${problem}` : problem);
  }
  const parts = { model: model.value, store: store.value, workspace: workspace.value };
  const kept = await openProjectGrants(settings.stateDir, workspace.value);
  return {
    ok: true,
    value: assemble(settings, context, { ...parts, kept, cleaned, observers: observers.value }),
  };
}

/** `cleaned`: what a killed Toolwright had left and was ended or put back. */
type WorkspaceState = { kept: { grants: ProjectGrants; warnings: string[] }; cleaned: string[] };

/** Ends and puts back what a Toolwright that was killed has left, and says what. */
async function cleanUp(stateDir: string): Promise<string[]> {
  if (abandonedRuns(stateDir).length === 0) return [];
  const ended = endedWarning(endLeftRunning(stateDir));
  const { putBackLeft } = await import("../safety/sandbox/put-back.ts");
  return [...ended, ...putBackLeft(stateDir)];
}

const endedWarning = (ended: number): string[] =>
  ended === 0
    ? []
    : [
        `Toolwright was killed while its sandbox ran commands, and ${ended} of their processes had gone on. They were ended now.`,
      ];

function assemble(
  settings: Config,
  context: RuntimeContext,
  { kept, cleaned, ...parts }: Omit<RuntimeParts, "grants" | "closing"> & WorkspaceState,
): Runtime {
  const { store, workspace, observers } = parts;
  const closing = new AbortController();
  const { setup, trust, fileCommands, agents, objection, warnings } = runtimeSetup(settings, context, {
    ...parts,
    closing: closing.signal,
    grants: kept.grants,
  });
  const told = [settings.warnings, warnings, kept.warnings, cleaned, observers.warnings];
  told.push(trust.warnings(), workspaceWarning(workspace));
  const { trying, tried } = trials();
  const ready = readyCommands(setup, closing.signal);
  const opened = openSessions(
    { ...setup, readyCommands: (...thinking) => void trying(ready(...thinking)) },
    context.childOpened,
  );
  return {
    model: parts.model,
    store,
    workspace,
    trust,
    fileCommands,
    agents,
    objection,
    branch: () => currentBranch({ workspace, env: context.env }),
    sandbox: () => trying(setup.sandbox()),
    overlays: () => trying(sandboxState(setup).then(({ overlays }) => overlays)),
    warnings: told.flat(),
    present: (id) => opened.present(id),
    async open(which) {
      const found = await findSession(store, workspace, which);
      if (!found.ok) return found;
      const elsewhere =
        found.value === undefined ? undefined : await elsewhereProblem(store, found.value, workspace);
      if (elsewhere !== undefined) return refuse(elsewhere);
      const { continue: _, fork, id, ...chosen } = which;
      if (fork && found.value !== undefined) return this.fork(found.value, undefined, chosen);
      if (found.value !== undefined || id === undefined)
        return opened.open({ ...chosen, resume: found.value });
      return opened.open({ ...chosen, id }).catch(async (error: unknown) => {
        if (await store.get(id)) return this.open(which); // another program has just started it
        throw error;
      });
    },
    async fork(id, before, chosen = {}) {
      const forked = await forkSession(store, id, before === undefined ? undefined : { before });
      return forked.ok ? this.open({ ...chosen, resume: forked.value.id }) : forked;
    },
    close: async () => {
      closing.abort();
      await tried();
      await closeObservers(observers);
      if (!context.store) await store.close();
    },
  };
}

/** Trials of the sandbox, whose programs write into the state directory: closing waits for them. */
function trials() {
  let begun: Promise<unknown> = Promise.resolve();
  return {
    trying: <T>(trial: Promise<T>): Promise<T> => {
      begun = Promise.allSettled([begun, trial]);
      return trial;
    },
    tried: async (): Promise<void> => {
      let waited: Promise<unknown> | undefined;
      while (waited !== begun) await (waited = begun); // the first may lead to a second
    },
  };
}

const expectedValue = async <T>(value: T): Promise<Expected<T>> => ({ ok: true, value });

const openOwnStore = (settings: Config): Promise<Expected<Store>> =>
  settings.noSave ? expectedValue(openMemoryStore()) : openStore(settings);

/** Opens the session database: the one that the settings name, or a file in the state directory (mode 0700). */
export async function openStore(settings: StorePlace): Promise<Expected<Store>> {
  try {
    await makeDirectory(settings.stateDir, 0o700);
  } catch (error) {
    return problemOf(settings.stateDir, error, "stateDir");
  }
  const others = writableByOthers(settings.stateDir);
  if (others !== undefined) return refuse(others);
  try {
    if (settings.database === undefined)
      return { ok: true, value: openSqliteStore(join(settings.stateDir, "sessions.db")) };
    const { openPostgresStore } = await import("../session/postgres/postgres.ts");
    return { ok: true, value: await openPostgresStore(settings.database) };
  } catch (error) {
    if (error instanceof StoreError) return refuse(error.message);
    throw error;
  }
}

/** Where sessions are kept. */
export type StorePlace = Pick<Config, "stateDir"> & Partial<Pick<Config, "database">>;

/** Anyone with write access could replace our log or plant an address of their own in it. */
function writableByOthers(stateDir: string): string | undefined {
  const { mode } = statSync(stateDir);
  const isTold = process.platform !== "win32";
  if (!isTold || (mode & 0o022) === 0) return undefined;
  return `Other users may write in the state directory ${stateDir}: close it with chmod 700, or choose another with the option "stateDir".`;
}

/** E1: creates the workspace if it does not exist. The path is absolute, with links resolved. */
export async function makeWorkspace(path: string): Promise<Expected<string>> {
  try {
    await makeDirectory(path);
    return { ok: true, value: realpathSync.native(path) };
  } catch (error) {
    return problemOf(path, error, "cwd");
  }
}

function problemOf(path: string, error: unknown, option: OptionName): { ok: false; problem: string } {
  const { problem } = fileProblem(path, error, "write");
  return refuse(`${problem.message}. Choose another directory with the option "${option}".`);
}

async function findSession(
  store: Store,
  workspace: string,
  which: SessionReference,
): Promise<Expected<string | undefined>> {
  if (which.id !== undefined) return findOwn(store, which.id);
  if (which.resume !== undefined) return findNamed(store, which.resume);
  if (!which.continue) return { ok: true, value: undefined };
  const newest = await newestOf(store, (await store.list()).filter(isOfPeopleIn(workspace)));
  if (newest) return { ok: true, value: newest.id };
  return refuse(
    `There is no session of ${workspace} to go on with. Start one without the option "continue".`,
  );
}

/** The first in which something was said, or else the first. */
async function newestOf(
  store: Store,
  sessions: readonly SessionSummary[],
): Promise<SessionSummary | undefined> {
  for (const session of sessions)
    if (session.title !== "" || (await sessionRow(store, session)).turns > 0) return session;
  return sessions[0];
}

/** A person's own id is that of one session, whole; none has it yet if it is new. */
async function findOwn(store: Store, id: string): Promise<Expected<string | undefined>> {
  if (!sessionIdForm.test(id))
    return refuse(
      `${JSON.stringify(id)} cannot be the id of a session: give 3 to 64 letters, digits, - and _.`,
    );
  return { ok: true, value: (await store.get(id))?.id };
}

/** Excludes subagents' sessions, which `--continue` must never pick. */
export const isOfPeopleIn =
  (here: string) =>
  ({ workspace, parent }: SessionSummary): boolean =>
    workspace === here && parent === undefined;

/** A session's files belong to its own workspace: opened here, its tools would change the wrong ones. */
async function elsewhereProblem(store: Store, id: string, workspace: string): Promise<string | undefined> {
  const session = await store.get(id);
  if (!session || session.workspace === workspace) return undefined;
  return `Session ${id} is of the workspace ${session.workspace}. Go on with it there: toolwright -C ${shellQuoted(session.workspace)} --resume ${id.slice(-6)}`;
}

/** Matches the whole id, the end of an id, or words of the title; exactly one session must match. */
export async function findNamed(store: Store, wanted: string): Promise<Expected<string>> {
  if (wanted.trim() === "")
    return refuse("Which session? Give its id or words of its title: see `toolwright sessions`.");
  const sessions = await store.list();
  const fits = (session: SessionSummary): boolean => session.id === wanted || session.id.endsWith(wanted);
  const exact = sessions.find((session) => session.id === wanted);
  const fitting = exact ? [exact] : sessions.filter(fits);
  const [only, second] = fitting;
  if (!only) return findTitled(sessions, wanted);
  if (second) return refuse(`Several sessions end with ${wanted}. Give more of the id: ${idsOf(fitting)}.`);
  return { ok: true, value: only.id };
}

/** Every word must occur in the title, in any order and regardless of case. */
function findTitled(sessions: readonly SessionSummary[], wanted: string): Expected<string> {
  const words = wanted
    .toLowerCase()
    .split(/\s+/u)
    .filter((word) => word !== "");
  const isMeant = ({ title }: SessionSummary): boolean =>
    words.length > 0 && words.every((word) => title.toLowerCase().includes(word));
  const meant = sessions.filter(isMeant);
  const ofPeople = meant.filter(({ parent }) => parent === undefined);
  const fitting = ofPeople.length > 0 ? ofPeople : meant;
  const [only, second] = fitting;
  if (!only) return refuse(noSuchSession(wanted));
  if (!second) return { ok: true, value: only.id };
  return refuse(
    `The titles of several sessions have the words ${JSON.stringify(wanted)}. Give the id: ${idsOf(fitting)}.`,
  );
}

const mostNamed = 5;

/** Lists the newest few and counts the rest. */
function idsOf(sessions: readonly SessionSummary[]): string {
  const left = sessions.length - mostNamed;
  const ids = sessions.slice(0, mostNamed).map(({ id }) => id);
  return `${ids.join(", ")}${left > 0 ? ` and ${left} more` : ""}`;
}
