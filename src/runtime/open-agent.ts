/** Toolwright embedded in another program: settings as values, sessions, and requests that return their answer. */

import type { Expected } from "../base/expected.ts";
import { loadConfig } from "../configuration/config.ts";
import type { Values } from "../configuration/options/option-values.ts";
import type { Entry, Mode, Signal } from "../protocol/facts.ts";
import type { TurnState } from "../protocol/session-state.ts";
import type { LiveSession } from "./live-session.ts";
import type { Model } from "./models/models.ts";
import type { RuntimeContext } from "./runtime-context.ts";
import { type Runtime, startRuntime } from "./runtime.ts";

/** All optional, with the command line's defaults, except that no person is asked unless `interactive` says so. */
export type RuntimeOptions = Partial<Omit<RuntimeContext, "model">> & {
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
};

/** The options of one agent. */
export type AgentOptions = RuntimeOptions & {
  /** The id of a session to continue, instead of a new one. */
  resume?: string;
};

/** The result of a request that has finished or is waiting for a person. */
export type AgentTurn = Pick<TurnState, "text" | "stopped" | "changes" | "usage" | "cost">;

/** One session in this process. */
export type Agent = AsyncDisposable & {
  readonly session: LiveSession;
  /**
   * Sends a request; resolves when it is finished or waits for a person. Rejects with what the command line would
   * print.
   */
  ask(request: string): Promise<AgentTurn>;
  /** Sends a request and yields its facts and signals as they happen. `signal` stops the stream, not the request. */
  stream(request: string, signal?: AbortSignal): AsyncGenerator<Entry | Signal, void>;
  close(): Promise<void>;
};

/** A runtime for many sessions of one workspace. Throws an Error with one line: what is wrong and what to do. */
export async function openRuntime(options: RuntimeOptions = {}): Promise<Runtime> {
  const { workspace, stateDir, model, mode, settings, ...context } = options;
  const env = context.env ?? process.env;
  const flags: Values = {
    ...settings,
    ...(workspace === undefined ? {} : { cwd: workspace }),
    ...(stateDir === undefined ? {} : { stateDir }),
    ...(mode === undefined ? {} : { mode }),
    ...(typeof model === "string" ? { model } : {}),
  };
  const own = typeof model === "object" ? { model } : {};
  const words = { command: "chat", flags, environment: {} } as const;
  const sources = { arguments: words, env, cwd: process.cwd(), tools: context.tools };
  const config = orThrow(await loadConfig(sources));
  return orThrow(await startRuntime(config, { interactive: false, ...context, env, ...own }));
}

/** A runtime with one session. Throws an Error with one line: what is wrong and what to do. */
export async function openAgent({ resume, ...options }: AgentOptions = {}): Promise<Agent> {
  const runtime = await openRuntime(options);
  const opened = await runtime.open(resume === undefined ? {} : { resume });
  if (!opened.ok) await runtime.close();
  const session = orThrow(opened);
  const close = async (): Promise<void> => {
    await session.close();
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
    stream: (request, signal) => requestEvents(session, request, signal),
    close,
    [Symbol.asyncDispose]: close,
  };
}

async function* requestEvents(session: LiveSession, request: string, signal?: AbortSignal) {
  const seen = session.state.seq;
  await send(session, request);
  for await (const event of session.follow(seen, signal ?? new AbortController().signal)) {
    yield event;
    if (event.type === "turn-end") return;
  }
}

async function send(session: LiveSession, request: string): Promise<void> {
  const sent = await session.command({ type: "send", content: [{ type: "text", text: request }] });
  if (!sent.ok) throw new Error(sent.problem);
}

function orThrow<T>(result: Expected<T>): T {
  if (result.ok) return result.value;
  throw new Error(result.problem);
}
