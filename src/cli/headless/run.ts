/** Conducts the requests of a headless run: one, or those of standard input. */

import { writeFile } from "node:fs/promises";
import { errorMessage } from "../../base/expected.ts";
import { visibleLine } from "../../base/visible-text.ts";
import { commandToGoOn } from "../../configuration/options/again.ts";
import { encodeEntry } from "../../protocol/codec.ts";
import type { CommandOutcome } from "../../protocol/commands.ts";
import type { Entry, Signal } from "../../protocol/facts.ts";
import { complain, exitCodes, type CliContext } from "../cli-context.ts";
import { endedWith, runningTerminals } from "../conversation/background.ts";
import { guard } from "../ctrl-c.ts";
import { type Answerer, answerQuestions, nobody } from "./answering.ts";
import { hearSession } from "./hearing.ts";
import { outputOf } from "./output.ts";
import { answerOf, exitCodeOf, jsonOfTurn, lineOfTurn, newTally, tally } from "./result.ts";
import type { HeadlessTask, HeadlessRun, RequestsEnd } from "./run-context.ts";

type TaskEnd = { ok: true; value: number } | { ok: false; problem: string; code: number };

export async function conduct(context: CliContext, conducted: HeadlessTask): Promise<TaskEnd> {
  const { session, deadline } = conducted;
  const output = outputOf(context);
  const total = newTally();
  const lines = context.settings.input === "stream-json" ? await import("./line-requests.ts") : undefined;
  const told = lines?.requestsTold(session, output);
  if (context.settings.output === "stream-json") await printFirstFact(context, conducted);
  const hearing = hearSession(session, (event: Entry | Signal) => {
    output.show(event);
    if ("seq" in event) tally(total, event);
    told?.hear(event);
  });
  const stop = new AbortController();
  const run = { ...conducted, context, output, hearing, total, stop };
  deadline.interrupts(() => interrupt(run, { because: "the time limit was reached" }));
  let release: (() => void) | undefined;
  const guarded = (): void =>
    void (release ??= guard(context.terminal, () => interrupt(run, { by: "terminal" })));
  try {
    const held = await holdTo(run);
    if (!held.ok) return { ...held, code: exitCodes.usage };
    const ended = lines && told ? await lines.takeLines(run, told, guarded) : await askOnce(run, guarded);
    if (!ended.ok) return ended;
    await hearing.upTo(session.state.seq);
    return { ok: true, value: await close(run, ended) };
  } finally {
    release?.();
    hearing.stop();
    await session.close();
  }
}

/** `--goal`: the session keeps it until it is met. */
async function holdTo({ session, context }: HeadlessRun): Promise<CommandOutcome> {
  const { goal } = context.settings;
  return goal === undefined ? { ok: true } : session.command({ type: "set-goal", condition: goal });
}

function interrupt({ session, stop }: HeadlessRun, why: { because: string } | { by: string }): void {
  stop.abort();
  void session.command({ type: "interrupt", ...why }).catch(() => undefined);
}

/** Prints the fact that identifies the session, new or resumed. */
async function printFirstFact({ terminal }: CliContext, { runtime, session }: HeadlessTask): Promise<void> {
  for (const entry of await runtime.store.read(session.id, 0, { facts: 1, characters: 1 }))
    terminal.print(`${encodeEntry(entry)}\n`);
}

/** How often the model is asked again for an answer that fits the schema. */
const mostAskedAgain = 2;

async function askOnce(run: HeadlessRun, guarded: () => void): Promise<RequestsEnd> {
  const { session, hearing, total, check } = run;
  const answerer = await answererOf(run);
  let content = [...(run.content ?? []), ...(check ? [check.told] : [])];
  for (let again = 0; ; again += 1) {
    const sent = await session.command({ type: "send", content });
    if (!sent.ok) return { ok: false, problem: sent.problem, code: exitCodes.failed };
    guarded();
    await answerQuestions(session, answerer);
    await hearing.upTo(session.state.seq);
    if (!check) return { ok: true };
    if (total.end?.stopped !== "done" || run.stop.signal.aborted) return { ok: true, answer: null };
    const read = check.read(total.end.text);
    if (read.ok) return { ok: true, answer: read.value };
    if (again === mostAskedAgain)
      return { ok: true, answer: null, problem: `the answer does not fit the schema: ${read.problem}` };
    content = [check.again(read.problem)];
  }
}

async function answererOf({ context, session, stop }: HeadlessRun): Promise<Answerer> {
  const { askOn } = context.settings;
  if (askOn === undefined) return nobody;
  const { askingCommand } = await import("./ask-command.ts");
  return askingCommand(context, { command: askOn, session, signal: stop.signal });
}

/** Says how the run ended, and returns its exit code. */
async function close(run: HeadlessRun, ended: RequestsEnd & { ok: true }): Promise<number> {
  const { context, session, deadline, total, waited, output } = run;
  const { settings, terminal } = context;
  const { answer, problem } = ended;
  const running = settings.output === "text" ? runningTerminals(session) : [];
  if (running.length > 0) terminal.report(`! ${endedWith("this run", running)}\n`);
  if (total.wayOut) terminal.report(`! A call was denied because ${visibleLine(total.wayOut)}.\n`);
  total.waited.unshift(...waited);
  const how = deadline.passed
    ? { exit: exitCodes.limit, instead: { stopped: "limit" as const, because: tooLong(context) } }
    : problem === undefined
      ? { exit: ended.exit ?? exitCodeOf(total), goOn: goingOn(run) }
      : { exit: exitCodes.failed, instead: { stopped: "failed" as const, because: problem } };
  const result = jsonOfTurn(session.state, total, { ...how, answer: answer ?? undefined });
  const lost = await writeAnswer(context, answer === null ? "" : (answer?.text ?? answerOf(total)));
  const exit = lost === undefined || how.exit !== exitCodes.done ? how.exit : exitCodes.failed;
  output.end({
    result: { ...result, exit },
    line: (ending) => lineOfTurn(session.state, total, { ...how, exit, ending }),
    answer,
    goOn: "goOn" in how ? how.goOn : undefined,
    hasOwnReason: "instead" in how,
  });
  if (lost !== undefined) complain(terminal, lost);
  return exit;
}

export const tooLong = ({ settings }: CliContext): string =>
  `the run took longer than --timeout allows (${(settings.timeoutMs ?? 0) / 1_000} s)`;

/** Returns the problem. */
async function writeAnswer({ settings }: CliContext, text: string): Promise<string | undefined> {
  if (settings.outputFile === undefined || text === "") return undefined;
  try {
    await writeFile(settings.outputFile, text.endsWith("\n") ? text : `${text}\n`);
    return undefined;
  } catch (error) {
    return `The answer could not be written to ${settings.outputFile} (${errorMessage(error)}).`;
  }
}

/** The command that goes on with a task which was stopped. */
function goingOn({ context, session, total: { end, names } }: HeadlessRun): string | undefined {
  // A failure after some work may pass: an overloaded server, for one.
  const canGoOn = end?.stopped === "limit" || (end?.stopped === "failed" && names.size > 0);
  return canGoOn && !context.settings.noSave ? commandToGoOn(context.given ?? {}, session.id) : undefined;
}
