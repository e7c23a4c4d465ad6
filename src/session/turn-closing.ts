/** Closes an open turn with which nobody goes on: every call gets a result, and the turn ends as interrupted, never silently (E5). */

import type { Fact, FactOf } from "../protocol/facts.ts";
import { currentTurn, type SessionState } from "../protocol/session-state.ts";

/** Why, and who did it. */
type TurnCloser = Pick<FactOf<"turn-end">, "by"> & { because: string };

/** `mended`: what `recoverLog` adds to the same facts. Empty if no turn is open. */
export function turnClosing(state: SessionState, mended: readonly Fact[], closer: TurnCloser): Fact[] {
  if (state.status === "idle") return [];
  const done = new Set(mended.flatMap((fact) => (fact.type === "result" ? [fact.callId] : [])));
  const left = [...state.open].filter((callId) => !done.has(callId));
  const said = mended.findLast((fact) => fact.type === "text")?.text ?? currentTurn(state)?.lastText ?? "";
  const text = said.trim() === "" ? "Interrupted before there was an answer." : said;
  const blocks = mended.map((fact) => ("block" in fact ? fact.block : 0));
  const told: Fact = { type: "text", block: Math.max(state.blocks, ...blocks) + 1, text, by: "toolwright" };
  const changed = [...new Set((currentTurn(state)?.changes ?? []).map(({ path }) => path))];
  return [
    ...mended,
    ...left.map((callId) => cancelledResult(callId, closer.because)),
    ...(text === said ? [] : [told]),
    { type: "turn-end", stopped: "interrupted", ...closer, changed, verified: [], text },
  ];
}

const cancelledResult = (callId: string, because: string): FactOf<"result"> => ({
  type: "result",
  callId,
  outcome: "cancelled",
  content: [{ type: "text", text: because }],
});
