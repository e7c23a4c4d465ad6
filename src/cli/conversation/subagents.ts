/** The subagents of a session: one is chosen from a menu, and opens to all that it has said and done. */

import { entriesOf } from "../../archive/sessions.ts";
import { countOf } from "../../base/amounts.ts";
import { visibleLine } from "../../base/visible-text.ts";
import type { Entry, FactOf, Signal } from "../../protocol/facts.ts";
import type { SubagentFigures } from "../../tui/screen/subagent-rows.ts";
import { shortCost } from "../../view/cost.ts";
import { duration } from "../../view/status.ts";
import { chooseOne } from "./choose-one.ts";
import type { Talk } from "./talk.ts";

/** One that has begun: what it was given, when, and what became of it. */
type SubagentRecord = FactOf<"child-started"> & { at: number; end?: FactOf<"child-ended"> & { at: number } };

/** More are not offered. */
const mostOffered = 200;

/** What a session that is open here has done so far. */
export function subagentFigures({ runtime }: Talk, session: string): SubagentFigures | undefined {
  const state = runtime.present(session)?.state;
  return (
    state && {
      calls: state.calls.size,
      cost: shortCost({ dollars: state.cost, unknown: state.unpriced }),
    }
  );
}

/** Newest first; of a session whose beginning is no longer at hand, those since. */
export function subagentsOf({ session }: Pick<Talk, "session">): SubagentRecord[] {
  const records = new Map<string, SubagentRecord>();
  for (const entry of session.log.entries) {
    if (entry.type === "child-started") records.set(entry.session, entry);
    const known = entry.type === "child-ended" ? records.get(entry.session) : undefined;
    if (known && entry.type === "child-ended") records.set(entry.session, { ...known, end: entry });
  }
  return [...records.values()].toReversed().slice(0, mostOffered);
}

/** Until the person has seen enough of them. */
export async function openSubagents(talk: Talk): Promise<void> {
  let at = 0;
  for (;;) {
    const records = subagentsOf(talk);
    const chosen = await chooseOne(talk, {
      title: "Which subagent?",
      choices: records.map((record) => ({ name: taskOf(record), says: standingOf(talk, record) })),
      at,
      lines: [],
      prompt: "",
    });
    const record = chosen?.type === "choice" ? records[chosen.at] : undefined;
    if (chosen?.type !== "choice" || !record) return;
    at = chosen.at;
    await talk.terminal.follow((signal) => eventsOf(talk, record.session, signal));
  }
}

function eventsOf({ runtime }: Talk, session: string, signal: AbortSignal): AsyncIterable<Entry | Signal> {
  return runtime.present(session)?.follow(0, signal) ?? entriesOf(runtime.store, session);
}

function taskOf({ agent, task }: SubagentRecord): string {
  const [line = ""] = task.trim().split("\n");
  return visibleLine(agent === undefined ? line : `${agent}: ${line}`);
}

function standingOf(talk: Talk, { session, at, end }: SubagentRecord): string {
  if (end) {
    const { outcome, cost = 0, unpriced = 0 } = end;
    const spent = shortCost({ dollars: cost, unknown: unpriced });
    return [outcome === "ok" ? "done" : outcome, duration(end.at - at), spent].join(" · ");
  }
  const figures = subagentFigures(talk, session);
  if (!figures) return "left open";
  return ["works", duration(Date.now() - at), countOf(figures.calls, "call"), figures.cost].join(" · ");
}
