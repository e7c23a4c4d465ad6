/** `--input stream-json`: a program sends requests, messages, answers and interruptions as lines, while the session works. */

import type { Entry, Signal } from "../../protocol/facts.ts";
import type { LiveSession } from "../../runtime/live-session.ts";
import { exitCodes } from "../cli-context.ts";
import { answerQuestions, nobody } from "./answering.ts";
import { inputLines } from "./input-lines.ts";
import { LinesTaken } from "./lines-taken.ts";
import type { HeadlessOutput } from "./output.ts";
import { exitCodeOf, jsonOfTurn, newTally, tally } from "./result.ts";
import type { HeadlessRun, RequestsEnd } from "./run-context.ts";

/** Tells the result of each request as it ends. */
export type RequestsTold = {
  hear(event: Entry | Signal): void;
  /** The exit codes of the requests so far. */
  readonly exits: readonly number[];
};

export function requestsTold(session: LiveSession, output: HeadlessOutput): RequestsTold {
  const exits: number[] = [];
  let request = newTally();
  return {
    exits,
    hear(event) {
      if (!("seq" in event)) return;
      tally(request, event);
      if (event.type !== "turn-end") return;
      const exit = exitCodeOf(request);
      exits.push(exit);
      output.requestEnded(jsonOfTurn(session.state, request, { exit }));
      request = newTally();
    },
  };
}

/** Ends with the input, after what runs by then; whatever waits for an answer then is declined. */
export async function takeLines(
  run: HeadlessRun,
  told: RequestsTold,
  guarded: () => void,
): Promise<RequestsEnd> {
  const { session, context, stop, presence, hearing } = run;
  guarded();
  if (run.content) {
    const sent = await session.command({ type: "send", content: run.content });
    if (!sent.ok) return { ok: false, problem: sent.problem, code: exitCodes.failed };
  }
  const taking = new LinesTaken(run);
  try {
    for await (const line of inputLines(context.terminal.input, stop.signal)) await taking.take(line);
    await taking.done();
    presence.isThere = false;
    do await answerQuestions(session, nobody);
    while (await taking.goOn());
  } finally {
    taking.close();
  }
  await hearing.upTo(session.state.seq);
  if (told.exits.length === 0 && !taking.hasDone && !stop.signal.aborted)
    return {
      ok: false,
      problem: 'No request came by standard input: send one as a line {"type":"send","content":"…"}.',
      code: exitCodes.usage,
    };
  return {
    ok: true,
    exit: exitOf(told.exits, { isStopped: stop.signal.aborted, hasUnread: taking.hasUnread }),
  };
}

/** Of the last request that did not end well; a line that could not be read was perhaps one. */
function exitOf(
  exits: readonly number[],
  { isStopped, hasUnread }: { isStopped: boolean; hasUnread: boolean },
): number {
  const failed = exits.findLast((exit) => exit !== exitCodes.done);
  if (failed !== undefined) return failed;
  if (isStopped) return exitCodes.interrupted;
  return hasUnread ? exitCodes.usage : exitCodes.done;
}
