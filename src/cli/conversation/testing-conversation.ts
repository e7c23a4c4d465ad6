/** For tests: a conversation on a simulated terminal. */

import { stripVTControlCharacters } from "node:util";
import type { Config } from "../../configuration/config.ts";
import type { TestSessionOptions } from "../../testing/session.ts";
import { inPieces } from "../../testing/turns.ts";
import { testTerminal, type TestTerminal } from "../../tui/testing-terminal.ts";
import { testRuntime, testSettings, type TestRuntime } from "../testing-runtime.ts";
import { converseIn } from "./conversation.ts";

export const enter = "\r";
export const controlC = "\u0003";
export const controlD = "\u0004";

type ConversationStage = { terminal: TestTerminal; runtime: TestRuntime; over: Promise<number> };
/** `first` is a request passed on the command line. */
type StagingOptions = { first?: string; settings?: Partial<Config>; session?: TestSessionOptions };

/** Starts a conversation whose model plays a script; `over` resolves to the exit code. */
export async function stage(
  script: Parameters<typeof inPieces>[0],
  { first = "", settings, session }: StagingOptions = {},
): Promise<ConversationStage> {
  const terminal = testTerminal({ terminal: true, env: { NO_COLOR: "1", TERM: "xterm" } });
  const runtime = await testRuntime(inPieces(script), session);
  const over = converseIn({ terminal, settings: testSettings(settings) }, runtime, first);
  return { terminal, runtime, over };
}

/** The printed lines, without the line editor's drawing. */
export const lines = (terminal: TestTerminal): string[] =>
  stripVTControlCharacters(terminal.printed()).split(/\r?\n/u);

/** The types of all facts so far, in order. */
export const types = (runtime: TestRuntime): string[] => runtime.test.facts().map(({ type }) => type);
