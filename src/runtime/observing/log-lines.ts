/** The log lines of a session: what happened, when and how it ended; never what anyone said, wrote or read. */

import type { Observer } from "../../addons/observer.ts";
import { isObject } from "../../base/json.ts";
import type { Entry } from "../../protocol/facts.ts";
import type { ToolCall } from "../../protocol/messages.ts";
import type { LogSink } from "./log-file.ts";

/** The text of a warning or failure in the log file, in characters. */
const mostLogWords = 500;

/** Writes a line for each fact as it happens. */
export const logObserver = (log: LogSink): Observer => ({
  session({ id, parent, earlier }) {
    log({
      at: timeOf(Date.now()),
      what: "session-opened",
      session: id,
      parent,
      openTurn: earlier.length > 0,
    });
    return {
      receive: (event) => void ("seq" in event && log(lineOf(id, event))),
      closed: () => log({ at: timeOf(Date.now()), what: "session-closed", session: id }),
    };
  },
});

export function lineOf(session: string, entry: Entry): object {
  const { seq, at, turn, type } = entry;
  const fact = { at: timeOf(at), what: type, session, seq, turn };
  switch (entry.type) {
    case "call":
      return { ...fact, ...ofCall(entry.call) };
    case "warning":
      return { ...fact, code: entry.code, words: shortWords(entry.text) };
    case "answer-end": {
      const { failure } = entry;
      // The provider's own words are in the message already.
      const why = failure
        ? { failure: { ...failure, message: shortWords(failure.message), said: undefined } }
        : {};
      return { ...fact, ...plain(entry), ...why };
    }
    case "turn-end":
      return { ...fact, ...plain(entry), ...(entry.because ? { because: shortWords(entry.because) } : {}) };
    case "result":
      return { ...fact, ...plain(entry), characters: JSON.stringify(entry.content).length };
    default:
      return { ...fact, ...plain(entry) };
  }
}

export const timeOf = (at: number): string => new Date(at).toISOString();

const shortWords = (words: string): string => words.slice(0, mostLogWords);

/** Logs only the length of the arguments: even argument names are the model's words. */
function ofCall({ id, name, source, fault, repairs = [], input }: ToolCall): object {
  return {
    callId: id,
    tool: shortWords(name),
    source,
    fault,
    ...(repairs.length > 0 ? { repairs: repairs.map(({ code }) => code) } : {}),
    given: JSON.stringify(input).length,
  };
}

/** Members whose values are our own words, or names that people gave to models, sessions, hooks and agents. */
const ours: ReadonlySet<string> = new Set(
  (
    "callId model asked mode reason verdict risk outcome does scope answer stopped limit pattern event hook agent " +
    "code version when session layer profile kind by parent from usage sandbox"
  ).split(" "),
);

/** Keeps figures and our own words, replaces lists by their length, and drops everything else. */
function plain(entry: object): Record<string, unknown> {
  const kept: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(entry)) {
    if (stamp.has(name)) continue;
    if (typeof value === "number" || typeof value === "boolean") kept[name] = value;
    else if (Array.isArray(value)) kept[name] = value.length;
    else if (typeof value === "string" && ours.has(name)) kept[name] = shortWords(value);
    else if (isObject(value) && ours.has(name)) kept[name] = plain(value);
  }
  return kept;
}

const stamp: ReadonlySet<string> = new Set(["v", "seq", "at", "turn", "type"]);
