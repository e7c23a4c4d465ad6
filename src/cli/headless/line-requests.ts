/** `--input stream-json`: a program sends requests, messages, answers and interruptions as lines, while the session works. */

import type { Command } from "../../protocol/commands.ts";
import type { Entry, Signal } from "../../protocol/facts.ts";
import type { LiveSession } from "../../runtime/live-session.ts";
import { meantBy } from "../../runtime/messages/expand-message.ts";
import type { MessageReader } from "../../runtime/messages/take-message.ts";
import { exitCodes } from "../cli-context.ts";
import { answerQuestions, nobody } from "./answering.ts";
import { readCommand } from "./input-command.ts";
import { inputLines, type ReadLine } from "./input-lines.ts";
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

/** Commands that are still being carried out; more lines are read only when some are done. */
const mostUnderWay = 100;

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
  for await (const line of inputLines(context.terminal.input, stop.signal)) await taking.take(line);
  await taking.done();
  presence.isThere = false;
  await answerQuestions(session, nobody);
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

/** The lines under way. The session carries commands out in order, but an interruption at once. */
class LinesTaken {
  readonly #run: HeadlessRun;
  readonly #underWay = new Set<Promise<void>>();
  /** Why the session cannot go on, such as a full disk: nobody may be waiting for it just then. */
  #failure: { error: unknown } | undefined;
  hasUnread = false;
  /** Something was done: a request, or an undo, say. */
  hasDone = false;

  constructor(run: HeadlessRun) {
    this.#run = run;
  }

  /** Resolves when the next line may be read. */
  async take({ number, read }: ReadLine): Promise<void> {
    const { output } = this.#run;
    const command = read.ok ? readCommand(read.value) : read;
    if (!command.ok) {
      this.hasUnread = true;
      output.refused({ line: number, problem: command.problem });
      return;
    }
    const carried = this.#carryOut(command.value, number).catch((error: unknown) => this.#fail(error));
    this.#underWay.add(carried);
    void carried.finally(() => this.#underWay.delete(carried));
    if (this.#underWay.size >= mostUnderWay) await Promise.race(this.#underWay);
    if (this.#failure) throw this.#failure.error;
  }

  async done(): Promise<void> {
    await Promise.all(this.#underWay);
    if (this.#failure) throw this.#failure.error;
  }

  async #carryOut(command: Command, line: number): Promise<void> {
    const { session, output } = this.#run;
    const outcome = await session.command(command, command.type === "send" ? this.#reader() : undefined);
    if (outcome.ok) this.hasDone = true;
    else output.refused({ line, problem: outcome.problem });
    session.idle().catch((error: unknown) => this.#fail(error));
  }

  #fail(error: unknown): void {
    this.#failure ??= { error };
    this.#run.stop.abort();
  }

  /** As with -p: commands and files of the workspace may be named. */
  #reader(): MessageReader {
    const { fileCommands, workspace, objection } = this.#run.runtime;
    return async (content, signal) => {
      const context = { commands: fileCommands, workspace, objection };
      const meant = await meantBy(content, context, { onlyInside: true, signal });
      return meant.ok ? { ok: true, value: meant.value.content } : meant;
    };
  }
}
