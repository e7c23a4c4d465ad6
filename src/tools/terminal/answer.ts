/** Builds a terminal call's result: the output since the last answer, and the current state. */

import { headAndTail } from "../../base/cut-text.ts";
import { hiddenPorts } from "../../base/terminal/listening-ports.ts";
import { forModel, type ToolResult, text, type ToolContext } from "../tool.ts";
import { changesOf } from "./contained-command.ts";
import type { LiveTerminal } from "./live-terminal.ts";
import { stateInWords, stateOf, type TerminalState } from "./state.ts";

export type AnswerOptions = {
  outcome: ToolResult["outcome"];
  /** The started command, which people see in the call's title. */
  line?: string | undefined;
  /** Text before the output. */
  before?: readonly string[];
  /** Text after the state. */
  after?: readonly string[];
  /** The first output line shown; default: after the last answer. */
  since?: number | undefined;
};

export async function answerFor(
  terminal: LiveTerminal,
  { outcome, line, before = [], after = [], since }: AnswerOptions,
  context: ToolContext,
): Promise<ToolResult> {
  const state = await stateOf(terminal);
  const finished = state.is === "ended" ? await terminal.takeAftermath() : undefined;
  const { note, lines } = outputOf(terminal, since);
  // An interrupted call's result is never read, so its output stays new for the next call.
  if (!context.signal.aborted) markSeen(terminal);
  const whole = lines.join("\n").trimEnd();
  const shown = headAndTail(whole);
  const hints = state.is === "ended" && state.end.exit === 0 ? [] : terminal.hintFor(whole);
  hints.push(...portsNote(terminal, state));
  const next = terminal.screen.cursorLine;
  const said = [`Terminal ${terminal.name}: ${stateInWords(state)}.`, ...after, `Next since: ${next}`];
  const words = [
    ...before,
    ...note,
    ...(shown.text === "" ? ["[no new output]"] : [shown.text]),
    ...[...(finished?.warnings ?? []), ...hints].map((note) => `[${note}]`),
    `[${said.join(" ")}]`,
  ];
  const kept = new TextEncoder().encode(whole);
  return {
    outcome,
    content: [...(line === undefined ? [] : forModel(`Command: ${line}`)), ...text(words.join("\n"))],
    ...(shown.cut
      ? { full: { blob: await context.keep(kept), bytes: kept.length, omitted: shown.left } }
      : {}),
    ...(finished ? changesOf(finished) : {}),
    metadata: { terminal: terminal.name, state: state.is, next },
  };
}

function outputOf({ screen }: LiveTerminal, since: number | undefined): { note: string[]; lines: string[] } {
  if (screen.isFullScreen && since === undefined) {
    // A selection is often shown only by colours and the cursor.
    const { row, column } = screen.cursor;
    const note = `[A full-screen program, its cursor in row ${row}, column ${column}; the screen now:]`;
    return { note: [note], lines: screen.present() };
  }
  const from = since ?? screen.changedFrom;
  if (from === undefined) return { note: [], lines: [] };
  const lines = screen.since(from).map((line) => line.trimEnd());
  const lost = Math.min(screen.first, screen.cursorLine) - from;
  return { note: lost > 0 ? [`[The first ${lost} lines are no longer kept]`] : [], lines };
}

/** A server in the sandbox is reachable only from inside, which its own messages never say. */
function portsNote(terminal: LiveTerminal, state: TerminalState): string[] {
  const { pid, line, runsIn } = terminal;
  // The registry proxy is a port of our own.
  if (state.is === "ended" || pid === undefined || runsIn?.profile === "install") return [];
  const ports = hiddenPorts(pid);
  if (ports.length === 0) return [];
  const again = "with & at its end, and type requests (curl) into that same shell";
  const how =
    state.is === "prompt"
      ? "type requests (curl) into this shell"
      : line === undefined
        ? `end it with ctrl-c, start it again ${again}`
        : `start it in a terminal's shell, ${again}`;
  return terminal.tellOnce(
    `Port ${ports.join(", ")} is open in this terminal's sandbox only: run_command, other terminals and a browser do not reach it. To try it, ${how}.`,
  );
}

function markSeen(terminal: LiveTerminal): void {
  const { screen } = terminal;
  const line = screen.cursorLine;
  terminal.seen = { line, length: screen.since(line)[0]?.length ?? 0 };
  screen.look();
}
