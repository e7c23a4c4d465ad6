/** A command that ran before anybody agreed: what it changed is held, and decided on once it has ended. */

import { lstatSync, readFileSync } from "node:fs";
import { basename, dirname } from "node:path/posix";
import { mib } from "../../base/bound.ts";
import { sha256 } from "../../base/crypto.ts";
import type { Expected } from "../../base/expected.ts";
import { isWithin } from "../../base/paths.ts";
import { bytesOfImage, type Change } from "../../base/safe-fs/image.ts";
import { withoutUndefined } from "../../base/without-undefined.ts";
import type { DroppedPart, FactOf } from "../../protocol/facts.ts";
import { checkpointId } from "../../protocol/fold-changes.ts";
import type { CallState } from "../../protocol/session-state.ts";
import type { Decision } from "../../safety/evaluate-policy.ts";
import { placeOf } from "../../safety/judge/place.ts";
import { isInstalled } from "../../safety/places.ts";
import { refusalsInWords } from "../../safety/refusals.ts";
import { describeChanges } from "../../tools/changes/change.ts";
import { diffOf } from "../../tools/changes/diff.ts";
import { type ToolResult, text } from "../../tools/tool.ts";
import type { TurnContext } from "../turn-context.ts";
import { applyCommand } from "./change.ts";
import { decisionFact, decisionOnHeld, question } from "./decision.ts";
import { droppedForModel, heldFiles, keptOf } from "./held-changes.ts";
import { record, startFact } from "./recording.ts";
import type { CallJob } from "./step.ts";
import { storedChanges } from "./stored-changes.ts";

/** What a command changed and git does not ignore: caches and build output concern nobody. */
type HeldChanges = { changes: readonly Change[]; places: readonly string[]; copies: readonly string[] };

/** What is to be recorded of the command now; undefined if a person has to agree to its changes first. */
export async function endTrial(job: CallJob, produced: ToolResult): Promise<ToolResult | undefined> {
  const { context } = job.step;
  const held = await heldOf(job, produced);
  const paths = [...held.changes.map(({ path }) => path), ...held.places];
  if (paths.length === 0) return withoutLoss(produced);
  const { changes, copies } = held;
  const decided = await decisionOnHeld(job, paths, { context, changes, copies });
  if (decided.verdict === "allow") return withoutLoss(produced);
  const isDenied = decided.verdict === "deny";
  if (!isDenied && held.places.length === 0) return hold(job, { produced, held, decided });
  await context.log.append(decisionFact(job.call.id, decided));
  if (isDenied) return { ...withoutHeld(produced, held, notKept(paths, decided.because)), dropped: true };
  if (produced.lost) return withoutLoss(produced);
  const words = notKept(paths, `it is more than can be held until somebody agrees. ${askedFirst}`);
  return refusedSpace(withoutHeld(produced, held, words), produced.uncovered ?? []);
}

/**
 * What would be lost for good is held in any mode, even if git ignores it: nothing could take it back. So is a
 * repository, which git obeys wherever it stands. Where a person is asked anyway, what git ignores and the command
 * removed is asked about with the rest: a no takes that back as well.
 */
async function heldOf(
  job: CallJob,
  { changes = [], places = [], lost = [], repositories = [] }: ToolResult,
): Promise<HeldChanges> {
  const copies = copiesIn(job, changes);
  const ignored = await keptUnasked(job, [...changes.map(nameFor), ...places], copies);
  const heldPlaces = places.filter(
    (path) => lost.includes(path) || repositories.includes(path) || !ignored.has(path),
  );
  const isHeld = (change: Change): boolean => !ignored.has(nameFor(change));
  const asksAnyway = heldPlaces.length > 0 || changes.some(isHeld);
  const isHeldWith = (change: Change): boolean => isHeld(change) || (asksAnyway && change.after === null);
  return { copies, changes: changes.filter(isHeldWith), places: heldPlaces };
}

/**
 * `cp .env.example .env`: nothing was there that could be lost, and whoever reads the copy could read the other. That
 * must be older than the session: what was changed since then is not the project's word.
 */
function copiesIn({ judgement, step }: CallJob, changes: readonly Change[]): string[] {
  const { workspace, home, log } = step.context;
  const since = log.state.turns[0]?.startedAt ?? 0;
  const around = { home, workspace, directory: workspace };
  const hashes = (judgement?.touched ?? [])
    .filter(({ access, path }) => access === "read" && isWithin(workspace, path))
    .filter(({ path }) => placeOf(path, around).secret === undefined)
    .slice(0, mostTemplates)
    .map(({ path }) => hashBefore(path, since));
  return changes.flatMap(({ path, before, after }) =>
    before === null && after?.kind === "file" && hashes.includes(after.content.hash) ? [path] : [],
  );
}

const mostTemplates = 20;
/** A template that is larger is shown to a person. */
const mostCopied = mib;

function hashBefore(path: string, since: number): string | undefined {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  const isPlain = stats?.isFile() === true && stats.nlink === 1 && stats.size <= mostCopied;
  return isPlain && stats.ctimeMs < since ? sha256(readFileSync(path)) : undefined;
}

const none: ReadonlySet<string> = new Set();

/** What git ignores, but nothing that needs a yes of its own in any mode, and nothing where all changes are refused. */
async function keptUnasked(
  job: CallJob,
  names: readonly string[],
  copies: readonly string[],
): Promise<ReadonlySet<string>> {
  const { context } = job.step;
  const { mode } = context.log.state;
  if (mode === "plan" || mode === "deny") return none;
  const ignored = await withoutRules(withoutInstalled(job, await context.ignored(names)), context);
  const isFree = async (paths: readonly string[]): Promise<boolean> =>
    (await decisionOnHeld(job, paths, { context, mode: "accept-edits", copies })).verdict === "allow";
  const all = [...ignored];
  if (all.length === 0 || (await isFree(all))) return ignored;
  if (all.length > mostOneByOne) return none;
  const free = await Promise.all(all.map(async (name) => ((await isFree([name])) ? [name] : [])));
  return new Set(free.flat());
}

const mostOneByOne = 200;

const above = (name: string): string => `${dirname(name)}/`;

/** Rules about what git ignores hide what comes next, unless nothing but their own ignored directory is meant. */
async function withoutRules(names: ReadonlySet<string>, context: TurnContext): Promise<ReadonlySet<string>> {
  const rules = [...names].filter((name) => basename(name).toLowerCase() === ".gitignore");
  if (rules.length === 0) return names;
  const within = await context.ignored(rules.map(above));
  const open = new Set(rules.filter((name) => !within.has(above(name))));
  return new Set([...names].filter((name) => !open.has(name)));
}

/** Editors and other tools run installed programs outside the sandbox: only what installs changes them unasked. */
function withoutInstalled({ judgement }: CallJob, names: ReadonlySet<string>): ReadonlySet<string> {
  if (judgement?.onlyInstalls === true) return names;
  return new Set([...names].filter((name) => !isInstalled(name)));
}

/** With a slash for a directory, which may not be there yet: git tells the two apart. */
const nameFor = ({ path, before, after }: Change): string =>
  (after ?? before)?.kind === "directory" ? `${path}/` : path;

function notKept(paths: readonly string[], why: string): string {
  const what = paths.slice(0, mostNamed).join(", ") + (paths.length > mostNamed ? " and more" : "");
  return `What it changed was not kept (${what}): ${why.replace(/\.$/u, "")}.`;
}

const mostNamed = 10;
const askedFirst = "Run it once more: then the user is asked first.";

/** For want of room it counts as refused: the next run of the same command asks first, and tells it. */
const refusedSpace = (dropped: ToolResult, what: readonly string[]): ToolResult => ({
  ...dropped,
  outcome: "failed",
  refused: [...(dropped.refused ?? []), { wanted: "room", what: what.join(", ") }],
});

/** Only what git ignores is kept. */
function withoutHeld(
  produced: ToolResult,
  { changes, places }: Omit<HeldChanges, "copies">,
  words: string,
): ToolResult {
  const { uncovered: _, keep, ...rest } = produced;
  return {
    ...rest,
    ...(places.length === 0 && keep ? { keep } : {}),
    changes: (produced.changes ?? []).filter((change) => !changes.includes(change)),
    content: [...produced.content, ...text(`[${words}]`)],
  };
}

/** What nobody was asked about must not cost a content that undo could not bring back: then nothing of it is kept. */
export function withoutLoss(produced: ToolResult): ToolResult {
  const { lost, changes = [], places = [] } = produced;
  if (!lost) return produced;
  const words = notKept(lost, `undo could not bring back what is there now. ${askedFirst}`);
  return refusedSpace(withoutHeld(produced, { changes, places }, words), lost);
}

type Holding = { produced: ToolResult; held: HeldChanges; decided: Decision };

/** Stores what the turn needs to go on after the answer, which may come in another process. */
async function hold(job: CallJob, { produced, held, decided }: Holding): Promise<undefined> {
  const { call, prepared, step } = job;
  const { context } = step;
  const ignored = (produced.changes ?? []).filter((change) => !held.changes.includes(change));
  await produced.keep?.();
  const apart: ToolResult = { ...produced, changes: ignored };
  if (ignored.length > 0 || produced.uncovered?.length)
    await context.log.append(
      (await applyCommand(apart, { callId: call.id, intent: startFact(job) }, context)).fact,
    );
  const owner = checkpointId(context.log.state, context.log.state.turn);
  for (const { after } of held.changes) if (after) await context.keepImage(owner, await bytesOfImage(after));
  const changes = await describeChanges(held.changes);
  const shown = held.changes.toSorted((one, other) => (one.path < other.path ? -1 : 1));
  const { outcome, content, full, refused } = produced;
  const asked: FactOf<"approval-asked"> = {
    ...question(
      call.id,
      { title: `Keep the changes of: ${prepared.title}`, preview: await diffOf(shown), repairs: [] },
      decided,
    ),
    changes,
    held: { files: await heldFiles(shown), ...whatItWanted(refused) },
  };
  await context.log.append(
    {
      type: "command-tried",
      callId: call.id,
      changes,
      result: { outcome, content, ...withoutUndefined({ full, refused: refused && [...refused] }) },
    },
    decisionFact(call.id, decided),
    asked,
  );
  context.extensions.asked?.(asked);
  step.turnstile.close();
  return undefined;
}

const whatItWanted = (refused: ToolResult["refused"] = []): { refused?: string } =>
  refused.length === 0 ? {} : { refused: refusalsInWords(refused) };

type TriedCommand = NonNullable<CallState["tried"]>;

/** The command's result once a person has answered, with its changes as far as they agreed. */
export async function afterHolding(
  job: CallJob,
  tried: TriedCommand,
  answer: FactOf<"approval-answered">,
): Promise<ToolResult | undefined> {
  const { context } = job.step;
  const { result } = tried;
  const told = (...words: string[]): ToolResult => ({
    outcome: result.outcome,
    content: [...result.content, ...words.flatMap((line) => text(line))],
    ...withoutUndefined({ full: result.full, refused: result.refused }),
  });
  const note = answer.note === undefined || answer.note === "" ? "" : ` They said: "${answer.note}".`;
  if (answer.answer === "deny") {
    await record(context, job.call.id, "denied", told(`The user did not keep what it changed.${note}`));
    return undefined;
  }
  const { drops = [] } = answer;
  const asked = context.log.state.calls.get(job.call.id)?.asked;
  const kept = await keptChanges(tried, { drops, asked }, context);
  if (!kept.ok) {
    await record(context, job.call.id, "failed", { ...told(`[${kept.problem}]`), outcome: "failed" });
    return undefined;
  }
  const words = drops.length === 0 ? [] : [`[${droppedForModel(drops, asked)}${note}]`];
  return { ...told(...words), changes: kept.value };
}

/** What is dropped whole may have changed since; all else must be as it was when it was shown. */
async function keptChanges(
  { changes }: TriedCommand,
  { drops, asked }: { drops: readonly DroppedPart[]; asked: FactOf<"approval-asked"> | undefined },
  context: TurnContext,
): Promise<Expected<Change[]>> {
  const gone = new Set(drops.flatMap(({ path, hunks }) => (hunks === undefined ? path : [])));
  const held = await storedChanges(
    changes.filter(({ path }) => !gone.has(path)),
    context,
  );
  return held.ok ? keptOf(held.value, drops, asked) : held;
}
