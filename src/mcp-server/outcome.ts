/** Summarises a task's outcome for the program that started it. */

import type { CallToolResult } from "@modelcontextprotocol/server";
import type { JsonObject } from "../base/json.ts";
import { visibleLine } from "../base/visible-text.ts";
import type { Entry, FactOf, Signal } from "../protocol/facts.ts";
import { linesOf } from "../protocol/fold-changes.ts";
import { textOf, type ToolCall } from "../protocol/messages.ts";

export type TaskTally = {
  turn: number;
  titles: Map<string, string>;
  because: Map<string, string>;
  denied: { title: string; because: string }[];
  /** Calls denied because no person could be asked. */
  unasked: Set<string>;
  changed: Map<string, { added: number; removed: number }>;
  staged: { token: string; files: string[] }[];
};

export const newTally = (): TaskTally => ({
  turn: 0,
  titles: new Map(),
  because: new Map(),
  denied: [],
  unasked: new Set(),
  changed: new Map(),
  staged: [],
});

/** Adds one event of the turn, in place. */
export function tally(sum: TaskTally, event: Entry | Signal): void {
  if (!("seq" in event)) return;
  switch (event.type) {
    case "user-message":
      sum.turn = event.turn;
      return;
    case "call":
      sum.titles.set(event.call.id, wordsOfCall(event.call));
      return;
    case "decision":
      sum.because.set(event.callId, event.because);
      if (isUnasked(event)) sum.unasked.add(event.callId);
      return;
    case "approval-asked":
    case "call-start":
      sum.titles.set(event.callId, event.title);
      return;
    case "change-applied":
      for (const file of event.changes) {
        const { path } = file;
        const { added, removed } = linesOf(file, "turn");
        const known = sum.changed.get(path) ?? { added: 0, removed: 0 };
        sum.changed.set(path, { added: known.added + added, removed: known.removed + removed });
      }
      return;
    case "change-staged":
      sum.staged.push({ token: event.token, files: event.changes.map(({ path }) => path) });
      return;
    case "result":
      if (event.outcome === "denied") sum.denied.push(denial(sum, event));
      return;
    default:
  }
}

/** The call as written, for calls without a title. */
const wordsOfCall = ({ name, input }: ToolCall): string => `${name} ${JSON.stringify(input).slice(0, 200)}`;

/** Whether the call was denied because there was no person to ask. */
export const isUnasked = ({ trace }: FactOf<"decision">): boolean =>
  trace.some(({ layer }) => layer === "no person");

export const adviceUnasked =
  "Nobody could be asked: this client takes no questions (elicitation). A person can allow it with a rule in the configuration, or start this server in another mode, such as `toolwright mcp --mode accept-edits`.";

const denial = ({ titles, because }: TaskTally, { callId, content }: FactOf<"result">) => ({
  title: titles.get(callId) ?? callId,
  because: because.get(callId) ?? textOf(content),
});

/** The answer, then what happened, in words and as data. */
export function resultOf(session: string, sum: TaskTally, end: FactOf<"turn-end">): CallToolResult {
  const verified = end.verified.map((callId) => sum.titles.get(callId) ?? callId);
  const changed = end.changed.map((path) => ({ path, ...sum.changed.get(path) }));
  const { stopped, because, advice } = end;
  const told: JsonObject = {
    session,
    turn: sum.turn,
    stopped,
    because: because ?? null,
    advice: advice ?? null,
    text: end.text,
    changed,
    verified,
    denied: sum.denied,
    staged: sum.staged,
  };
  const lines = [
    `Session ${session}, request ${sum.turn}: ${stopped}${because === undefined ? "" : ` (${visibleLine(because)})`}.`,
    ...(advice === undefined ? [] : [visibleLine(advice)]),
    changed.length === 0 ? "No file was changed." : `Changed: ${changed.map(({ path }) => path).join(", ")}.`,
    ...(end.check === undefined ? [] : [`Not verified; this would: ${visibleLine(end.check)}.`]),
    ...(verified.length > 0 ? [`Verified by: ${verified.map(visibleLine).join(", ")}.`] : []),
    ...sum.denied.map((one) => `Denied: ${visibleLine(one.title)} (${visibleLine(one.because)}).`),
    ...(sum.unasked.size > 0 ? [adviceUnasked] : []),
    ...sum.staged.map(({ token, files }) => `Only shown, not made: ${files.join(", ")} (token ${token}).`),
  ];
  return {
    content: [
      ...(end.text === "" ? [] : [{ type: "text" as const, text: end.text }]),
      { type: "text", text: lines.join("\n") },
    ],
    structuredContent: told,
    ...(stopped === "failed" ? { isError: true } : {}),
  };
}

export const problem = (text: string): CallToolResult => ({
  content: [{ type: "text", text }],
  isError: true,
});

export const textResult = (text: string, told?: JsonObject): CallToolResult => ({
  content: [{ type: "text", text }],
  structuredContent: told,
});
