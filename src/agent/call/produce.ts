/** Runs a call's tool: to plan a change before it is decided on, or to carry the call out. */

import { errorMessage } from "../../base/expected.ts";
import type { SandboxRecord } from "../../protocol/facts.ts";
import { readAgain, wayToAll } from "../../protocol/fold-compaction.ts";
import { changedBy, shownTo } from "../../safety/containment.ts";
import { type Contain, failedResult, forModel, type ToolResult } from "../../tools/tool.ts";
import { earlierResult } from "../context/earlier-result.ts";
import { stagedChanges } from "./change.ts";
import { type CallDecision, type CallFileAccess, readingOf } from "./reading.ts";
import { isStaged } from "./recording.ts";
import type { CallJob } from "./step.ts";

/** For questions that record no sandbox: those of earlier versions, and of tools that start no programs. */
const strictest: SandboxRecord = { profile: "read", isOn: true };

/** What a run is given whose turn has not come. */
export type EarlyWork = {
  signal: AbortSignal;
  output: (words: string, tell: (words: string) => void) => void;
  contain: (contain: Contain) => Contain;
};

type Producing = { sandbox?: SandboxRecord | undefined; decided?: CallDecision; early?: EarlyWork };

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
    stages: isStaged(job),
  });
  try {
    const produced = await job.prepared.run({
      workspace: context.workspace,
      files: reading.files,
      withheld: reading.withheld,
      terminals: context.terminals,
      signal: early?.signal ?? context.signal,
      output: early ? (words) => early.output(words, tell) : tell,
      environment: context.environment,
      contain: early ? early.contain(contain) : contain,
      keep: (bytes) => context.putBlob(bytes),
      seen: (path) => context.log.state.seen.get(path) ?? undefined,
      staged: (token) => stagedChanges(token, context),
      result: (callId) => earlierResult(callId, context),
      ...(context.delegate ? { delegate: context.delegate(job.call.id) } : {}),
    });
    return withEdit(withWayToAll(untold(produced, reading), job), job);
  } catch (error) {
    context.signal.throwIfAborted();
    return failedResult(`The tool failed: ${errorMessage(error)}`);
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
