/**
 * Runs a call's tool, to plan a change before it is decided on or to carry the call out. Each file that it opens or lists
 * passes the same decision as the places that its arguments name.
 */

import { relative } from "node:path";
import { errorMessage } from "../../base/expected.ts";
import { isWithin } from "../../base/paths.ts";
import { type FileResult, problem, shownPath } from "../../base/safe-fs/problems.ts";
import type { Tree } from "../../base/safe-fs/tree.ts";
import type { Fact, FactOf, SandboxRecord } from "../../protocol/facts.ts";
import { readAgain, wayToAll } from "../../protocol/fold-compaction.ts";
import { changedBy, shownTo } from "../../safety/containment.ts";
import { readFile } from "../../tools/read-file.ts";
import {
  type Contain,
  failedResult,
  forModel,
  type ToolContext,
  type ToolResult,
  type WithheldReason,
  withheldCode,
} from "../../tools/tool.ts";
import { turnBounds } from "../bounds.ts";
import { earlierResult } from "../context/earlier-result.ts";
import { subjectOf } from "./decision.ts";
import type { CallJob } from "./step.ts";
import { stagedChanges } from "./stored-changes.ts";
import { isStaged } from "./understand.ts";

/** For questions that record no sandbox: those of earlier versions, and of tools that start no programs. */
const strictest: SandboxRecord = { profile: "read", isOn: true };

/** What a run is given whose turn has not come. */
export type EarlyWork = {
  signal: AbortSignal;
  output: (words: string, tell: (words: string) => void) => void;
  contain: (contain: Contain) => Contain;
};

type Producing = { sandbox?: SandboxRecord; decided?: CallDecision; early?: EarlyWork };

/** Runs the tool itself; an exception becomes a failed result, an interruption stays one. */
export async function produce(
  job: CallJob,
  { sandbox = strictest, decided, early }: Producing = {},
): Promise<ToolResult> {
  const { context } = job.step;
  const reading = readingOf(job, decided);
  let offset = 0;
  const tell = (words: string): void => {
    context.log.signal({ type: "output-delta", callId: job.call.id, offset, text: words });
    offset += words.length;
  };
  const contain = context.contain(sandbox, {
    shown: shownTo(job.judgement, sandbox),
    changed: changedBy(job.judgement),
    stages: isStaged(job, context),
  });
  try {
    const signal = early?.signal ?? context.signal;
    const running = job.prepared.run({
      workspace: context.workspace,
      files: reading.files,
      withheld: reading.withheld,
      terminals: context.terminals,
      signal,
      output: early ? (words) => early.output(words, tell) : tell,
      environment: context.environment,
      contain: early ? early.contain(contain) : contain,
      keep: (bytes) => context.putBlob(bytes),
      seen: (path) => context.log.state.seen.get(path) ?? undefined,
      staged: (token) => stagedChanges(token, context),
      result: (callId) => earlierResult(callId, context),
      delegate: context.delegate?.(job.call.id),
    });
    // A subagent's calls are each given up by themselves.
    const produced = await (job.prepared.delegates ? running : unlessDeaf(running, signal));
    return withEdit(withWayToAll(untold(produced, reading), job), job);
  } catch (error) {
    context.signal.throwIfAborted();
    return failedResult(`The tool failed: ${errorMessage(error)}`);
  }
}

/** A tool that goes on although it was interrupted is left to itself, rather than keep a session from closing. */
async function unlessDeaf<Produced>(running: Promise<Produced>, signal: AbortSignal): Promise<Produced> {
  const left = Promise.withResolvers<never>();
  let timer: NodeJS.Timeout | undefined;
  const leave = (): void => {
    timer = setTimeout(() => left.reject(signal.reason), turnBounds.deafTool.most);
  };
  if (signal.aborted) leave();
  else signal.addEventListener("abort", leave, { once: true });
  try {
    return await Promise.race([running, left.promise]);
  } finally {
    signal.removeEventListener("abort", leave);
    clearTimeout(timer);
  }
}

/** Why a plan fails tells what is in the file, which nobody has agreed to yet. */
function untold(produced: ToolResult, reading: CallFileAccess): ToolResult {
  const paths = reading.untold();
  if (paths.length === 0 || (produced.outcome === "ok" && produced.changes?.length)) return produced;
  return failedResult(
    `Nothing was changed: this does not fit, or would change nothing. Why is not said, since it would show what is in ${paths.join(", ")}. Read that first, which asks the user.`,
  );
}

/** Tells the model how to read the rest of a truncated output. */
function withWayToAll(produced: ToolResult, { call, step }: CallJob): ToolResult {
  const canRead = step.context.tools.some(({ name }) => name === readAgain);
  if (produced.full === undefined || !canRead) return produced;
  return {
    ...produced,
    content: [...produced.content, ...forModel(wayToAll(call.id))],
  };
}

/** Tells the model which command ran instead of the one it wrote. */
function withEdit(produced: ToolResult, { edited, call, step }: CallJob): ToolResult {
  const rewritten = step.context.log.state.calls.get(call.id)?.rewritten;
  const words =
    edited !== undefined
      ? editedWords(edited)
      : rewritten && `${rewrittenWords} ${JSON.stringify(rewritten)}`;
  return words === undefined ? produced : { ...produced, content: [...forModel(words), ...produced.content] };
}

const editedWords = (command: string): string =>
  `The user changed this command before allowing it. This was run instead of what you wrote: ${command}`;
const rewrittenWords = "A hook changed this call. It ran with these arguments instead of what you wrote:";

type Words = FactOf<"decision">["trace"];

/** What was decided about the call. `isOpen`: a person has yet to agree, so that nothing of it may be told. */
export type CallDecision = { trace: Words; isOpen: boolean };

type CallFileAccess = Pick<ToolContext, "files" | "withheld"> & {
  /** The files it has read although a person has yet to agree: to plan the change that is asked about. */
  untold(): string[];
};

/** For tools that show files of the workspace. */
export function readingOf(job: CallJob, decided = decidedOn(job)): CallFileAccess {
  const { context } = job.step;
  const known = new Map<string, WithheldReason | undefined>();
  const open = new Set<string>();
  let decide: ReturnType<typeof answersFor> | undefined;
  const withheld = async (path: string): Promise<WithheldReason | undefined> => {
    const place = placeOf(context.workspace, path);
    if (known.has(place)) return known.get(place);
    const { isOpen, withheld: why } = await (await (decide ??= answersFor(job, decided)))(place);
    if (isOpen) open.add(place);
    known.set(place, why);
    return why;
  };
  return { files: shownTree(context.files, withheld), withheld, untold: () => [...open] };
}

/** What is being recorded with the start of a call; undefined if it was decided on before. */
export function decidedIn(facts: readonly Fact[]): CallDecision | undefined {
  const decision = facts.find((fact) => fact.type === "decision");
  return decision && { trace: decision.trace, isOpen: decision.verdict !== "allow" };
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
): Promise<(path: string) => Promise<WithholdingAnswer>> {
  const { context } = job.step;
  const answered = new Set(objectionsIn(trace).map(keyOf));
  const isAnswered = (words: Words): boolean =>
    objectionsIn(words).every((word) => word.verdict !== "deny" && answered.has(keyOf(word)));
  const { mode } = context.log.state;
  const namedAndAgreed = async (): Promise<ReadonlySet<string>> => {
    const subject = await subjectOf(job, { stages: isStaged(job, context) }, context);
    const call = await context.evaluate(subject, { mode, answered: true });
    return new Set(isAnswered(call.trace) ? subject.paths : []);
  };
  let named: ReturnType<typeof namedAndAgreed> | undefined;
  const decide = await context.evaluateReading(mode);
  const { name: tool, definition } = job.tool;
  const about = { tool, reader: readFile.name, does: "read", definition } as const;
  return async (path) => {
    const decision = decide({ ...about, paths: [path] });
    if (decision.verdict === "allow") return { withheld: undefined, isOpen: false };
    const isAgreed = (await (named ??= namedAndAgreed())).has(path) || isAnswered(decision.trace);
    if (isAgreed) return { withheld: undefined, isOpen };
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
