/** A whole session for a test: a real workspace, log and loop, and the model given by the test. */

import type { Expected } from "../base/expected.ts";
import { withoutUndefined } from "../base/without-undefined.ts";
import type { CommandOutcome } from "../protocol/commands.ts";
import type { Model } from "../providers/provider.ts";
import type { ChildrenContext } from "../runtime/children/children.ts";
import { delegating } from "../runtime/children/delegating.ts";
import type { ChosenSettings } from "../runtime/kept-settings.ts";
import type { LiveSession, SessionSetup } from "../runtime/live-session.ts";
import type { Pricing } from "../runtime/models/pricing.ts";
import { openSession } from "../runtime/open-session.ts";
import type { ProjectGrants } from "../runtime/project-grants.ts";
import type { Sandbox } from "../safety/sandbox/sandbox.ts";
import { openMemoryStore } from "../session/sqlite/memory-store.ts";
import { checkedTools } from "../tools/checked-tools.ts";
import { tools as defaultTools } from "../tools/index.ts";
import type { SessionUnderTest, SessionUnderTestOptions } from "./session-under-test.ts";
import { temporaryWorkspace } from "./workspace.ts";

/** What our own tests may set in addition. */
export type TestSessionOptions = SessionUnderTestOptions & {
  /** Whether the mode `trusted` may be used; where this machine is a container by default. */
  mayTrust?: SessionSetup["mayTrust"];
  /** The sandbox for commands; none by default, so every command that does more than read asks first. */
  sandbox?: () => Promise<Sandbox>;
  /** Called when commands may be prepared; by default nothing is. */
  readyCommands?: SessionSetup["readyCommands"];
  /** Lets calls delegate tasks to subagents; off by default. */
  subagents?: Omit<ChildrenContext, "setup">;
  /** User add-ons; none by default. */
  addons?: SessionSetup["addons"];
  projectGrants?: ProjectGrants;
  /** Whether a resumed session keeps its recorded settings, and what is chosen now. */
  chosen?: ChosenSettings;
  /** The model's own by default. */
  reasoning?: SessionSetup["reasoning"];
  maxRounds?: number;
  maxCalls?: number;
  /** Prices of answers; unknown by default. */
  pricing?: Pricing;
  gitBranch?: SessionSetup["gitBranch"];
  /** Hosts that installs may reach, and git, in addition to the public ones. */
  registries?: SessionSetup["registries"];
  /** The models that go on when the model fails for good; none by default. */
  fallback?: readonly string[];
};

/** A whole session for a test, with its log and its files. */
export type TestSession = SessionUnderTest & { session: LiveSession };

/** Opens a session on a memory store and a temporary workspace unless others are given. */
export async function testSession(model: Model, options: TestSessionOptions = {}): Promise<TestSession> {
  const workspace = options.workspace ?? (await temporaryWorkspace(options.files ?? {}));
  const store = options.store ?? openMemoryStore();
  const { subagents } = options;
  const setup: SessionSetup = withoutUndefined({
    store,
    model,
    tools: options.tools ? checkedTools(options.tools) : defaultTools,
    workspace: workspace.root,
    mode: options.mode ?? "ask",
    reasoning: options.reasoning,
    mayTrust: options.mayTrust,
    rules: options.rules ?? [],
    interactive: options.interactive ?? true,
    openModel: options.openModel,
    fallback: options.fallback,
    addons: options.addons,
    observers: options.observers,
    sandbox: options.sandbox,
    readyCommands: options.readyCommands,
    gitBranch: options.gitBranch,
    registries: options.registries,
    now: options.now,
    projectGrants: options.projectGrants,
    completion: options.completion,
    pricing: options.pricing,
    limits: {
      ...options.limits,
      ...withoutUndefined({ maxRounds: options.maxRounds, maxCalls: options.maxCalls }),
    },
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

/** An answered question restarts the engine, so idleness is checked again until the turn is over. */
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
