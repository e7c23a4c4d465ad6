/**
 * Decides, for every tool, which files a call may show: each one it opens or lists passes the same decision as the
 * places that its arguments name.
 */

import { relative } from "node:path";
import { isWithin } from "../../base/paths.ts";
import { type FileResult, problem, shownPath } from "../../base/safe-fs/problems.ts";
import type { Tree } from "../../base/safe-fs/tree.ts";
import { withoutUndefined } from "../../base/without-undefined.ts";
import type { FactOf } from "../../protocol/facts.ts";
import { readFile } from "../../tools/read-file.ts";
import { type ToolContext, type WithheldReason, withheldCode } from "../../tools/tool.ts";
import { stagesIn } from "./recording.ts";
import type { CallJob } from "./step.ts";
import { subjectOf } from "./subject.ts";

type Words = FactOf<"decision">["trace"];

/** What was decided about the call. `isOpen`: a person has yet to agree, so that nothing of it may be told. */
export type CallDecision = { trace: Words; isOpen: boolean };

export type CallFileAccess = Pick<ToolContext, "files" | "withheld"> & {
  /** The files it has read although a person has yet to agree: to plan the change that is asked about. */
  untold(): string[];
};

/** For tools that show files of the workspace. */
export function readingOf(job: CallJob, decided = decidedOn(job)): CallFileAccess {
  const { context } = job.step;
  const known = new Map<string, WithheldReason | undefined>();
  const open = new Set<string>();
  let decide: Promise<(path: string) => WithholdingAnswer> | undefined;
  const withheld = async (path: string): Promise<WithheldReason | undefined> => {
    const place = placeOf(context.workspace, path);
    if (known.has(place)) return known.get(place);
    const { isOpen, withheld: why } = (await (decide ??= answersFor(job, decided)))(place);
    if (isOpen) open.add(place);
    known.set(place, why);
    return why;
  };
  return { files: shownTree(context.files, withheld), withheld, untold: () => [...open] };
}

/** Only what was recorded counts: what is decided now may be about another file, reached by the same name. */
function decidedOn({ call, step }: CallJob): CallDecision {
  const known = step.context.log.state.calls.get(call.id);
  const isAgreed = known?.answered !== undefined && known.answered.answer !== "deny";
  const { decision } = known ?? {};
  return { trace: decision?.trace ?? [], isOpen: decision?.verdict !== "allow" && !isAgreed };
}

type WithholdingAnswer = { withheld: WithheldReason | undefined; isOpen: boolean };

/**
 * A place is shown if nothing objects to reading it, or if only that objects which was decided about the call: an
 * approval to read a directory does not cover the secrets in it.
 */
async function answersFor(
  job: CallJob,
  { trace, isOpen }: CallDecision,
): Promise<(path: string) => WithholdingAnswer> {
  const { context } = job.step;
  const answered = new Set(objectionsIn(trace).map(keyOf));
  const isAnswered = (words: Words): boolean =>
    objectionsIn(words).every((word) => word.verdict !== "deny" && answered.has(keyOf(word)));
  const { mode } = context.log.state;
  const subject = await subjectOf({ ...job, stages: stagesIn(job, context) }, [], context);
  const call = await context.decide(subject, { mode, answered: true });
  const named = new Set(isAnswered(call.trace) ? subject.paths : []);
  const decide = await context.decideReading(mode);
  const { tool, definition } = subject;
  const about = { tool, reader: readFile.name, does: "read", ...withoutUndefined({ definition }) } as const;
  return (path) => {
    const decision = decide({ ...about, paths: [path] });
    if (decision.verdict === "allow") return { withheld: undefined, isOpen: false };
    if (named.has(path) || isAnswered(decision.trace)) return { withheld: undefined, isOpen };
    return {
      withheld: { because: decision.because, byAsking: decision.verdict !== "deny" },
      isOpen: false,
    };
  };
}

/** Modes, and whether there is a person, say nothing about a place. */
const objectionsIn = (trace: Words): Words =>
  trace.filter(({ layer, verdict }) => verdict !== "allow" && !/^(?:mode |no person$)/u.test(layer));
const keyOf = ({ layer, because }: Words[number]): string => `${layer}\n${because}`;

function placeOf(workspace: string, path: string): string {
  if (!path.startsWith("/") || !isWithin(workspace, path)) return path;
  return relative(workspace, path) || ".";
}

function shownTree(files: Tree, withheld: ToolContext["withheld"]): Tree {
  const unless = async <T>(path: string, work: () => Promise<FileResult<T>>): Promise<FileResult<T>> => {
    const why = await withheld(path);
    return why ? problem(withheldCode, `${shownPath(path)} is not shown: ${why.because}`) : work();
  };
  return {
    ...files,
    read: (path, limit) => unless(path, () => files.read(path, limit)),
    window: (path, window) => unless(path, () => files.window(path, window)),
    list: (path, options) => unless(path, () => files.list(path, options)),
    image: (path, limit) => unless(path, () => files.image(path, limit)),
  };
}
