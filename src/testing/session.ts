/** A whole session for a test: a real workspace, a real log, the real loop, and the model that the test gives. */
import type { Completion, Limits } from "../agent/room.ts";
import type { Parsed } from "../base/json.ts";
import type { CommandOutcome } from "../protocol/commands.ts";
import type { Entry, Mode } from "../protocol/facts.ts";
import type { Model } from "../providers/provider.ts";
import type { Chosen } from "../runtime/kept-settings.ts";
import type { LiveSession, SessionSetup } from "../runtime/live-session.ts";
import { openSession } from "../runtime/open-session.ts";
import type { Pricing } from "../runtime/pricing.ts";
import type { ProjectGrants } from "../runtime/project-grants.ts";
import type { Sandbox } from "../safety/sandbox/sandbox.ts";
import type { RuleLayer } from "../safety/rules.ts";
import { MemoryStore } from "../session/memory.ts";
import type { Store } from "../session/store.ts";
import { tools as defaultTools } from "../tools/index.ts";
import type { Tool } from "../tools/tool.ts";
import { temporaryWorkspace, type TemporaryWorkspace } from "./workspace.ts";

export type TestSessionOptions = {
  files?: Record<string, string>;
  mode?: Mode;
  rules?: readonly RuleLayer[];
  /** Whether a person can be asked; true unless told. */
  interactive?: SessionSetup["interactive"];
  /** Opens another model by its name; none can be chosen unless told. */
  openModel?: SessionSetup["openModel"];
  /** What commands run in; nothing unless told, and then each one that does more than read asks. */
  sandbox?: () => Promise<Sandbox>;
  projectGrants?: ProjectGrants;
  tools?: readonly Tool[];
  store?: Store;
  workspace?: TemporaryWorkspace;
  /** Goes on with this session instead of a new one. */
  resume?: string;
  /** Whose mode and model it is opened with, and what is chosen now. */
  chosen?: Chosen;
  maxRounds?: number;
  maxCalls?: number;
  limits?: Partial<Limits>;
  /** What answers cost; unknown unless told. */
  pricing?: Pricing;
  completion?: Completion;
  gitBranch?: SessionSetup["gitBranch"];
  /** Milliseconds since 1970. */
  now?: () => number;
};

export type TestSession = {
  session: LiveSession;
  workspace: TemporaryWorkspace;
  store: Store;
  /** Sends a request and waits until nothing runs. Answers every question as told; a refused command throws. */
  ask: (text: string, answer?: "allow" | "deny") => Promise<void>;
  facts: () => readonly Entry[];
  close: () => Promise<void>;
};

/** Opens a session on a memory store and a temporary workspace unless others are given. */
export async function testSession(model: Model, options: TestSessionOptions = {}): Promise<TestSession> {
  const workspace = options.workspace ?? (await temporaryWorkspace(options.files ?? {}));
  const store = options.store ?? new MemoryStore();
  const setup: SessionSetup = {
    store,
    model,
    tools: options.tools ?? defaultTools,
    workspace: workspace.root,
    mode: options.mode ?? "ask",
    rules: options.rules ?? [],
    interactive: options.interactive ?? true,
    ...(options.openModel ? { openModel: options.openModel } : {}),
    ...(options.sandbox ? { sandbox: options.sandbox } : {}),
    ...(options.gitBranch ? { gitBranch: options.gitBranch } : {}),
    ...(options.now ? { now: options.now } : {}),
    ...(options.projectGrants ? { projectGrants: options.projectGrants } : {}),
    ...(options.completion ? { completion: options.completion } : {}),
    ...(options.pricing ? { pricing: options.pricing } : {}),
    limits: {
      ...options.limits,
      ...(options.maxRounds === undefined ? {} : { maxRounds: options.maxRounds }),
      ...(options.maxCalls === undefined ? {} : { maxCalls: options.maxCalls }),
    },
    sleep: async () => undefined,
  };
  const session = must(await openSession(setup, { resume: options.resume, ...options.chosen }));
  return {
    session,
    workspace,
    store,
    ask: (text, answer = "allow") => askAndAnswer(session, text, answer),
    facts: () => session.log.entries,
    close: async () => {
      await session.close();
      if (!options.workspace) await workspace.remove();
    },
  };
}

async function askAndAnswer(session: LiveSession, text: string, answer: "allow" | "deny"): Promise<void> {
  const leave = session.log.listen((event) => {
    if (event.type !== "approval-asked") return;
    const reply = {
      type: "answer-approval",
      callId: event.callId,
      answer,
      scope: "once",
      by: "test",
    } as const;
    queueMicrotask(() => void session.command(reply));
  });
  try {
    accept(await session.command({ type: "send", content: [{ type: "text", text }] }));
    await untilOver(session);
  } finally {
    leave();
  }
}

/** An answered question starts the engine again, so "nothing runs" is asked until the turn is over. */
async function untilOver(session: LiveSession): Promise<void> {
  await session.idle();
  if (session.state.status === "idle") return;
  await session.log.until((entry) => entry.type === "turn-end", new AbortController().signal);
  await session.idle();
}

function accept(outcome: CommandOutcome): void {
  if (!outcome.ok) throw new Error(outcome.problem);
}

function must<T>(parsed: Parsed<T>): T {
  if (!parsed.ok) throw new Error(parsed.problem);
  return parsed.value;
}
