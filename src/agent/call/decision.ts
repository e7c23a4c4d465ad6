/**
 * Describes a call in file-system terms, so that no spelling of a path gets around a rule, has it decided on, and makes
 * the facts of that.
 */

import { isAbsolute, relative, resolve, sep } from "node:path";
import { insideWorkspace, isWithin } from "../../base/paths.ts";
import { type Change, modeOf } from "../../base/safe-fs/image.ts";
import { withoutUndefined } from "../../base/without-undefined.ts";
import type { FactOf, Mode } from "../../protocol/facts.ts";
import type { Repair, RepeatedFrom, ToolCall } from "../../protocol/messages.ts";
import type { SessionState } from "../../protocol/session-state.ts";
import type { Decision, Subject } from "../../safety/evaluate-policy.ts";
import { onlyOnce } from "../../safety/grants.ts";
import { realPath } from "../../safety/on-disk.ts";
import type { PreparedCall } from "../../tools/tool.ts";
import type { TurnContext } from "../turn-context.ts";
import type { ChangePlan } from "./change.ts";
import { isStaged, type UnderstoodCall } from "./understand.ts";

export type SubjectDecision = Decision & { subject: Subject };

/** `plan`: the changes the call would make. */
export async function decisionOn(
  job: UnderstoodCall,
  plan: ChangePlan | undefined,
  context: TurnContext,
): Promise<SubjectDecision> {
  const { mode } = context.log.state; // a plan may be approved meanwhile
  const about = { changes: plan?.changes, stages: isStaged(job, context) };
  const subject = await subjectOf(job, about, context);
  const answered = job.edited !== undefined;
  const decided = await context.evaluate(subject, { mode, answered });
  return { ...(answered ? asAnswered(decided) : decided), subject };
}

/** About what a command changed that ran before anybody had agreed. */
export async function decisionOnHeld(
  job: UnderstoodCall,
  paths: readonly string[],
  {
    context,
    mode = context.log.state.mode,
    changes,
    copies = [],
  }: { context: TurnContext; mode?: Mode; changes?: readonly Change[]; copies?: readonly string[] },
): Promise<Decision> {
  return context.evaluateHeld({ ...(await subjectOf(job, { changes }, context)), copies }, paths, mode);
}

/** A person who writes and approves a command has answered whatever would be asked about it. A denial stands. */
function asAnswered(decided: Decision): Decision {
  if (decided.verdict === "deny" || decided.verdict === "allow") return decided;
  const because = "a person wrote this command and allowed it";
  const word = { layer: "person", verdict: "allow" as const, because };
  return { ...decided, verdict: "allow", because, trace: [...decided.trace, word] };
}

export const decisionFact = (
  callId: string,
  { verdict, because, risk, trace, sandbox }: Decision,
): FactOf<"decision"> =>
  withoutUndefined({ type: "decision", callId, verdict, because, risk, trace, sandbox });

/** The question as a fact. `preview` is the whole command or the diff; `command`: the part a person may edit. */
export function question(
  callId: string,
  about: Pick<FactOf<"approval-asked">, "title" | "preview" | "place" | "command" | "culprit"> & {
    repairs: readonly Repair[];
  },
  decision: Decision,
): FactOf<"approval-asked"> {
  const { scopes, covers, words } = decision.offer ?? onlyOnce;
  return withoutUndefined({
    type: "approval-asked",
    callId,
    title: about.title,
    because: decision.because,
    risk: decision.risk,
    preview: about.preview,
    place: about.place,
    command: about.command,
    culprit: about.culprit,
    grant: words,
    scopes,
    covers,
    sandbox: decision.sandbox,
    repairs: about.repairs.length === 0 ? undefined : [...about.repairs],
  });
}

/** Paths both as written (without "." and "..") and with all symbolic links resolved. */
export async function subjectOf(
  { call, tool, prepared, does, typed, judgement }: UnderstoodCall,
  { changes = [], stages = false }: { changes?: readonly Change[]; stages?: boolean },
  { workspace, log }: Pick<TurnContext, "workspace" | "log">,
): Promise<Subject> {
  const places = await Promise.all(prepared.paths.map((path) => placeOf(workspace, path)));
  const directory = typed ? placeIn(workspace, typed.directory ?? workspace) : (places[0]?.real ?? ".");
  const paths = places.flatMap(({ written, real }) => (real === undefined ? [written] : [written, real]));
  const command = typed ? typed.line : prepared.command;
  const watched = log.state.calls.get(call.id)?.hookAsks;
  const readOnly = changes.filter(isReadOnly).map(({ path }) => path);
  const isApplied = prepared.token !== undefined;
  return {
    tool: tool.name,
    does: typed?.isLost ? "read" : does,
    definition: tool.definition,
    paths: [...new Set([...paths, ...changes.map((change) => change.path)])],
    command,
    as: prepared.as,
    hosts: prepared.hosts,
    outside: prepared.outside?.length ? prepared.outside.map(asLedTo) : undefined,
    tried: triedBefore(call, prepared, log.state),
    directory: command === undefined || directory === "." ? undefined : directory,
    judgement,
    stages: stages || undefined,
    applies: isApplied || undefined,
    ofCommand: isApplied ? isOfCommand(prepared.token, log.state) : undefined,
    watched,
    askedEachTime: tool.askedEachTime,
    lasting: prepared.lasting || undefined,
    delegates: prepared.delegates || undefined,
    runsIn: typed?.runsIn,
    into: typed?.program,
    readOnly: readOnly.length === 0 ? undefined : readOnly,
    repeats: call.repeats && repeatedWords(call.repeats, log.state),
    guessed: [...(call.repairs ?? []), ...(prepared.repairs ?? [])].some((repair) => repair.guess === true),
  };
}

/** A person is asked about the place that a link leads to. */
const asLedTo = (outside: string): string => (isAbsolute(outside) ? (realPath(outside) ?? outside) : outside);

/** An earlier run of the same command that the sandbox refused something. */
function triedBefore(
  { id }: ToolCall,
  { command, title }: PreparedCall,
  { calls }: SessionState,
): Subject["tried"] {
  if (command === undefined) return undefined;
  for (const known of [...calls.values()].toReversed()) {
    if (known.call.id === id || known.start?.title !== title) continue;
    const refused = known.result?.refused ?? [];
    if (refused.length > 0) return { refused, changed: known.applied?.changes.length ?? 0 };
  }
  return undefined;
}

function repeatedWords(from: RepeatedFrom, { calls }: SessionState): string {
  if ("file" in from) return `the attached ${from.file}`;
  const known = calls.get(from.callId);
  const title = known?.start?.title ?? "";
  return `the result of ${title === "" ? (known?.call.name ?? "a call") : title}`;
}

function isOfCommand(token = "", { staged, calls }: SessionState): boolean {
  const origin = staged.get(token)?.callId;
  return origin !== undefined && calls.get(origin)?.start?.does === "execute";
}

/** Applies only to changes and deletions: a new file has no read-only mode yet. */
function isReadOnly({ before }: Change): boolean {
  const mode = before?.kind === "file" ? modeOf(before) : undefined;
  return mode !== undefined && (mode & 0o222) === 0;
}

type WrittenPath = { written: string; real: string | undefined };

async function placeOf(workspace: string, path: string): Promise<WrittenPath> {
  const place = await insideWorkspace(workspace, path);
  const absolute = resolve(workspace, path);
  const written = isWithin(workspace, absolute) ? relative(workspace, absolute) || "." : absolute;
  return { written: written.split(sep).join("/"), real: place.ok ? place.value.relative : undefined };
}

/** The shell of an existing terminal may be outside the workspace. */
function placeIn(workspace: string, directory: string): string {
  const place = isWithin(workspace, directory) ? relative(workspace, directory) || "." : directory;
  return place.split(sep).join("/");
}
