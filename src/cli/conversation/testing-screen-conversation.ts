/** For tests: a conversation on an emulated screen. */

import type { Config } from "../../configuration/config.ts";
import type { TestSessionOptions } from "../../testing/session.ts";
import { inPieces } from "../../testing/turns.ts";
import { type EmulatedTerminal, emulatedTerminal } from "../../tui/testing-screen.ts";
import { testTerminal, type TestTerminal } from "../../tui/testing-terminal.ts";
import { testRuntime, testSettings, type TestRuntime } from "../testing-runtime.ts";
import { converseIn } from "./conversation.ts";

type ScreenConversation = {
  terminal: TestTerminal;
  screen: EmulatedTerminal;
  runtime: TestRuntime;
  /** Resolves to the exit code. */
  over: Promise<number>;
  /** Resolves when the terminal shows this, also in what has scrolled off. */
  shows: (text: string | RegExp) => Promise<void>;
  /** Resolves when the rows in sight no longer have it. */
  hides: (text: string) => Promise<void>;
  type: (text: string) => void;
};

type ScreenStaging = {
  columns?: number;
  rows?: number;
  settings?: Partial<Config>;
  session?: TestSessionOptions;
  /** The window of the model; unknown by default. */
  contextTokens?: number;
  env?: Record<string, string>;
};

export async function stageScreen(
  script: Parameters<typeof inPieces>[0],
  { columns = 80, rows = 24, settings, session, contextTokens, env = {} }: ScreenStaging = {},
): Promise<ScreenConversation> {
  const screen = emulatedTerminal(columns, rows);
  const waiting = new Set<() => void>();
  const terminal = testTerminal({ terminal: true, env: { TERM: "xterm-256color", LANG: "C.UTF-8", ...env } });
  const painted: TestTerminal = {
    ...terminal,
    columns: () => columns,
    rows: () => rows,
    print(text) {
      screen.print(text);
      terminal.print(text);
      for (const look of waiting) look();
    },
  };
  const runtime = await testRuntime(
    inPieces(script, contextTokens === undefined ? {} : { contextTokens }),
    session,
  );
  const over = converseIn(
    { terminal: painted, settings: testSettings({ plain: false, ...settings }) },
    runtime,
    "",
  );
  const until = (isSo: () => boolean): Promise<void> =>
    new Promise((resolve) => {
      const look = (): void => {
        if (!isSo()) return;
        waiting.delete(look);
        resolve();
      };
      waiting.add(look);
      look();
    });
  return {
    terminal: painted,
    screen,
    runtime,
    over,
    shows: (text) =>
      until(() => {
        const all = screen.all().join("\n");
        return typeof text === "string" ? all.includes(text) : text.test(all);
      }),
    hides: (text) => until(() => !screen.present().join("\n").includes(text)),
    type: (text) => terminal.type(text),
  };
}
