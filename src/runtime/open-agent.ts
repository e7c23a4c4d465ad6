/** Toolwright embedded in another program: settings as values, sessions, and requests that return their answer. */

import type { Observer } from "../addons/observer.ts";
import type { AddonOpener } from "../addons/part.ts";
import type { EnvironmentVariables } from "../base/environment-variables.ts";
import { type Expected, orThrow, refuse } from "../base/expected.ts";
import { loadConfig } from "../configuration/config.ts";
import type { Values } from "../configuration/options/option-values.ts";
import type { Dialect } from "../dialects/dialect.ts";
import type { Entry, Mode, Signal } from "../protocol/facts.ts";
import type { TurnState } from "../protocol/session-state.ts";
import type { SessionRecords, Store } from "../session/store.ts";
import type { Tool } from "../tools/tool.ts";
import type { AgentSession } from "./agent-session.ts";
import type { Model } from "./models/models.ts";
import type { Presence } from "./policy.ts";
import { readSettings, toolsProblem } from "./program-options.ts";
import { startRuntime } from "./runtime.ts";

/**
 * All optional, with the command line's defaults, except that no person is asked unless `interactive` says so. @public
 */
export type RuntimeOptions = {
  /** The directory that tools may touch; created if missing. Default: the current one. */
  workspace?: string;
  /** Where sessions are stored; never inside the workspace. Default: as for the command line. */
  stateDir?: string;
  /** "provider/name", a server's address, or a model object of your own. */
  model?: string | Model;
  /** What may happen without asking. */
  mode?: Mode;
  /** Any other option of docs/configuration.md, by its name there: `{ maxRounds: 10 }`. */
  settings?: Values;
  /** Default: this process's environment variables. */
  env?: EnvironmentVariables;
  /** Whether a person can be asked: always, or in a session (given by its id) at this moment. */
  interactive?: Presence;
  /** Replaces the built-in tools; spread `tools` into the list to have both. */
  tools?: readonly Tool[];
  /** Hooks in code, and tools that come and go, in addition to those of the settings. */
  addons?: readonly AddonOpener[];
  /** In addition to the built-in dialects; the setting `dialect` may name one of these. */
  dialects?: readonly Dialect[];
  /** Receive what happens in each session. Closing the runtime does not close them. */
  observers?: readonly Observer[];
  /** Replaces the store in the state directory; closing the runtime does not close it. */
  store?: Store;
  /** Called when a subagent's session has been opened. */
  childOpened?: (child: AgentSession) => void;
};

/** The options of one agent. @public */
export type AgentOptions = RuntimeOptions & {
  /** The id of a session to continue, instead of a new one. */
  resume?: string;
};

/** The result of a request that has finished or is waiting for a person. @public */
export type AgentTurn = Pick<TurnState, "text" | "stopped" | "changes" | "usage" | "cost">;

/** One session in this process. @public */
export type Agent = AsyncDisposable & {
  readonly session: AgentSession;
  /**
   * Sends a request; resolves when it is finished or waits for a person. Rejects with what the command line would
   * print.
   */
  ask(request: string): Promise<AgentTurn>;
  /** Sends a request and yields its facts and signals as they happen. `signal` stops the stream, not the request; so does `close`. */
  stream(request: string, signal?: AbortSignal): AsyncGenerator<Entry | Signal, void>;
  close(): Promise<void>;
};

/** Which session to open, and what it begins with; by default a new one. @public */
export type SessionChoice = {
  /** The newest session of the workspace. */
  continue?: boolean;
  /** The session whose id is this, or ends with it. */
  resume?: string;
  /** The session with this id, which is new if there is none yet. */
  id?: string;
  /** Even if another running program has it open: only when a person asks for that. */
  takeOver?: boolean;
  mode?: Mode;
  /** "provider/name". */
  model?: string;
};

/** The sessions of one workspace, in this process. @public */
export type AgentRuntime = {
  /** Absolute, with symbolic links resolved. */
  readonly workspace: string;
  /** For people: one line each. */
  readonly warnings: readonly string[];
  readonly model: Model;
  /** All stored sessions, also of other workspaces: to list, search and delete them. */
  readonly sessions: SessionRecords;
  /** A session that is open here already is shared: whoever opened it must close it. */
  open(which?: SessionChoice): Promise<Expected<AgentSession>>;
  /** Copies a session and opens the copy: everything before `beforeTurn`, or all finished turns by default. */
  fork(id: string, beforeTurn?: number): Promise<Expected<AgentSession>>;
  close(): Promise<void>;
};

/**
 * A runtime for many sessions of one workspace. Throws an Error with one line: what is wrong and what to do. @public
 */
export async function openRuntime(options: RuntimeOptions = {}): Promise<AgentRuntime> {
  const { workspace, stateDir, model, mode, settings, ...context } = options;
  const env = context.env ?? process.env;
  const toolProblem = toolsProblem(context.tools ?? []);
  if (toolProblem !== undefined) throw new Error(toolProblem);
  const given = {
    ...settings,
    ...(workspace === undefined ? {} : { cwd: workspace }),
    ...(stateDir === undefined ? {} : { stateDir }),
    ...(mode === undefined ? {} : { mode }),
    ...(typeof model === "string" ? { model } : {}),
  };
  const flags = orThrow(readSettings(given));
  const own = typeof model === "object" ? { model } : {};
  const words = { command: "chat", flags, environment: {} } as const;
  const sources = { arguments: words, env, cwd: process.cwd(), tools: context.tools };
  const config = orThrow(await loadConfig(sources));
  const runtime = orThrow(await startRuntime(config, { interactive: false, ...context, env, ...own }));
  let isClosed = false;
  return {
    workspace: runtime.workspace,
    warnings: runtime.warnings,
    model: runtime.model,
    sessions: runtime.store,
    open: async (which = {}) => (isClosed ? over : runtime.open(which)),
    fork: async (id, beforeTurn) => (isClosed ? over : runtime.fork(id, beforeTurn)),
    close() {
      isClosed = true;
      return runtime.close();
    },
  };
}

const over = refuse("The runtime is closed. Open another one.");

/** A runtime with one session. Throws an Error with one line: what is wrong and what to do. @public */
export async function openAgent({ resume, ...options }: AgentOptions = {}): Promise<Agent> {
  const runtime = await openRuntime(options);
  const opened = await runtime.open(resume === undefined ? {} : { resume });
  if (!opened.ok) await runtime.close();
  const session = orThrow(opened);
  const closed = new AbortController();
  const close = async (): Promise<void> => {
    await session.close();
    closed.abort();
    await runtime.close();
  };
  return {
    session,
    async ask(request) {
      await send(session, request);
      await session.idle();
      const turn = session.state.turns.at(-1);
      if (!turn) throw new Error("The request was withdrawn before it began.");
      return turn;
    },
    stream: (request, signal = closed.signal) =>
      requestEvents(session, request, AbortSignal.any([signal, closed.signal])),
    close,
    [Symbol.asyncDispose]: close,
  };
}

async function* requestEvents(session: AgentSession, request: string, signal: AbortSignal) {
  const seen = session.state.seq;
  await send(session, request);
  for await (const event of session.follow(seen, signal)) {
    yield event;
    if (event.type === "turn-end") return;
  }
}

async function send(session: AgentSession, request: string): Promise<void> {
  const sent = await session.command({ type: "send", content: [{ type: "text", text: request }] });
  if (!sent.ok) throw new Error(sent.problem);
}
