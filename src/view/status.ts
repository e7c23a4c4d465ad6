/** Describes what a running turn is waiting for right now, for a transient status line. */

import { visibleLine } from "../base/visible-text.ts";
import { type CallBlock, compactingKey, retryKey } from "./blocks.ts";
import { currentCalls, isTurnOpen, type Transcript } from "./transcript.ts";

/** `key` stays the same during one wait; `text` is one sanitised line of any width. */
export type ActivityStatus = {
  type: "person" | "call" | "writing" | "retry" | "model";
  key: string;
  text: string;
};

/** Shorter waits are not worth a line. */
const quickMs = 1_000;
/** Character limit for a title or name, so that the rest of the line stays on screen. */
const mostTitle = 30;

/** `now` in milliseconds since 1970. Undefined while the turn waits for nothing, or has only just begun to. */
export function statusOf(transcript: Transcript, now: number): ActivityStatus | undefined {
  if (!isTurnOpen(transcript)) return undefined;
  const calls = currentCalls(transcript);
  if (calls.some(({ state }) => state === "asking") || isAtLimit(transcript)) return forAnswer;
  const running = calls.filter((call) => call.state === "running" && isWorthALine(call, now));
  if (running[0]) return runningStatus(running[0], { now, others: running.length - 1 });
  const writing = calls.findLast((call) => call.state === "writing" && isWorthALine(call, now));
  if (writing) return writingStatus(writing);
  return retryStatus(transcript, now) ?? modelStatus(transcript, now);
}

const forAnswer: ActivityStatus = { type: "person", key: "person", text: "waiting for your answer" };

/** A limit is reached and a person is asked whether the turn may continue. */
const isAtLimit = ({ blocks }: Transcript): boolean => {
  const last = blocks.findLast(({ type }) => type === "limit" || type === "user");
  return last?.type === "limit" && !last.answer;
};

/** A command is shown at once: nothing else indicates that it runs. */
const isWorthALine = (call: CallBlock, now: number): boolean =>
  call.does === "execute" || call.does === "delegate" || now - (call.startedAt ?? now) >= quickMs;

function runningStatus(call: CallBlock, { now, others }: { now: number; others: number }): ActivityStatus {
  const passed = `(${duration(now - (call.startedAt ?? now))})`;
  const words = call.output.flatMap((line) => line.split("\r")).findLast((line) => line.trim() !== "");
  const more = others === 0 ? "" : ` and ${others} more`;
  const output = words === undefined ? "" : ` · ${visibleLine(words.trim())}`;
  return { type: "call", key: call.key, text: `${excerptOf(call.title)} ${passed}${more}${output}` };
}

function writingStatus({ key, name, characters = 0 }: CallBlock): ActivityStatus {
  return {
    type: "writing",
    key: `writing:${key}`,
    text: `the model writes ${name === "" ? "what may be a call" : `a call of ${excerptOf(name)}`} (${size(characters)})`,
  };
}

function retryStatus({ live }: Transcript, now: number): ActivityStatus | undefined {
  const retry = live.get(retryKey);
  if (retry?.type !== "retry" || now >= retry.at + retry.waitMs) return undefined;
  const left = Math.ceil((retry.at + retry.waitMs - now) / 1000);
  const because = visibleLine(retry.because);
  return {
    type: "retry",
    key: `${retryKey}:${retry.attempt}`,
    text: `asking again in ${duration(left * 1000)}: ${because}`,
  };
}

function modelStatus({ live, heardAt }: Transcript, now: number): ActivityStatus | undefined {
  const retry = live.get(retryKey);
  const since = retry?.type === "retry" ? Math.max(heardAt, retry.at + retry.waitMs) : heardAt;
  if (live.has(compactingKey))
    return {
      type: "model",
      key: compactingKey,
      text: `summing up the conversation (${duration(now - since)})`,
    };
  if (now - since < quickMs) return undefined;
  return { type: "model", key: "model", text: `waiting for the model (${duration(now - since)})` };
}

/** "34 s", "2 min 5 s". If the clock was set back, the duration counts as 0. */
export function duration(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

export const size = (characters: number): string =>
  `${characters < 10_000 ? (characters / 1000).toFixed(1) : Math.round(characters / 1000)} KB`;

function excerptOf(text: string): string {
  const start = Array.from(text.slice(0, 2 * mostTitle + 2))
    .slice(0, mostTitle)
    .join("");
  return visibleLine(start.length < text.length ? `${start}…` : start);
}
