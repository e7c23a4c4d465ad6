/** Waits for a terminal's next event, never longer than requested. */

import { inTime } from "../../base/async.ts";
import { kib } from "../../base/bound.ts";
import { countBelow } from "../../base/terminal/reader.ts";
import { withinTime } from "../../base/time-limit.ts";
import type { LiveTerminal } from "./live-terminal.ts";
import { stateOf, type TerminalState } from "./state.ts";

export type Until = {
  pattern?: RegExp | undefined;
  /** The first line searched for the pattern; default: after what the model last saw. */
  from?: number | undefined;
  /** Stop waiting once the program expects input. */
  settles: boolean;
  /** Stop waiting after this much time without output. */
  quietMs?: number | undefined;
  timeoutMs: number;
  /** Something was typed that may not have arrived yet. */
  wasTyped?: boolean | undefined;
};

/** `hopeless`: no process that could write the pattern is left. `slow`: searching for the pattern took too long. */
export type Why = "ended" | "matched" | "settled" | "quiet" | "timeout" | "cancelled" | "hopeless" | "slow";

/** The delay after the last output before checking whether input is expected. */
const settleMs = 50;
/** The same if no output has come since something was typed. */
const silentMs = 300;
const shortestPauseMs = 20;
const longestPauseMs = 400;

export async function waitFor(terminal: LiveTerminal, until: Until, signal: AbortSignal): Promise<Why> {
  const begun = performance.now();
  let heardAt = -1;
  let pauseMs = shortestPauseMs;
  for (;;) {
    if (terminal.end) return matches(terminal, until) === true ? "matched" : "ended";
    if (signal.aborted) return "cancelled";
    const isNew = terminal.lastOutputAt !== heardAt;
    heardAt = terminal.lastOutputAt;
    pauseMs = isNew ? shortestPauseMs : Math.min(longestPauseMs, pauseMs * 1.5);
    if (isNew) {
      const found = matches(terminal, until);
      if (found === true) return "matched";
      if (found === "slow") return found;
    }
    const now = performance.now();
    const quietMs = now - Math.max(begun, heardAt);
    if (quietMs >= (until.wasTyped && heardAt <= begun ? silentMs : settleMs)) {
      const why = enough(await stateOf(terminal), until);
      if (why && terminal.lastOutputAt === heardAt) return why;
    }
    if (until.quietMs !== undefined && quietMs >= until.quietMs) return "quiet";
    if (now - begun >= until.timeoutMs) return "timeout";
    const leftMs = until.timeoutMs - (now - begun);
    await inTime(terminal.ended, { ms: Math.min(pauseMs, leftMs), signal });
  }
}

function enough(state: TerminalState, { settles, pattern }: Until): Why | undefined {
  if (state.is === "ended") return undefined;
  if (state.is === "password") return "settled";
  if (settles && (state.is === "prompt" || state.is === "waiting")) return "settled";
  return pattern && state.is === "prompt" && countBelow(state.pid) === 0 ? "hopeless" : undefined;
}

/** A model's pattern may backtrack endlessly, and megabytes may have to be searched at every output. */
const longestSearchMs = 250;
const mostLines = 4000;
/** Terminal output in which a pattern is searched, in characters. */
const mostCharacters = 256 * kib;

function matches(terminal: LiveTerminal, { pattern, from }: Until): boolean | "slow" {
  if (!pattern) return false;
  const found = withinTime(longestSearchMs, () => findIn(terminal, pattern, from));
  return found.ok ? found.value : "slow";
}

/** Skips the echo of typed input, and output the model saw before. */
function findIn({ screen, seen, echoes }: LiveTerminal, pattern: RegExp, from: number | undefined): boolean {
  if (screen.isFullScreen && pattern.test(screen.present().join("\n"))) return true;
  const wanted = from ?? Math.min(seen.line, screen.changedFrom ?? seen.line);
  const first = Math.max(wanted, screen.cursorLine - mostLines, screen.first);
  const text = screen.since(first).join("\n").slice(-mostCharacters);
  const isAfterSeen = from === undefined && first === seen.line;
  const typed = placesOf(echoes, text);
  const all = new RegExp(pattern.source, `${pattern.flags.replace("g", "")}g`);
  for (const match of text.matchAll(all)) {
    const end = match.index + match[0].length;
    if (isAfterSeen && end <= seen.length) continue;
    if (!typed.some((place) => match.index >= place.from && end <= place.to)) return true;
  }
  return false;
}

type EchoRange = { from: number; to: number };

function placesOf(echoes: readonly string[], text: string): EchoRange[] {
  const places: EchoRange[] = [];
  for (const echo of echoes) {
    const from = text.indexOf(echo, places.at(-1)?.to ?? 0);
    if (from !== -1) places.push({ from, to: from + echo.length });
  }
  return places;
}

/** Whether the pattern matches output already shown, for a call that waits for it again. */
export function stoodBefore({ screen, echoes }: LiveTerminal, pattern: RegExp): boolean {
  const text = screen
    .since(Math.max(screen.first, screen.cursorLine - mostLines))
    .join("\n")
    .slice(-mostCharacters);
  const found = withinTime(longestSearchMs, () =>
    pattern.test(echoes.reduce((rest, echo) => rest.replace(echo, ""), text)),
  );
  return found.ok && found.value;
}
