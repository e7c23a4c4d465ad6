/** A whole session for a test: a real workspace, a real log, the real loop, and the model that the test gives. */

import type { Completion, Limits } from "../agent/room.ts";
import { defined } from "../base/defined.ts";
import type { Expected } from "../base/expected.ts";
import type { CommandOutcome } from "../protocol/commands.ts";
import type { Entry, Mode } from "../protocol/facts.ts";
import type { Model } from "../providers/provider.ts";
import type { ChildrenRoom } from "../runtime/children/children.ts";
import { delegating } from "../runtime/children/delegating.ts";
import type { Chosen } from "../runtime/config/kept-settings.ts";
import type { LiveSession, SessionSetup } from "../runtime/live-session.ts";
import type { Pricing } from "../runtime/models/pricing.ts";
import { openSession } from "../runtime/open-session.ts";
import type { ProjectGrants } from "../runtime/project-grants.ts";
import type { RuleLayer } from "../safety/rules.ts";
import type { Sandbox } from "../safety/sandbox/sandbox.ts";
import { MemoryStore } from "../session/memory/memory.ts";
import type { Store } from "../session/store.ts";
import { tools as defaultTools } from "../tools/index.ts";
import type { Tool } from "../tools/tool.ts";
import { temporaryWorkspace, type TemporaryWorkspace } from "./workspace.ts";

/** What a test session is opened with. */
export type TestSessionOptions = {
  /** What the workspace holds, by path; nothing by default. */
  files?: Record<string, string>;
  /** "ask" by default. */
  mode?: Mode;
  rules?: readonly RuleLayer[];
  /** Whether a person can be asked; true by default. */
  interactive?: SessionSetup["interactive"];
  /** Opens another model by its name; none can be chosen by default. */
  openModel?: SessionSetup["openModel"];
  /** What commands run in; nothing by default, and then each one that does more than read asks. */
  sandbox?: () => Promise<Sandbox>;
  /** Who hears what happens in it. */
  observers?: SessionSetup["observers"];
  /** Calls can give tasks to subagents, in this way; they cannot by default. */
  subagents?: Omit<ChildrenRoom, "setup">;
  /** What users add; nothing by default. */
  addons?: SessionSetup["addons"];
  projectGrants?: ProjectGrants;
  /** Our own by default. */
  tools?: readonly Tool[];
  /** In memory by default. */
  store?: Store;
  /** Instead of a new one with `files`; whoever made it removes it. */
  workspace?: TemporaryWorkspace;
  /** Goes on with this session instead of a new one. */
  resume?: string;
  /** Whose mode and model it is opened with, and what is chosen now. */
  chosen?: Chosen;
  maxRounds?: number;
  maxCalls?: number;
  limits?: Partial<Limits>;
  /** What answers cost; unknown by default. */
  pricing?: Pricing;
  completion?: Completion;
  gitBranch?: SessionSetup["gitBranch"];
  /** Milliseconds since 1970. */
  now?: () => number;
};

/** A whole session for a test. */
export type TestSession = {
  session: LiveSession;
  workspace: TemporaryWorkspace;
  store: Store;
  /** Sends a request and waits until nothing runs. Answers every question as told; a refused command throws. */
  ask: (text: string, answer?: "allow" | "deny") => Promise<void>;
  /** What its log holds: the newest facts, which are all of a short session. */
  facts: () => readonly Entry[];
  /** Closes the session, and removes a workspace that it made itself. */
  close: () => Promise<void>;
};

/** Opens a session on a memory store and a temporary workspace unless others are given. */
export async function testSession(model: Model, options: TestSessionOptions = {}): Promise<TestSession> {
  const workspace = options.workspace ?? (await temporaryWorkspace(options.files ?? {}));
  const store = options.store ?? new MemoryStore();
  const { subagents } = options;
  const setup: SessionSetup = defined({
    store,
    model,
    tools: options.tools ?? defaultTools,
    workspace: workspace.root,
    mode: options.mode ?? "ask",
    rules: options.rules ?? [],
    interactive: options.interactive ?? true,
    openModel: options.openModel,
    addons: options.addons,
    observers: options.observers,
    sandbox: options.sandbox,
    gitBranch: options.gitBranch,
    now: options.now,
    projectGrants: options.projectGrants,
    completion: options.completion,
    pricing: options.pricing,
    limits: { ...options.limits, ...defined({ maxRounds: options.maxRounds, maxCalls: options.maxCalls }) },
    sleep: async () => undefined,
    delegate: subagents && delegating(() => ({ setup, ...subagents })),
  });
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

function must<T>(parsed: Expected<T>): T {
  if (!parsed.ok) throw new Error(parsed.problem);
  return parsed.value;
}
