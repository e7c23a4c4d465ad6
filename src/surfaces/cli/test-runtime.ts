/** A runtime for tests of this room: real sessions on a memory store and a temporary workspace, with the model given. */
import type { Config } from "../../runtime/config.ts";
import type { LiveSession } from "../../runtime/live-session.ts";
import type { Runtime, Sandbox } from "../../runtime/runtime.ts";
import { testSession, type TestSession, type TestSessionOptions } from "../../testing/session.ts";

export type TestRuntime = Runtime & {
  readonly test: TestSession;
  readonly session: LiveSession;
};

const noSandbox = async (): Promise<Sandbox> => ({ kind: "none", because: "this is a test without one" });

/** Every `open` gives the one session. */
export async function testRuntime(
  model: Runtime["model"],
  options: TestSessionOptions = {},
): Promise<TestRuntime> {
  const test = await testSession(model, options);
  return {
    model,
    test,
    session: test.session,
    store: test.store,
    workspace: test.workspace.root,
    warnings: [],
    sandbox: options.sandbox ?? noSandbox,
    layers: async () => undefined,
    open: async () => ({ ok: true, value: test.session }),
    fork: async () => ({ ok: false, problem: "there is one session here" }),
    close: () => test.close(),
  };
}

export const testSettings = (changes: Partial<Config> = {}): Config => ({
  workspace: "/nowhere",
  stateDir: "/nowhere",
  prompt: undefined,
  output: "text",
  model: undefined,
  mode: "ask",
  dialect: "auto",
  maxRounds: undefined,
  maxCost: undefined,
  maxTokens: undefined,
  maxMinutes: undefined,
  onLimit: "ask",
  completion: "auto",
  gitBranch: "off",
  contextTokens: undefined,
  reasoning: undefined,
  continue: false,
  resume: undefined,
  takeOver: false,
  offlineModel: false,
  verbose: false,
  providers: {},
  rules: [],
  autoApproveEdits: [{}, {}],
  registries: [],
  prices: {},
  lmServer: {},
  port: undefined,
  log: undefined,
  host: "127.0.0.1",
  allowHosts: [],
  drainMs: 10_000,
  answerWithinMs: 60_000,
  warnings: [],
  ...changes,
});
