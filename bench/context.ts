/** The cost of keeping prompts within their budget: each round of a long session, and the estimator alone. */

import { budgetFor } from "../src/agent/context/budget.ts";
import { countPrompt, mostPrompt, type PromptParts } from "../src/agent/context/count.ts";
import { estimateText } from "../src/agent/context/estimate.ts";
import { planCompaction } from "../src/agent/context/plan.ts";
import { trimOldest } from "../src/agent/context/trim.ts";
import type { Fact } from "../src/protocol/facts.ts";
import { step } from "../src/protocol/fold.ts";
import { emptyState, type SessionState } from "../src/protocol/session-state.ts";
import { least, median, printTable, shown } from "./figures.ts";

const text = Array.from(
  { length: 60 },
  (_, at) => `  const value${at} = compute(${at}, "item-${at}") + other.thing; // what it comes to`,
).join("\n");

const round = (at: number, isCounted: boolean): Fact[] => [
  { type: "call", call: { id: `c${at}`, name: "read_file", input: { path: `f${at}.ts` }, source: "native" } },
  {
    type: "answer-end",
    reason: "tool-calls",
    model: "m",
    ...(isCounted ? { usage: { inputTokens: 1_000 + at * 1_500, outputTokens: 60 } } : {}),
  },
  { type: "result", callId: `c${at}`, outcome: "ok", content: [{ type: "text", text: `${at}\n${text}` }] },
];

function sessionOf(rounds: number, isCounted: boolean): SessionState {
  const state = emptyState();
  const facts: Fact[] = [
    { type: "user-message", content: [{ type: "text", text: "Read all of it." }] },
    { type: "turn-start", model: "m", mode: "auto" },
    ...Array.from({ length: rounds }, (_, at) => round(at, isCounted)).flat(),
  ];
  facts.forEach((fact, at) => step(state, { v: 1, seq: at + 1, at, turn: 1, ...fact }));
  return state;
}

const rows: string[][] = [["what", "first", "median of the next"]];

/** The first call reads every text; later ones only what was added since. */
function measure(what: string, work: () => void): void {
  const times = Array.from({ length: 21 }, () => {
    const started = performance.now();
    work();
    return performance.now() - started;
  });
  rows.push([what, `${shown(times[0] ?? 0)} ms`, `${shown(median(times.slice(1)))} ms`]);
}

for (const [words, isCounted] of [
  ["the provider counts", true],
  ["nobody counts", false],
] as const) {
  const state = sessionOf(2_000, isCounted);
  const told: PromptParts = { state, system: text, tools: [], model: "m" };
  const budget = budgetFor({ name: "m", contextTokens: 200_000 }, {}, 2_000);
  measure(`2,000 rounds, ${words}: upper bound`, () => void mostPrompt(told));
  measure(`2,000 rounds, ${words}: count`, () => void countPrompt(told));
  const { rate } = countPrompt(told);
  measure(
    `2,000 rounds, ${words}: what to leave out`,
    () => void trimOldest({ ...state, rate }, { wanted: 100_000, keep: 2 }),
  );
  measure(`2,000 rounds, ${words}: what a summary frees`, () => void planCompaction(state, budget, rate));
}
const long = text.repeat(Math.ceil(300_000 / text.length));
const seconds = least(
  Array.from({ length: 5 }, () => {
    const started = performance.now();
    estimateText(long);
    return (performance.now() - started) / 1000;
  }),
);
rows.push(["the estimator", `${shown(long.length / seconds / 1e6)} MB/s`, ""]);
printTable(rows);
