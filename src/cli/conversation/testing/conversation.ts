/** For tests: a conversation on a simulated terminal. */

import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { onTestFinished } from "vitest";
import type { Config } from "../../../configuration/config.ts";
import { startRuntime } from "../../../runtime/runtime.ts";
import type { TestSessionOptions } from "../../../testing/session.ts";
import { inPieces } from "../../../testing/turns.ts";
import { testTerminal, type TestTerminal } from "../../../tui/testing/terminal.ts";
import { type CliContext } from "../../cli-context.ts";
import { testRuntime, testSettings, type TestRuntime } from "../../testing/runtime.ts";
import { converseIn } from "../conversation.ts";

export const enter = "\r";
export const controlC = "\u0003";
export const controlD = "\u0004";

type ConversationStage = { terminal: TestTerminal; runtime: TestRuntime; over: Promise<number> };
/** `first` is a request passed on the command line. */
type StagingOptions = {
  first?: string;
  settings?: Partial<Config>;
  session?: TestSessionOptions;
  given?: CliContext["given"];
};

/** Starts a conversation whose model plays a script; `over` resolves to the exit code. */
export async function stage(
  script: Parameters<typeof inPieces>[0],
  { first = "", settings, session, given }: StagingOptions = {},
): Promise<ConversationStage> {
  const terminal = testTerminal({ terminal: true, env: { NO_COLOR: "1", TERM: "xterm" } });
  const runtime = await testRuntime(inPieces(script), session);
  const over = converseIn({ terminal, settings: testSettings(settings), given }, runtime, first);
  return { terminal, runtime, over };
}

/** The printed lines, without the line editor's drawing. */
export const lines = (terminal: TestTerminal): string[] =>
  stripVTControlCharacters(terminal.printed()).split(/\r?\n/u);

/** The types of all facts so far, in order. */
export const types = (runtime: TestRuntime): string[] => runtime.test.facts().map(({ type }) => type);

/** A runtime as the command builds it, in a workspace and a home of its own. */
export async function builtRuntime(
  script: Parameters<typeof inPieces>[0] = [],
  changes: Partial<Config> = {},
  files: Readonly<Record<string, string>> = {},
) {
  const root = await realpath(await mkdtemp(join(tmpdir(), "toolwright-conversation-")));
  const workspace = join(root, "w");
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(workspace, path)), { recursive: true });
    await writeFile(join(workspace, path), text);
  }
  const settings = testSettings({
    workspace,
    stateDir: join(root, "s"),
    configDir: join(root, "c"),
    ...changes,
  });
  const model = inPieces(script);
  const started = await startRuntime(settings, {
    env: { HOME: root },
    interactive: true,
    model,
    sandbox: async () => ({ kind: "none", because: "this is a test without one" }),
  });
  if (!started.ok) throw new Error(started.problem);
  const runtime = started.value;
  onTestFinished(async () => {
    await runtime.close();
    await rm(root, { recursive: true, force: true });
  });
  return { root, workspace, settings, model, runtime };
}

/** The same on such a runtime. */
export async function stageBuilt(...staged: Parameters<typeof builtRuntime>) {
  const { root, workspace, settings, model, runtime } = await builtRuntime(...staged);
  const env = { NO_COLOR: "1", TERM: "xterm", HOME: root };
  const terminal = testTerminal({ terminal: true, env, cwd: workspace });
  const over = converseIn({ terminal, settings }, runtime, "");
  await terminal.until("> ");
  /** Resolves at the next prompt, after these marks. */
  const say = async (text: string, ...marks: string[]): Promise<void> => {
    terminal.type(`${text}${enter}`);
    for (const mark of marks) await terminal.until(mark);
    await terminal.until("> ");
  };
  /** Resolves to all lines. */
  const leave = async (): Promise<string[]> => {
    terminal.type(controlD);
    await over;
    return lines(terminal);
  };
  return { terminal, over, say, leave, model, runtime, workspace };
}
