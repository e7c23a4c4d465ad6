/** Shared by the terminal tool's calls: arguments, finding the terminal, waiting and answering. */

import { durationInWords } from "../../base/amounts.ts";
import { kib } from "../../base/bound.ts";
import { type Expected, errorMessage, refuse } from "../../base/expected.ts";
import { ansiStripper } from "../../base/terminal/plain-text.ts";
import { commandBounds, terminalBounds } from "../bounds.ts";
import type { ToolResult, ToolContext } from "../tool.ts";
import { answerFor, type AnswerOptions } from "./answer.ts";
import type { LiveTerminal } from "./live-terminal.ts";
import { stoodBefore, type Until, waitFor, type Why } from "./waiting.ts";

export type TerminalInput = {
  terminal?: string | undefined;
  command?: string | undefined;
  cwd?: string | undefined;
  input?: string | undefined;
  enter?: boolean | undefined;
  key?: string | undefined;
  pattern?: string | undefined;
  quietSeconds?: number | undefined;
  timeoutSeconds?: number | undefined;
  since?: number | undefined;
};

/** One shell per session unless more are named (A32). */
export const nameIn = ({ terminal = "main" }: TerminalInput): string => terminal;

export function findTerminal(
  input: TerminalInput,
  { terminals }: Pick<ToolContext, "terminals">,
): Expected<LiveTerminal> {
  const name = nameIn(input);
  const found = terminals.get(name);
  if (found) return { ok: true, value: found };
  const known = terminals.all().map((terminal) => terminal.name);
  const others = known.length === 0 ? "" : ` There are: ${known.join(", ")}.`;
  return refuse(`There is no terminal ${name}.${others} Begin with {"action": "start"}.`);
}

const usualTimeoutSeconds = terminalBounds.waitTime.most / 1000;
const longestTimeoutSeconds = commandBounds.askedTime.most / 1000;

/** `quietSeconds`: the default if none is given. */
export function untilFor(
  input: TerminalInput,
  usual: { settles: boolean; quietSeconds?: number },
): Expected<Until> {
  const { pattern, since } = input;
  const quietSeconds = input.quietSeconds ?? (pattern === undefined ? usual.quietSeconds : undefined);
  const seconds = Math.min(input.timeoutSeconds ?? usualTimeoutSeconds, longestTimeoutSeconds);
  const regular = pattern === undefined ? undefined : patternFrom(pattern);
  if (regular && !regular.ok) return regular;
  return {
    ok: true,
    value: {
      pattern: regular?.value,
      from: since,
      settles: usual.settles && pattern === undefined,
      quietMs: quietSeconds === undefined ? undefined : quietSeconds * 1000,
      timeoutMs: seconds * 1000,
    },
  };
}

function patternFrom(pattern: string): Expected<RegExp> {
  try {
    return { ok: true, value: new RegExp(pattern, "m") };
  } catch (error) {
    const words = errorMessage(error);
    return refuse(`The pattern cannot be read as a regular expression: ${words}`);
  }
}

/** Waits, then reports the output and why the wait ended. */
export async function waitAndAnswer(
  terminal: LiveTerminal,
  { until, ...options }: { until: Until } & Omit<AnswerOptions, "outcome">,
  context: ToolContext,
): Promise<ToolResult> {
  const stopListening = startListening(terminal, context);
  const why = await waitFor(terminal, until, context.signal).finally(stopListening);
  const outcome = why === "timeout" ? "timeout" : why === "slow" || why === "cancelled" ? "failed" : "ok";
  const after = [...whyInWords(why, until, terminal), ...(options.after ?? [])];
  return answerFor(terminal, { ...options, outcome, after }, context);
}

function whyInWords(why: Why, until: Until, terminal: LiveTerminal): string[] {
  const { pattern, timeoutMs, quietMs = 0 } = until;
  switch (why) {
    case "matched":
      return ["The pattern was found."];
    case "quiet":
      return [`Nothing was written for ${durationInWords(quietMs)}; it goes on.`];
    case "timeout":
      return [
        `Stopped waiting after ${durationInWords(timeoutMs)}; it goes on.`,
        ...missedPattern(pattern, terminal),
      ];
    case "hopeless":
      return ["Nothing runs in it any more.", ...missedPattern(pattern, terminal)];
    case "slow":
      return ["Looking for the pattern took too long; use a simpler one."];
    case "cancelled":
      return ["Waiting was cancelled; it goes on."];
    case "ended":
      return missedPattern(pattern, terminal);
    case "settled":
      return [];
    default:
      return why satisfies never;
  }
}

function missedPattern(pattern: RegExp | undefined, terminal: LiveTerminal): string[] {
  if (!pattern) return [];
  return stoodBefore(terminal, pattern)
    ? ["The pattern did not appear again; it stands in earlier output."]
    : ["The pattern did not appear."];
}

/** More output than this cannot be followed live; the result has the end of it. */
const mostCharacters = 256 * kib;

/** Listens until the returned function is called. */
function startListening(terminal: LiveTerminal, context: ToolContext): () => void {
  const decoder = new TextDecoder();
  const plain = ansiStripper();
  let shown = 0;
  const listener = (bytes: Uint8Array): void => {
    const words = plain(decoder.decode(bytes, { stream: true }));
    // The output of full-screen programs makes no sense as a sequence of lines.
    if (terminal.screen.isFullScreen || shown > mostCharacters) return;
    shown += words.length;
    if (words !== "") context.output(words);
  };
  terminal.listeners.add(listener);
  return () => terminal.listeners.delete(listener);
}
