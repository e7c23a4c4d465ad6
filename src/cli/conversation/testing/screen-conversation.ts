/** For tests: a conversation on an emulated screen. */

import type { Config } from "../../../configuration/config.ts";
import type { Runtime } from "../../../runtime/runtime.ts";
import type { TestSessionOptions } from "../../../testing/session.ts";
import { inPieces } from "../../../testing/turns.ts";
import { type EmulatedTerminal, emulatedTerminal } from "../../../tui/testing/screen.ts";
import { testTerminal, type TestTerminal } from "../../../tui/testing/terminal.ts";
import { testRuntime, testSettings, type TestRuntime } from "../../testing/runtime.ts";
import { converseIn } from "../conversation.ts";
import { builtRuntime } from "./conversation.ts";

type ScreenConversation = {
  terminal: TestTerminal;
  screen: EmulatedTerminal;
  /** Resolves to the exit code. */
  over: Promise<number>;
  /** Resolves when the terminal shows this, also in what has scrolled off. */
  shows: (text: string | RegExp) => Promise<void>;
  /** The same of the rows in sight alone, which may be a page's. */
  faces: (text: RegExp) => Promise<void>;
  /** Resolves when the rows in sight no longer have it. */
  hides: (text: string) => Promise<void>;
  type: (text: string) => void;
};

type ScreenSize = { columns?: number; rows?: number; env?: Record<string, string> };
type ScreenStaging = ScreenSize & {
  settings?: Partial<Config>;
  session?: TestSessionOptions;
  /** The window of the model; unknown by default. */
  contextTokens?: number;
};

export async function stageScreen(
  script: Parameters<typeof inPieces>[0],
  { settings, session, contextTokens, ...size }: ScreenStaging = {},
): Promise<ScreenConversation & { runtime: TestRuntime }> {
  const model = inPieces(script, contextTokens === undefined ? {} : { contextTokens });
  const runtime = await testRuntime(model, session);
  return { ...onScreen(runtime, testSettings({ plain: false, ...settings }), size), runtime };
}

/** The same on a runtime as the command builds it, which has many sessions. */
export async function stageBuiltScreen(...staged: Parameters<typeof builtRuntime>) {
  const built = await builtRuntime(...staged);
  return { ...onScreen(built.runtime, { ...built.settings, plain: false }), ...built };
}

function onScreen(
  runtime: Runtime,
  settings: Config,
  { columns = 80, rows = 24, env = {} }: ScreenSize = {},
): ScreenConversation {
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
  const over = converseIn({ terminal: painted, settings }, runtime, "");
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
    over,
    shows: (text) =>
      until(() => {
        const all = screen.all().join("\n");
        return typeof text === "string" ? all.includes(text) : text.test(all);
      }),
    faces: (text) => until(() => text.test(screen.present().join("\n"))),
    hides: (text) => until(() => !screen.present().join("\n").includes(text)),
    type: (text) => terminal.type(text),
  };
}
