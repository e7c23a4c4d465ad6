/** What a screen is given: the terminal, how things look, where completions come from, and what its keys do. */

import type { LongWork } from "../../base/long-work.ts";
import type { Style } from "../../view/style.ts";
import type { CompletionSources } from "../input/completions.ts";
import type { KeyBindings } from "../input/key-bindings.ts";
import type { TickingClock } from "../line/status-line.ts";
import type { ProcessTerminal } from "../process-terminal.ts";
import type { TerminalHandlers } from "../terminal.ts";
import type { FrameTimer } from "./frame-clock.ts";
import type { PromptMarks } from "./prompt-marks.ts";
import type { ScreenFigures } from "./screen-tail.ts";
import type { SessionRowsSetup } from "./session-rows.ts";
import type { SubagentFigures } from "./subagent-rows.ts";
import type { TextRowsSetup } from "./text-rows.ts";

export type ScreenHandlers = TerminalHandlers & {
  /** The next mode by its key. */
  nextMode(): void;
  /** What is docked and told of the session. `told`: called when there is something newer. */
  figures(told: () => void): ScreenFigures;
  /** The terminal is given back. */
  closed(): void;
  /** What goes on beside the request that may take a while. */
  works(): readonly LongWork[];
  /** Of a session that works for this one, while it is open here. */
  subagent(session: string): SubagentFigures | undefined;
  /** The last output or reasoning, in full; undefined if there is none. */
  lastOutput(): Promise<string | undefined>;
  /** ↑ in an empty input: withdraws the last message that waits, as it was typed; undefined if none does. */
  takeBack(): Promise<string | undefined>;
  /** ↓ below an empty input: what the last request changed. */
  review(): void;
  /** Attaches the picture in the clipboard. */
  pastePicture(): void;
};

export type ScreenSetup = {
  terminal: ProcessTerminal;
  verbose: boolean;
  bindings: KeyBindings;
  /** The terminal shows more than ASCII. */
  unicode: boolean;
  markdown: TextRowsSetup["markdown"];
  /** None where the terminal has no use for them. */
  promptMarks: PromptMarks | undefined;
  clock?: TickingClock | undefined;
  timer?: FrameTimer;
  completions: CompletionSources;
  /** What was said in earlier sessions, newest first. */
  said: () => AsyncIterable<string>;
};

export const rowsSetupOf = (
  setup: ScreenSetup & { clock: TickingClock },
  style: Style,
  subagent: ScreenHandlers["subagent"],
): SessionRowsSetup => ({
  ...setup,
  style,
  columns: () => setup.terminal.columns(),
  now: () => setup.clock.now(),
  subagent,
});
