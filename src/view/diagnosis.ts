/** What can go wrong with a model's calls, each with its code, and how often it has in a session (B14). */

import type { Entry } from "../protocol/facts.ts";
import type { CallFault } from "../protocol/messages.ts";

type FailureMode = { code: CallFault | "fabricated_result" | "denied"; symptom: string; advice: string };

/** A failure mode and how often it occurred. */
export type Diagnosis = FailureMode & { count: number };

const otherDialect =
  "another dialect may suit the model: toolwright probe MODEL measures that, --dialect chooses one.";
const readAnswer = "toolwright inspect calls --verbose shows how an answer is read.";

export const failureModes: readonly FailureMode[] = [
  {
    code: "no_envelope",
    symptom: "an envelope without its fence: nothing of it runs",
    advice: `the model was told; if it goes on, ${otherDialect}`,
  },
  {
    code: "malformed_envelope",
    symptom: "no valid JSON, or actions that cannot be read",
    advice: `the model was told what is wrong; ${readAnswer}`,
  },
  {
    code: "multiple_envelopes",
    symptom: "more than one envelope in an answer: nothing runs",
    advice: `the model was told that exactly one is expected; if it goes on, ${otherDialect}`,
  },
  {
    code: "duplicate_id",
    symptom: "an id given before: the later action is left out",
    advice: "nothing is lost, unless the model meant another action: look at what it left undone.",
  },
  {
    code: "unknown_tool",
    symptom: "a call of a tool that does not exist",
    advice:
      "the model was told which exist; a tool server or a skill that it expects may be missing (/mcp, /skills).",
  },
  {
    code: "denied",
    symptom: "a call that a rule, the mode or a person refused",
    advice: "toolwright explain COMMAND says why; /mode and /permissions show what may happen.",
  },
  {
    code: "malformed_arguments",
    symptom: "arguments that are no valid JSON",
    advice: `the model was told; if it goes on, ${otherDialect}`,
  },
  {
    code: "invalid_arguments",
    symptom: "arguments that do not fit the tool",
    advice: "the model was told which; a larger model makes fewer of these mistakes.",
  },
  {
    code: "truncated",
    symptom: "an answer cut off at its length limit in a call",
    advice: "the model was told to do it in smaller parts; the server may limit answers, too.",
  },
  {
    code: "too_many_calls",
    symptom: "more calls in one answer than are started",
    advice: "the rest was not started, and the model was told.",
  },
  {
    code: "call_in_reasoning",
    symptom: "a call in the reasoning: it does not run",
    advice: `the model was told; ${otherDialect}`,
  },
  {
    code: "fabricated_result",
    symptom: "a result written by the model: the rest is not read",
    advice: otherDialect,
  },
];

export async function diagnose(entries: AsyncIterable<Entry> | Iterable<Entry>): Promise<Diagnosis[]> {
  const counts = new Map<string, number>();
  for await (const entry of entries)
    for (const code of codesIn(entry)) counts.set(code, (counts.get(code) ?? 0) + 1);
  return failureModes.map((mode) => ({ ...mode, count: counts.get(mode.code) ?? 0 }));
}

function codesIn(entry: Entry): readonly string[] {
  if (entry.type === "warning") return [entry.code];
  if (entry.type !== "result") return [];
  if (entry.outcome === "denied") return ["denied"];
  return entry.fault === undefined ? [] : [entry.fault];
}
