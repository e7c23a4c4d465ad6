/** What a model is told of a terminal: its output since the last answer, and what it is doing now. */
import { headAndTail } from "../../base/text.ts";
import { changesOf } from "../contained.ts";
import { type Produced, text, type ToolRoom } from "../tool.ts";
import type { LiveTerminal } from "./live-terminal.ts";
import { stateInWords, stateOf } from "./state.ts";

export type AnswerOptions = {
  outcome: Produced["outcome"];
  /** What stands before the output. */
  before?: readonly string[];
  /** What is said after the state. */
  after?: readonly string[];
  /** The line from which output is shown; after the last answer unless given. */
  since?: number | undefined;
};

export async function answerFor(
  terminal: LiveTerminal,
  { outcome, before = [], after = [], since }: AnswerOptions,
  room: ToolRoom,
): Promise<Produced> {
  const state = await stateOf(terminal);
  const finished = state.is === "ended" ? await terminal.takeAftermath() : undefined;
  const { note, lines } = outputOf(terminal, since);
  markSeen(terminal);
  const whole = lines.join("\n").trimEnd();
  const shown = headAndTail(whole);
  const next = terminal.screen.cursorLine;
  const said = [`Terminal ${terminal.name}: ${stateInWords(state)}.`, ...after, `Next since: ${next}`];
  const words = [
    ...before,
    ...note,
    ...(shown.text === "" ? ["[no new output]"] : [shown.text]),
    ...(finished?.warnings ?? []).map((warning) => `[${warning}]`),
    `[${said.join(" ")}]`,
  ];
  const kept = new TextEncoder().encode(whole);
  return {
    outcome,
    content: text(words.join("\n")),
    ...(shown.cut ? { full: { blob: await room.keep(kept), bytes: kept.length } } : {}),
    ...(finished ? changesOf(finished) : {}),
    metadata: { terminal: terminal.name, state: state.is, next },
  };
}

function outputOf({ screen }: LiveTerminal, since: number | undefined): { note: string[]; lines: string[] } {
  if (screen.isFullScreen && since === undefined) {
    return { note: ["[A full-screen program; the screen now:]"], lines: screen.present() };
  }
  const from = since ?? screen.changedFrom;
  if (from === undefined) return { note: [], lines: [] };
  const lines = screen.since(from).map((line) => line.trimEnd());
  const lost = Math.min(screen.first, screen.cursorLine) - from;
  return { note: lost > 0 ? [`[The first ${lost} lines are no longer kept]`] : [], lines };
}

function markSeen(terminal: LiveTerminal): void {
  const { screen } = terminal;
  const line = screen.cursorLine;
  terminal.seen = { line, length: screen.since(line)[0]?.length ?? 0 };
  screen.look();
}
