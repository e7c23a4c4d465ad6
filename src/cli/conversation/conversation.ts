/** `toolwright` without a subcommand: a conversation, on a screen or line by line. */

import { type Expected, errorMessage } from "../../base/expected.ts";
import { visibleLine } from "../../base/visible-text.ts";
import { commandToResume } from "../../configuration/options/again.ts";
import type { CommandOutcome } from "../../protocol/commands.ts";
import type { Entry } from "../../protocol/facts.ts";
import { awaitsPerson } from "../../protocol/session-state.ts";
import type { LiveSession } from "../../runtime/live-session.ts";
import type { Runtime } from "../../runtime/runtime.ts";
import { LineTerminal } from "../../tui/line/line-terminal.ts";
import type { ProcessTerminal, SignalName } from "../../tui/process-terminal.ts";
import type { TerminalHandlers } from "../../tui/terminal.ts";
import { type OpenQuestion, isAsked, openQuestions } from "../../view/person-questions.ts";
import { complain, exitCodes, notOpenedCode, type CliContext, failWith } from "../cli-context.ts";
import { say } from "./attaching.ts";
import { endedWith, runningTerminals } from "./background.ts";
import { greet } from "./greeting.ts";
import { interrupt } from "./interrupt-or-leave.ts";
import { obeyOwnLine } from "./own-line.ts";
import { isWaiting, showNew, tellWaiting } from "./queue-commands.ts";
import { canPaint, openScreen } from "./screen.ts";
import { commandAtQuestion, isSlashCommand, runSlashCommand } from "./slash-commands.ts";
import type { Talk, TalkContext } from "./talk.ts";
import { listenNoMore, listenWhileRunning } from "./while-running.ts";

/** A second Ctrl-C within this time leaves the conversation. */
const leaveWithinMs = 2_000;

/** `first` is the first message, unless it is empty. */
export async function converse(context: CliContext, first: string): Promise<number> {
  const { terminal, settings, model } = context;
  const { startRuntime } = await import("../../runtime/runtime.ts");
  const started = await startRuntime(settings, {
    env: terminal.env,
    interactive: true,
    told: (words) => terminal.report(`${words}\n`),
    model,
  });
  if (!started.ok) {
    complain(terminal, started.problem);
    return notOpenedCode(context);
  }
  try {
    return await converseIn(context, started.value, first);
  } finally {
    await started.value.close();
  }
}

/** The same, on an existing runtime. */
export async function converseIn(context: CliContext, runtime: Runtime, first: string): Promise<number> {
  const opened = await openSession(context, runtime);
  if (!opened.ok) return failWith(context.terminal, opened.problem);
  const { terminal, settings } = context;
  const { modelsWithinReach } = await import("../../runtime/runtime.ts");
  const reach = (provider?: string) => modelsWithinReach(settings, terminal.env, provider);
  const talk = startTalk(
    {
      terminal,
      verbose: settings.verbose,
      plain: settings.plain,
      keys: settings.keys,
      statusLine: settings.statusLine,
      reach,
      shell: context,
    },
    runtime,
    opened.value,
  );
  try {
    await greet(talk);
    await takeUp(talk);
    if (context.hint !== undefined) talk.terminal.note(talk.style.dim(context.hint), "");
    return await talkOn(talk, first);
  } finally {
    talk.terminal.close();
    const running = runningTerminals(talk.session);
    await talk.session.close();
    if (running.length > 0) terminal.print(`${endedWith("the conversation", running)}\n`);
    if (talk.session.state.turns.length > 0)
      terminal.print(`${talk.style.dim(howToComeBack(talk.session, context.given))}\n`);
  }
}

/** The end of an id is enough, if it is one of ours. */
function howToComeBack({ id, model }: LiveSession, given: CliContext["given"] = {}): string {
  const flags = given.model === undefined ? given : { ...given, model: model.name };
  const short = /^\d{8}-\d{6}-[\da-f]{6}$/u.test(id) ? id.slice(-6) : id;
  return `To go on with this session: ${visibleLine(commandToResume(flags, short))}`;
}

const openSession = ({ settings }: CliContext, runtime: Runtime): Promise<Expected<LiveSession>> =>
  runtime.open({
    continue: settings.continue,
    ...(settings.resume === undefined ? {} : { resume: settings.resume }),
    ...(settings.sessionId === undefined ? {} : { id: settings.sessionId }),
    takeOver: settings.takeOver,
  });

type TalkSetup = TalkContext & { terminal: ProcessTerminal };

/** Owns the process's terminal until `talk.terminal` is closed. */
export function startTalk(setup: TalkSetup, runtime: Runtime, session: LiveSession): Talk {
  const handlers: TerminalHandlers = {
    interrupt: () => handleInterrupt(talk),
    stop: () => {
      if (Date.now() - talk.interruptedAt >= leaveWithinMs) handleInterrupt(talk); // only Ctrl-C leaves
    },
    terminate: (signal) => handleTermination(talk, signal),
    ended: () => leavesLater(talk),
    complete: async (line) => (await import("./completion.ts")).complete(talk.runtime, line),
  };
  const terminal =
    canPaint(setup.terminal) && !setup.plain
      ? openScreen(setup, handlers, () => talk)
      : new LineTerminal(setup, handlers);
  terminal.startOver(session.log.entries);
  const talk: Talk = {
    context: setup,
    runtime,
    session,
    terminal,
    style: terminal.style,
    seen: session.state.seq,
    seenBefore: new Set(),
    attached: [],
    sending: Promise.resolve(),
    busy: false,
    background: "",
    interruptedAt: 0,
    command: (line) => commandAtQuestion(talk, line),
    takeUp: () => takeUp(talk),
    leaving: undefined,
    isUncontained: false,
    introduced: Promise.resolve(),
  };
  return talk;
}

/** Handles a turn left open by an earlier run: asks its questions again, and resumes the rest if the person agrees. */
async function takeUp(talk: Talk): Promise<void> {
  const { session, terminal, style } = talk;
  if (session.state.status === "idle") return tellWaiting(talk);
  const asked = openQuestions(session.state);
  if (asked.length > 0) {
    terminal.note(style.yellow("The last request waits for your answer."));
    return takeTurn(talk, async () => ({ ok: true }), asked);
  }
  terminal.note(
    style.yellow("The last request was left open: the program stopped while it was being worked on."),
  );
  const { mode } = session.state;
  const how = mode === session.mode ? "" : `, in ${mode} mode as before`;
  const { confirm } = await import("./questions.ts");
  const goOn = await confirm(terminal, `Continue it${how}?`);
  if (goOn === undefined) {
    talk.leaving ??= exitCodes.done; // undecided: it stays open for the next time
    return undefined;
  }
  return takeTurn(talk, () =>
    session.command(goOn ? { type: "go-on" } : { type: "interrupt", by: "terminal" }),
  );
}

async function talkOn(talk: Talk, first: string): Promise<number> {
  const { terminal } = talk;
  let message: string | undefined = first;
  if (first.trim() !== "") terminal.echo(promptOf(talk), first);
  while (talk.leaving === undefined) {
    if (message.trim() !== "") await obey(talk, message);
    if (talk.leaving !== undefined) break;
    message = await terminal.message(promptOf(talk));
    if (message === undefined) break;
    // Only of what is typed here: the first message may come from another program.
    if (await obeyOwnLine(talk, message)) message = "";
  }
  return talk.leaving ?? exitCodes.done;
}

/** Shows the mode unless it is the default, and the model once it has been changed. */
function promptOf({ session, runtime }: Talk): string {
  const model = session.model.name === runtime.model.name ? [] : [shortName(session.model.name)];
  return `${[...model, ...(session.mode === "ask" ? [] : [session.mode])].join(" ")}> `;
}

const shortName = (model: string): string =>
  visibleLine(model.slice(model.lastIndexOf("/") + 1)).slice(0, 30);

async function obey(talk: Talk, message: string): Promise<void> {
  if (isSlashCommand(message)) {
    const next = await runSlashCommand(talk, message.trim());
    if (next === undefined) return undefined;
    return typeof next === "string" ? obey(talk, next) : takeTurn(talk, next);
  }
  if (/^(exit|quit)$/iu.test(message.trim())) {
    talk.leaving = exitCodes.done;
    return undefined;
  }
  if (isWaiting(talk, message)) return takeTurn(talk, () => talk.session.command({ type: "go-on" }));
  return takeTurn(talk, async () => {
    const outcome = await say(talk, message);
    if (!outcome.ok && talk.terminal.editsLines) talk.terminal.prefill(message); // to be mended
    return outcome;
  });
}

/**
 * Runs a turn until it is over, printing it and asking its questions. Errors are printed; everything stored is kept.
 */
async function takeTurn(
  talk: Talk,
  begin: () => Promise<CommandOutcome>,
  asked: readonly OpenQuestion[] = [],
): Promise<void> {
  await talk.terminal.during("trying the sandbox", () => talk.introduced);
  talk.busy = true;
  talk.interruptedAt = 0;
  talk.terminal.begin();
  try {
    const begun = await begin();
    if (!begun.ok) talk.terminal.note(talk.style.yellow(`! ${visibleLine(begun.problem)}`));
    else await watchAll(talk, asked);
  } catch (error) {
    const words = errorMessage(error);
    talk.terminal.note(talk.style.red(`! ${visibleLine(words)}`));
    if (talk.context.verbose && error instanceof Error) talk.terminal.note(error.stack ?? "");
    // Another process has taken over the session: this one cannot write to it any more.
    if (error instanceof Error && error.name === "StaleEpoch") talk.leaving = exitCodes.failed;
  } finally {
    await listenNoMore(talk);
    talk.busy = false;
  }
  tellBackground(talk);
  if (talk.leaving === undefined) tellWaiting(talk);
}

/** Cards are loaded with the first question. */
const ask = async (talk: Talk, asked: OpenQuestion): Promise<void> =>
  (await import("./asked-person.ts")).askPerson(talk, asked);

/** A message that arrived at the end of the turn, or was queued for it, opens the next one. */
async function watchAll(talk: Talk, asked: readonly OpenQuestion[]): Promise<void> {
  let open = asked;
  do {
    listenWhileRunning(talk);
    await watch(talk, { asked: open, ask });
    open = [];
    await listenNoMore(talk);
  } while (await goesOn(talk));
  await showNew({ ...talk, busy: false });
  talk.seen = talk.session.state.seq;
}

/** Whether another turn has begun or is about to begin without further input. */
async function goesOn({ session, seen }: Talk): Promise<boolean> {
  const stop = new AbortController();
  const isNext = ({ type, seq }: Entry): boolean => type === "user-message" && seq > seen;
  const next = session.log.until(isNext, stop.signal, seen);
  await Promise.race([next.catch(() => undefined), session.idle()]);
  stop.abort();
  return session.log.entries.some(isNext);
}

/** Prints the background programs only when they have changed. */
function tellBackground(talk: Talk): void {
  const running = runningTerminals(talk.session);
  const told = running.join(", ");
  if (told !== "" && told !== talk.background) {
    const ends = running.length === 1 ? "It ends" : "They end";
    talk.terminal.note(talk.style.dim(`In the background: ${told}. ${ends} when you exit.`), "");
  }
  talk.background = told;
}

type WatchOptions = {
  /** Questions that were already open. */
  asked: readonly OpenQuestion[];
  /** Answers a question, or leaves it to an interruption. */
  ask: (talk: Talk, question: OpenQuestion) => Promise<void>;
};

/** Prints events until the turn ends, and its status in between. Throws the error that made the engine fail. */
export async function watch(talk: Talk, watching: WatchOptions): Promise<void> {
  const { terminal } = talk;
  terminal.watch();
  try {
    await printEvents(talk, watching);
  } finally {
    terminal.rest();
  }
}

async function printEvents(talk: Talk, { asked, ask }: WatchOptions): Promise<void> {
  const { session, terminal } = talk;
  const stop = new AbortController();
  let failure: unknown;
  /** Each answer restarts the engine, whose failure is reported only by `idle`. */
  const watchEngine = (): void => {
    session.idle().catch((error: unknown) => {
      failure = error;
      stop.abort();
    });
  };
  /** Printing pauses while a question is open, so that nothing scrolls it away. */
  const askAlone = async (question: OpenQuestion): Promise<void> => {
    if (isLeft(talk)) return;
    terminal.rest();
    await ask(talk, question);
    if (isLeft(talk)) return;
    terminal.watch();
    watchEngine();
  };
  watchEngine();
  for (const question of asked) await askAlone(question);
  if (isLeft(talk)) return;
  for await (const event of session.follow(talk.seen, stop.signal)) {
    if (!("seq" in event && talk.seenBefore.delete(event.seq))) terminal.show(event);
    if (!("seq" in event)) continue;
    talk.seen = event.seq;
    if (event.type === "turn-end") break;
    if (isAsked(event)) await askAlone(event);
    if (isLeft(talk)) break;
  }
  terminal.endLine();
  if (failure !== undefined) throw failure;
}

/** Whether the person is leaving while a question waits: no more events will come then. */
const isLeft = ({ leaving, session }: Talk): boolean => leaving !== undefined && awaitsPerson(session.state);

/** Ctrl-C stops the turn and, pressed again soon, leaves. At the prompt, too, leaving takes two. */
function handleInterrupt(talk: Talk): void {
  const { session, terminal } = talk;
  const now = Date.now();
  const isAgain = now - talk.interruptedAt < leaveWithinMs;
  if (!talk.busy) {
    talk.interruptedAt = now;
    if (!isAgain) return leavesNext(talk);
    talk.leaving = exitCodes.done;
    return terminal.cancel();
  }
  if (terminal.isAsking && session.state.status === "idle") {
    terminal.endLine();
    return terminal.cancel(); // a question of our own: no turn is running
  }
  if (isAgain) return terminal.exit(exitCodes.interrupted);
  talk.interruptedAt = now;
  terminal.hush();
  terminal.endLine();
  const { turn } = session.state;
  // Cancel an open question only after the turn is interrupted; otherwise it would count as a refusal that the turn
  // continues from. By then the prompt may be waiting for the next message, which must not be cancelled.
  void interrupt(talk, "again to exit").finally(() => {
    if (talk.busy && session.state.turn === turn) terminal.cancel();
  });
}

/** The Ctrl-C may have been meant for a request that has just ended, so the first one never leaves. */
function leavesNext({ terminal, style }: Talk): void {
  terminal.remind("", style.dim("Ctrl-C again exits, as Ctrl-D does; the session is kept."));
}

/** Ctrl-D in a turn leaves after it, without interrupting. Input that is not a terminal ends on its own. */
function leavesLater({ busy, session, leaving, terminal, style }: Talk): void {
  if (busy && session.state.status !== "idle" && leaving === undefined && terminal.isAttended)
    terminal.note(style.dim("Exits when the request is done; Ctrl-C interrupts it."));
}

/**
 * SIGTERM, SIGHUP or a closed output: stops the turn, unless it waits for a person anyway, and leaves. A second SIGTERM
 * leaves at once. SIGHUP does not: a closing terminal signals several times (kernel, shell, failing write).
 */
function handleTermination(talk: Talk, signal?: SignalName): void {
  if (talk.leaving === exitCodes.interrupted) {
    if (signal !== "SIGTERM") return;
    talk.terminal.rest();
    talk.terminal.exit(exitCodes.interrupted);
    return;
  }
  talk.leaving = exitCodes.interrupted;
  if (isLeft(talk)) return talk.terminal.cancel();
  void talk.session
    .command({ type: "interrupt", by: "terminal" })
    .catch(() => undefined)
    .finally(() => talk.terminal.cancel());
}
