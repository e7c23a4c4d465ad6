/** `toolwright -p "…"`: one request without a person; the answer on standard output, the exit code for programs. */

import { realpath } from "node:fs/promises";
import { homedir } from "node:os";
import { type Expected, errorMessage } from "../../base/expected.ts";
import { commandToGoOn } from "../../configuration/options/again.ts";
import { encodeEntry } from "../../protocol/codec.ts";
import type { Entry, Signal } from "../../protocol/facts.ts";
import type { ContentPart } from "../../protocol/messages.ts";
import { pendingQuestions, type SessionState } from "../../protocol/session-state.ts";
import type { LiveSession } from "../../runtime/live-session.ts";
import { mayMeanMore, meantBy } from "../../runtime/messages/expand-message.ts";
import { openingWarnings } from "../../runtime/opening-warnings.ts";
import type { Runtime } from "../../runtime/runtime.ts";
import { untrustedNotice } from "../../trust/words.ts";
import { visibleLine } from "../../view/visible.ts";
import { complain, exitCodes, notOpenedCode, type CliContext } from "../cli-context.ts";
import { waitingWords } from "../conversation/attaching.ts";
import { endedWith, runningTerminals } from "../conversation/background.ts";
import { openQuestions } from "../conversation/open-questions.ts";
import { guard } from "../interruption.ts";
import { toldWhenSlow } from "../slow.ts";
import { Deadline } from "./deadline.ts";
import { type HeadlessPrompt, readPrompt } from "./piped-input.ts";
import { HeadlessPrinter } from "./printer.ts";
import {
  jsonOfFailure,
  jsonOfTurn,
  lineOfTurn,
  newTally,
  type TurnTally,
  tally,
  type AwaitedQuestion,
  waitedFor,
} from "./result.ts";

/** Resolves to the exit code. Throws StoreError and StaleEpoch. */
export async function runHeadless(context: CliContext, given?: HeadlessPrompt): Promise<number> {
  const deadline = new Deadline(context.settings.timeoutMs, () =>
    context.terminal.exit(refuse(context, tooLong(context), exitCodes.limit)),
  );
  try {
    return await runPrompt(context, deadline, given);
  } finally {
    deadline.stop();
  }
}

async function runPrompt(context: CliContext, deadline: Deadline, given?: HeadlessPrompt): Promise<number> {
  const written = context.settings.prompt ?? "";
  const prompt = given ? { ok: true as const, value: given } : await readPrompt(written, context.terminal);
  if (!prompt.ok) return refuse(context, prompt.problem, exitCodes.usage);
  if (prompt.value.text.trim() === "") return refuse(context, emptyWords(written), exitCodes.usage);
  const content = await contentOf(context, prompt.value);
  if (!content.ok) return refuse(context, content.problem, exitCodes.usage);
  const { startRuntime } = await import("../../runtime/runtime.ts"); // heavy, so loaded only when certainly needed
  const started = await orObject(context, () => startRuntime(context.settings, startingContext(context)));
  if (!started.ok) return refuse(context, started.problem, await notOpenedCode(context));
  try {
    return await runHeadlessIn(context, started.value, content.value, deadline);
  } finally {
    await started.value.close();
  }
}

const emptyWords = (written: string): string =>
  written.trim() === "-"
    ? "Standard input is empty: pipe a prompt in, or give it with -p."
    : 'The prompt is empty: say what to do with -p "…".';

const tooLong = ({ settings }: CliContext): string =>
  `the run took longer than --timeout allows (${(settings.timeoutMs ?? 0) / 1_000} s)`;

/** The same, on an existing runtime. */
export async function runHeadlessIn(
  context: CliContext,
  runtime: Runtime,
  content: string | ContentPart[],
  deadline: Deadline = new Deadline(undefined, () => undefined),
): Promise<number> {
  const { notice } = runtime.model;
  const told =
    context.settings.verbose && notice !== undefined ? [...runtime.warnings, notice] : runtime.warnings;
  for (const warning of told) context.terminal.report(`! ${visibleLine(warning)}\n`);
  const opened = await orObject(context, () => openOne(runtime, context));
  if (!opened.ok) return refuse(context, opened.problem, exitCodes.failed);
  const { session } = opened.value;
  const requests = session.state.turns.length;
  if (context.settings.sessionId !== undefined && requests > 0)
    context.terminal.report(
      `! Session ${session.id} exists (${requests} ${requests === 1 ? "request" : "requests"}): it is continued.\n`,
    );
  for (const warning of openingWarnings(session.log.entries))
    context.terminal.report(`! ${visibleLine(warning)}\n`);
  const untrusted = untrustedNotice(runtime.trust.waiting());
  if (untrusted) context.terminal.report(`! ${untrusted.text}\n`);
  const said: ContentPart[] = typeof content === "string" ? [{ type: "text", text: content }] : content;
  const work = { runtime, deadline, content: said, ...opened.value };
  return orObject(
    context,
    () => runTurn(context, work),
    () => session.state,
  );
}

/** Programs get their object even on failure; the top level prints the line for people. */
async function orObject<T>(
  context: CliContext,
  work: () => Promise<T>,
  state?: () => SessionState,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    printObject(context, jsonOfFailure(errorMessage(error), exitCodes.failed, state?.()));
    throw error;
  }
}

/** The one object of `json`; the last line of `stream-json`, after the facts. */
function printObject(
  { settings, terminal }: CliContext,
  result: ReturnType<typeof jsonOfFailure> | ReturnType<typeof jsonOfTurn>,
): void {
  if (settings.output === "text") return;
  const object = settings.output === "json" ? result : { type: "run-end", ...result };
  terminal.print(`${JSON.stringify(object)}\n`);
}

/** Piped text is untrusted data: only the prompt itself can invoke commands and mention files. */
async function contentOf(
  context: CliContext,
  { text: said, attached: piped }: HeadlessPrompt,
): Promise<Expected<ContentPart[]>> {
  const { settings, terminal } = context;
  const written = settings.prompt ?? "";
  const meant = await meantHere(context, written);
  if (!meant.ok) return meant;
  const [words, ...mentioned] = meant.value;
  const prompt = words?.type === "text" ? words.text : written;
  const text = said.startsWith(written) ? prompt + said.slice(written.length) : said;
  const typed = words?.type === "text" && words.typed !== undefined ? { typed: said } : {};
  const message: ContentPart = { type: "text", text, ...typed };
  const beside = [...mentioned, ...piped];
  if (settings.attach.length === 0) return { ok: true, value: [message, ...beside] };
  const { attachPaths } = await import("../../runtime/messages/attachments.ts");
  const place = { ...(await placeIn(context)), from: terminal.cwd };
  const attached = await attachPaths(settings.attach, place);
  const [problem] = attached.problems;
  if (problem !== undefined) return { ok: false, problem };
  return { ok: true, value: [message, ...beside, ...attached.content] };
}

const realWorkspace = ({ workspace }: CliContext["settings"]): Promise<string> =>
  realpath(workspace).catch(() => workspace);

async function placeIn({ settings, terminal }: Pick<CliContext, "settings" | "terminal">) {
  const { objectionsIn } = await import("../../runtime/reading.ts");
  const workspace = await realWorkspace(settings);
  const home = terminal.env["HOME"] || homedir();
  return { workspace, objection: objectionsIn(settings, { workspace, home }) };
}

/**
 * Runs before anything is opened, so that an unsendable prompt leaves no session behind. Prints which file a command
 * is.
 */
async function meantHere(
  { settings, terminal }: CliContext,
  prompt: string,
): Promise<Expected<ContentPart[]>> {
  const written: ContentPart[] = [{ type: "text", text: prompt }];
  if (!mayMeanMore(written)) return { ok: true, value: written };
  const [{ fileCommandsIn }, { toolServersIn, withPrompts }] = await Promise.all([
    import("../../runtime/messages/file-commands.ts"),
    import("../../runtime/addons/tool-servers.ts"),
  ]);
  const ofFiles = await fileCommandsIn(settings, terminal.env);
  const commands = withPrompts(ofFiles, await toolServersIn(settings, terminal.env));
  const context = { commands, ...(await placeIn({ settings, terminal })) };
  const meant = await toldWhenSlow(
    () => meantBy(written, context, { onlyInside: true }),
    () => settings.output === "text" && terminal.report(`${waitingWords(written)}\n`),
  );
  if (!meant.ok) return meant;
  const { content, called } = meant.value;
  if (called && settings.output === "text")
    terminal.report(`/${visibleLine(called.name)}: ${visibleLine(called.path)}\n`);
  if (called?.unheeded !== undefined && settings.output === "text")
    terminal.report(`! ${visibleLine(called.unheeded)}\n`);
  return { ok: true, value: content };
}

const startingContext = ({ terminal, model }: CliContext) => ({
  env: terminal.env,
  interactive: false,
  ...(model === undefined ? {} : { model }),
});

/** Says why nothing was done: a line for people, and the JSON object that programs wait for. */
function refuse(context: CliContext, problem: string, code: number): number {
  printObject(context, jsonOfFailure(problem, code));
  complain(context.terminal, problem);
  return code;
}

type HeadlessSession = { session: LiveSession; waited: AwaitedQuestion[] };

/** The new request takes precedence: a turn that was left open is closed as interrupted first. */
async function openOne(
  runtime: Runtime,
  { terminal, settings }: CliContext,
): Promise<Expected<HeadlessSession>> {
  const opened = await runtime.open({
    continue: settings.continue,
    ...(settings.resume === undefined ? {} : { resume: settings.resume }),
    ...(settings.sessionId === undefined ? {} : { id: settings.sessionId }),
    takeOver: settings.takeOver,
  });
  if (!opened.ok) return opened;
  const session = opened.value;
  const waited = openQuestions(session.state).map(waitedFor);
  if (session.state.status === "running") {
    await session.command({ type: "interrupt", by: "terminal" });
    const what = waited.length > 0 ? "waited for an answer" : "had been left open";
    if (settings.output === "text")
      terminal.report(`! The last request of this session ${what}: it is closed as interrupted.\n`);
  }
  return { ok: true, value: { session, waited } };
}

type HeadlessTurn = HeadlessSession & { runtime: Runtime; deadline: Deadline; content: ContentPart[] };

async function runTurn(
  context: CliContext,
  { runtime, deadline, session, content, waited }: HeadlessTurn,
): Promise<number> {
  const stop = new AbortController();
  let release: (() => void) | undefined;
  try {
    if (context.settings.output === "stream-json") await printFirstFact(context, runtime, session);
    const { show, ending } = listener(context);
    const heard = hear(show, session.follow(session.state.seq, stop.signal));
    const interrupt = () =>
      void session.command({ type: "interrupt", by: "terminal" }).catch(() => undefined);
    deadline.interrupts(
      () =>
        void session
          .command({ type: "interrupt", because: "the time limit was reached" })
          .catch(() => undefined),
    );
    const sent = await session.command({ type: "send", content });
    if (!sent.ok) return refuse(context, sent.problem, exitCodes.failed);
    release = guard(context.terminal, interrupt);
    await answerForNobody(session);
    const result = await heard;
    result.waited.unshift(...waited);
    const running = context.settings.output === "text" ? runningTerminals(session) : [];
    if (running.length > 0) context.terminal.report(`! ${endedWith("this run", running)}\n`);
    if (result.lacksSandbox) context.terminal.report(withoutSandbox);
    const exit = exitCodeOf(result);
    const goOn = goingOn(context, session, result);
    const end = deadline.passed ? { exit: exitCodes.limit, cut: tooLong(context) } : { exit, goOn };
    printObject(context, jsonOfTurn(session.state, result, end));
    if (context.settings.output === "text" && !context.terminal.outputGone.aborted)
      context.terminal.report(`${lineOfTurn(session.state, result, { ...end, ending: ending() })}\n`);
    if (context.settings.output === "text" && goOn !== undefined)
      context.terminal.report(`To go on: ${visibleLine(goOn)}\n`);
    return end.exit;
  } finally {
    release?.();
    stop.abort();
    await session.close();
  }
}

/**
 * Answers what would wait for a person: stops at a limit, and declines a question so that the model decides. Anything
 * else closes the turn rather than leaving it open.
 */
async function answerForNobody(session: LiveSession): Promise<void> {
  const by = "toolwright";
  for (;;) {
    await session.idle();
    const { status, limitAsked } = session.state;
    if (status === "idle" && !session.isWorking) return;
    const [question] = pendingQuestions(session.state);
    const answered = limitAsked
      ? await session.command({ type: "answer-limit", answer: "stop", by })
      : question
        ? await session.command({
            type: "answer-question",
            callId: question.callId,
            answer: "declined",
            text: nobodyThere,
            by,
          })
        : undefined;
    if (answered?.ok !== true) await session.command({ type: "interrupt", by: "terminal" });
  }
}

const nobodyThere = "Nobody is there to answer: decide by yourself, and say what you decided.";

/** Prints the fact that identifies the session, new or resumed. */
async function printFirstFact(
  { terminal }: CliContext,
  { store }: Runtime,
  { id }: LiveSession,
): Promise<void> {
  for (const entry of await store.read(id, 0, { facts: 1, characters: 1 }))
    terminal.print(`${encodeEntry(entry)}\n`);
}

/** Prints events as they happen, until the turn is over. */
async function hear(
  show: HeadlessListener["show"],
  events: AsyncIterable<Entry | Signal>,
): Promise<TurnTally> {
  const result = newTally();
  for await (const event of events) {
    show(event);
    if (!("seq" in event)) continue;
    tally(result, event);
    if (event.type === "turn-end") break;
  }
  return result;
}

/** `ending`: see `HeadlessPrinter`. */
type HeadlessListener = { show: (event: Entry | Signal) => void; ending: () => readonly string[] };

const ending = (): string[] => [];

function listener({ terminal, settings }: CliContext): HeadlessListener {
  switch (settings.output) {
    case "json":
      return { show: () => undefined, ending };
    case "stream-json":
      return {
        ending,
        show: (event) => {
          if ("seq" in event) terminal.print(`${encodeEntry(event)}\n`);
          else if (settings.verbose) terminal.print(`${JSON.stringify(event)}\n`);
        },
      };
    case "text": {
      const printer = new HeadlessPrinter(terminal, settings.verbose ? "reasons" : "usual");
      return { show: (event) => printer.show(event), ending: () => printer.ending };
    }
    default:
      return settings.output satisfies never;
  }
}

const withoutSandbox =
  "! A command was denied because no sandbox works here (`toolwright doctor` says why): allow it with --allow, or everything with --mode trusted.\n";

/** The command that goes on with a task which was stopped. */
function goingOn(
  { given = {} }: CliContext,
  { id }: LiveSession,
  { end, names }: TurnTally,
): string | undefined {
  // A failure after some work may pass: an overloaded server, for one.
  const canGoOn = end?.stopped === "limit" || (end?.stopped === "failed" && names.size > 0);
  return canGoOn ? commandToGoOn(given, id) : undefined;
}

function exitCodeOf({ end, denied }: TurnTally): number {
  if (!end) return exitCodes.failed;
  switch (end.stopped) {
    case "done":
      return denied.length > 0 ? exitCodes.denied : exitCodes.done;
    case "failed":
      return exitCodes.failed;
    case "limit":
      return exitCodes.limit;
    case "interrupted":
      return exitCodes.interrupted;
    default:
      return end.stopped satisfies never;
  }
}
