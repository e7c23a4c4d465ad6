/** For tests of this room: a runtime with real sessions on a memory store, a temporary workspace and a given model. */

import { refuse } from "../../base/expected.ts";
import type { Config } from "../../configuration/config.ts";
import type { LiveSession } from "../../runtime/live-session.ts";
import { fileCommandsOf } from "../../runtime/messages/file-commands.ts";
import type { Runtime, Sandbox } from "../../runtime/runtime.ts";
import { testSession, type TestSession, type TestSessionOptions } from "../../testing/session.ts";
import { openTrust } from "../../trust/trust.ts";

export type TestRuntime = Runtime & {
  readonly test: TestSession;
  readonly session: LiveSession;
};

const noSandbox = async (): Promise<Sandbox> => ({ kind: "none", because: "this is a test without one" });

/** Every `open` returns the same session. */
export async function testRuntime(
  model: Runtime["model"],
  options: TestSessionOptions = {},
): Promise<TestRuntime> {
  const test = await testSession(model, options);
  const trust = openTrust("/nowhere", test.workspace.root);
  const place = {
    workspace: test.workspace.root,
    home: "/nowhere",
    configDir: "/nowhere",
    withheld: () => undefined,
  };
  return {
    model,
    test,
    session: test.session,
    store: test.store,
    workspace: test.workspace.root,
    warnings: [],
    trust,
    objection: () => undefined,
    branch: async () => undefined,
    fileCommands: fileCommandsOf(place, trust),
    agents: async () => ({ agents: [], problems: [] }),
    sandbox: options.sandbox ?? noSandbox,
    overlays: async () => undefined,
    open: async () => ({ ok: true, value: test.session }),
    present: () => undefined,
    fork: async () => refuse("there is one session here"),
    close: () => test.close(),
  };
}

const usualSettings: Config = {
  workspace: "/nowhere",
  stateDir: "/nowhere",
  database: undefined,
  configDir: "/nowhere",
  configFile: undefined,
  tools: undefined,
  system: {},
  addons: { user: {}, workspace: {} },
  programs: { user: [], workspace: [] },
  prompt: undefined,
  attach: [],
  input: "text",
  output: "text",
  partial: false,
  outputFile: undefined,
  jsonSchema: undefined,
  goal: undefined,
  askOn: undefined,
  model: undefined,
  mode: "ask",
  knowing: false,
  dialect: "auto",
  constraint: "auto",
  smallModel: "auto",
  maxRounds: undefined,
  maxCost: undefined,
  maxTokens: undefined,
  maxMinutes: undefined,
  retryMs: undefined,
  fallback: [],
  onLimit: "ask",
  completion: "auto",
  gitBranch: "off",
  telemetry: "off",
  contextTokens: undefined,
  reasoning: undefined,
  continue: false,
  resume: undefined,
  fork: false,
  takeOver: false,
  noSave: false,
  sessionId: undefined,
  timeoutMs: undefined,
  offlineModel: false,
  verbose: false,
  plain: true,
  providers: {},
  rules: [],
  autoApproveEdits: [{}, {}],
  registries: [],
  keys: {},
  prices: {},
  lmServer: {},
  port: undefined,
  log: undefined,
  host: "127.0.0.1",
  allowHosts: [],
  drainMs: 10_000,
  answerWithinMs: 60_000,
  checkouts: "/nowhere",
  gitProtocols: [],
  whenAway: "wait",
  warnings: [],
};

export const testSettings = (changes: Partial<Config> = {}): Config => ({ ...usualSettings, ...changes });
