/** Builds a subagent's result for the model that delegated the task: its report, or whatever partial work there is. */

import { entriesOf } from "../../archive/sessions.ts";
import { durationInWords } from "../../base/amounts.ts";
import { cutLine } from "../../base/cut-text.ts";
import type { Change } from "../../base/safe-fs/image.ts";
import type { Entry } from "../../protocol/facts.ts";
import { textOf } from "../../protocol/messages.ts";
import { currentTurn } from "../../protocol/session-state.ts";
import { fetchBounds } from "../../tools/bounds.ts";
import { type ToolResult, text } from "../../tools/tool.ts";
import type { LiveSession } from "../live-session.ts";
import type { SessionSetup } from "../session-setup.ts";
import { changesOf, type ChildChanges } from "./changes.ts";
import type { ChildPlan } from "./setup.ts";

/** Why the child was stopped, or that it finished. */
export type ChildEnd =
  | { why: "over" }
  /** `isParents`: the remaining time of the request is reserved for the parent. */
  | { why: "time"; ms: number; isParents: boolean }
  | { why: "budget"; limit: "cost" | "tokens" }
  | { why: "broken"; problem: string }
  | { why: "interrupted" };

type EndedChild = { end: ChildEnd; plan: ChildPlan };

/** `because`: why the report is incomplete. */
type ReportVerdict = { outcome: ToolResult["outcome"]; because?: string };

export async function producedOf(
  child: LiveSession,
  { end, plan }: EndedChild,
  setup: SessionSetup,
): Promise<ToolResult> {
  const { outcome, because } = verdictOn(child, end);
  const all = because === undefined ? reportOf(child) : await partialOf(child, because, setup);
  const changed = await changesOf(child, setup);
  const shown = cutLine(all, fetchBounds.shown.most);
  const bytes = shown === all ? undefined : new TextEncoder().encode(all);
  const words = [shown, ...notesOn(child, changed, plan)].join("\n\n");
  return {
    outcome,
    content: text(words),
    ...(Object.values(changed).some(({ length }) => length > 0) ? { ...changed, made: true } : {}),
    full: bytes ? { blob: await setup.store.putBlob(bytes), bytes: bytes.length } : undefined,
    metadata: { session: child.id, ended: end.why, partial: because !== undefined },
  };
}

function verdictOn(child: LiveSession, end: ChildEnd): ReportVerdict {
  switch (end.why) {
    case "time":
      return {
        outcome: "timeout",
        because: `its time was over (${durationInWords(end.ms)})${restWords(end)}`,
      };
    case "budget":
      return { outcome: "failed", because: `the limit of ${end.limit} of this turn was reached` };
    case "broken":
      return { outcome: "failed", because: end.problem };
    case "interrupted":
      return { outcome: "failed", because: "it was interrupted" };
    case "over":
      return ofTurn(child);
    default:
      return end satisfies never;
  }
}

function ofTurn({ log, state }: LiveSession): ReportVerdict {
  const last = log.entries.findLast((entry) => entry.type === "turn-end");
  const { stopped, because } = last ?? {};
  if (state.status === "running") return { outcome: "failed", because: "it waits for a person" };
  if (stopped === "done") return { outcome: "ok" };
  return { outcome: "failed", because: because ?? "it was interrupted" };
}

function reportOf({ log, state }: LiveSession): string {
  const last = log.entries.findLast((entry) => entry.type === "turn-end");
  const doubt = last?.because === undefined ? "" : `\n\n[It says that it is done, but ${last.because}.]`;
  return `${currentTurn(state)?.lastText ?? ""}${doubt}`;
}

/** How many of the last calls' results are quoted in short. */
const mostResults = 6;
const longestResult = 1_000;

/** The child's text so far, and the results of its last calls. */
async function partialOf(child: LiveSession, because: string, { store }: SessionSetup): Promise<string> {
  const said: string[] = [];
  const titles = new Map<string, string>();
  const results: string[] = [];
  for await (const entry of entriesOf(store, child.id)) {
    if (entry.type === "call-start") titles.set(entry.callId, entry.title);
    if (entry.type === "text" && entry.by === "model" && entry.text.trim() !== "")
      said.push(entry.text.trim());
    if (entry.type === "result" && entry.outcome === "ok") results.push(resultLine(entry, titles));
  }
  const found = results.slice(-mostResults);
  const more = results.length - found.length;
  const earlier = more > 0 ? [`(${more} more before them)`] : [];
  return [
    `[Partial: the subagent did not finish: ${because.replace(/\.+$/u, "")}. Nothing below is its report.]`,
    ...(said.length + found.length === 0 ? ["It had found nothing yet."] : []),
    ...(said.length === 0 ? [] : [`What it had said:\n${said.join("\n\n")}`]),
    ...(found.length === 0 ? [] : [`What its last calls found:\n${[...earlier, ...found].join("\n")}`]),
  ].join("\n\n");
}

function resultLine(
  { callId, content }: Extract<Entry, { type: "result" }>,
  titles: ReadonlyMap<string, string>,
): string {
  const words = textOf(content);
  return `- ${titles.get(callId) ?? "A call"}:\n${cutLine(words.trim(), longestResult)}`;
}

const isNoDirectory = ({ before, after }: Change): boolean => (after ?? before)?.kind !== "directory";

/** Most paths listed by name. */
const mostPaths = 30;

function notesOn(child: LiveSession, { changes, uncovered }: ChildChanges, { notes }: ChildPlan): string[] {
  const paths = changes
    .filter(isNoDirectory)
    .map(({ path }) => path)
    .toSorted();
  const more = paths.length > mostPaths ? ` and ${paths.length - mostPaths} more` : "";
  const files = paths.length === 0 ? [] : [`It changed ${paths.slice(0, mostPaths).join(", ")}${more}.`];
  const lost = uncovered.length === 0 ? [] : [`Undo does not cover: ${uncovered.join(", ")}.`];
  const still = child.isWorking ? ["What it was at has not ended yet, and may still do something."] : [];
  const lines = [...files, ...lost, ...still, ...notes];
  return lines.length === 0 ? [] : [`[${lines.join(" ")}]`];
}

const restWords = ({ isParents }: { isParents: boolean }): string =>
  isParents ? "; what is left of this request's time is for its end: answer with what you have" : "";
