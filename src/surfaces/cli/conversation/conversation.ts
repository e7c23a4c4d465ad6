/** `toolwright`: a conversation, line by line. */

import { type Expected, errorMessage } from "../../../base/expected.ts";
import type { CommandOutcome } from "../../../protocol/commands.ts";
import type { Entry } from "../../../protocol/facts.ts";
import { awaitsPerson } from "../../../protocol/session-state.ts";
import type { LiveSession } from "../../../runtime/live-session.ts";
import type { Runtime } from "../../../runtime/runtime.ts";
import { styleFor } from "../../view/plain.ts";
import { visibleLine, visibleText } from "../../view/visible.ts";
import { missingModel } from "../model-table.ts";
import { Printer } from "../printer.ts";
import { complain, exitCodes, notOpenedCode, type CliRoom } from "../room.ts";
import type { SignalName } from "../terminal.ts";
import { askPerson } from "./asked-person.ts";
import { say } from "./attaching.ts";
import { endedWith, runningTerminals } from "./background.ts";
import { greet } from "./greeting.ts";
import { LineInput } from "./line-input.ts";
import { type OpenQuestion, isAsked, openQuestions } from "./open-questions.ts";
import { confirm } from "./questions.ts";
import { showNew, tellWaiting } from "./queue-commands.ts";
import { commandAtQuestion, isSlashCommand, runSlashCommand } from "./slash-commands.ts";
import type { Talk, TalkRoom } from "./talk.ts";
import { listenNoMore, listenWhileRunning } from "./while-running.ts";

/** A second Ctrl-C within this time leaves. */
const leaveWithinMs = 2_000;

/**
 * `first` is the first message, unless it is empty; `demo` is offered when there is no model. Resolves to the exit
 * code.
 */
type Beginning = { first: string; demo: () => Promise<number> };

export async function converse(room: CliRoom, { first, demo }: Beginning): Promise<number> {
  const { terminal, settings, model } = room;
  const { startRuntime } = await import("../../../runtime/runtime.ts");
  const started = await startRuntime(settings, {
    env: terminal.env,
    interactive: true,
    ...(model === undefined ? {} : { model }),
  });
  if (!started.ok) {
    const advice = await missingModel(room);
    if (advice !== undefined) return (await import("./first-run.ts")).offerDemo(room, advice, demo);
    complain(terminal, started.problem);
    return notOpenedCode(room);
  }
  try {
    return await converseIn(room, started.value, first);
  } finally {
    await started.value.close();
  }
}

/** The same, on a runtime that stays open. */
export async function converseIn(room: CliRoom, runtime: Runtime, first: string): Promise<number> {
  const opened = await openSession(room, runtime);
  if (!opened.ok) {
    complain(room.terminal, opened.problem);
    return exitCodes.failed;
  }
  const { terminal, settings } = room;
  const { modelsWithinReach } = await import("../../../runtime/runtime.ts");
  const reach = (provider?: string) => modelsWithinReach(settings, terminal.env, provider);
  const talk = startTalk({ terminal, verbose: settings.verbose, reach }, runtime, opened.value);
  try {
    await greet(talk);
    await takeUp(talk);
    return await talkOn(talk, first);
  } finally {
    talk.input.close();
    const running = runningTerminals(talk.session);
    await talk.session.close();
    if (running.length > 0) terminal.print(`${endedWith("the conversation", running)}\n`);
  }
}

const openSession = ({ settings }: CliRoom, runtime: Runtime): Promise<Expected<LiveSession>> =>
  runtime.open({
    continue: settings.continue,
    ...(settings.resume === undefined ? {} : { resume: settings.resume }),
    takeOver: settings.takeOver,
  });

/** Takes the terminal until `talk.input` is closed. */
export function startTalk(room: TalkRoom, runtime: Runtime, session: LiveSession): Talk {
  const { terminal, verbose, clock } = room;
  const style = styleFor(terminal.env, terminal.outputIsTerminal);
  const printer = new Printer({ terminal, style, verbose, clock });
  printer.skip(session.log.entries);
  const input = new LineInput(terminal, {
    interrupt: () => interrupted(talk),
    terminate: (signal) => terminated(talk, signal),
    ended: () => leavesLater(talk),
    typing: (draft) => printer.typing(draft),
    givesWay: () => printer.givesWay(),
    complete: async (line) => (await import("./completion.ts")).complete(talk.runtime, line),
  });
  const talk: Talk = {
    room,
    runtime,
    session,
    printer,
    input,
    style,
    seen: session.state.seq,
    seenBefore: new Set(),
    attached: [],
    sending: Promise.resolve(),
    busy: false,
    background: "",
    interruptedAt: 0,
    command: (line) => commandAtQuestion(talk, line),
    leaving: undefined,
  };
  terminal.outputGone.addEventListener("abort", () => terminated(talk), { once: true });
  return talk;
}

/** A turn that an earlier run left open: its questions are asked again, the rest goes on if the person wants it to. */
async function takeUp(talk: Talk): Promise<void> {
  const { session, printer, style } = talk;
  if (session.state.status === "idle") return tellWaiting(talk);
  const asked = openQuestions(session.state);
  if (asked.length > 0) {
    printer.note(style.yellow("The last request waits for your answer."));
    return takeTurn(talk, async () => ({ ok: true }), asked);
  }
  printer.note(
    style.yellow("The last request was left open: the program stopped while it was being worked on."),
  );
  const { mode } = session.state;
  const how = mode === session.mode ? "" : `, in ${mode} mode as before`;
  const goOn = await confirm(talk.input, `Continue it${how}?`);
  if (goOn === undefined) {
    talk.leaving ??= exitCodes.done; // undecided: it stays open for the next time
    return undefined;
  }
  return takeTurn(talk, () => session.command({ type: goOn ? "go-on" : "interrupt" }));
}

async function talkOn(talk: Talk, first: string): Promise<number> {
  const { terminal } = talk.room;
  let message: string | undefined = first;
  if (first.trim() !== "") terminal.print(`${promptOf(talk)}${visibleText(first)}\n`);
  while (talk.leaving === undefined) {
    if (message.trim() !== "") await obey(talk, message);
    if (talk.leaving !== undefined) break;
    message = await talk.input.message(promptOf(talk));
    if (message === undefined) {
      terminal.print("\n");
      break;
    }
  }
  return talk.leaving ?? exitCodes.done;
}

/** The mode unless it is the usual one; the model once it is another than at the start. */
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
  return takeTurn(talk, () => say(talk, message));
}

/**
 * Works on a turn until it is over, printing it and asking its questions. What goes wrong is said, and nothing is lost.
 */
async function takeTurn(
  talk: Talk,
  begin: () => Promise<CommandOutcome>,
  asked: readonly OpenQuestion[] = [],
): Promise<void> {
  talk.busy = true;
  talk.interruptedAt = 0;
  talk.printer.begin();
  try {
    const begun = await begin();
    if (!begun.ok) talk.printer.note(talk.style.yellow(`! ${visibleLine(begun.problem)}`));
    else await watchAll(talk, asked);
  } catch (error) {
    const words = errorMessage(error);
    talk.printer.note(talk.style.red(`! ${visibleLine(words)}`));
    if (talk.room.verbose && error instanceof Error) talk.printer.note(error.stack ?? "");
    // Another process has the session now: nothing more can be said here.
    if (error instanceof Error && error.name === "StaleEpoch") talk.leaving = exitCodes.failed;
  } finally {
    await listenNoMore(talk);
    talk.busy = false;
  }
  tellBackground(talk);
  if (talk.leaving === undefined) tellWaiting(talk);
}

/** A message that came at the end of the turn, or waited for it, opens the next one. */
async function watchAll(talk: Talk, asked: readonly OpenQuestion[]): Promise<void> {
  let open = asked;
  do {
    listenWhileRunning(talk);
    await watch(talk, { asked: open, ask: askPerson });
    open = [];
    await listenNoMore(talk);
  } while (await goesOn(talk));
  await showNew({ ...talk, busy: false });
  talk.seen = talk.session.state.seq;
}

/** Whether another turn has begun, or will without anybody's doing. */
async function goesOn({ session, seen }: Talk): Promise<boolean> {
  const stop = new AbortController();
  const isNext = ({ type, seq }: Entry): boolean => type === "user-message" && seq > seen;
  const next = session.log.until(isNext, stop.signal, seen);
  await Promise.race([next.catch(() => undefined), session.idle()]);
  stop.abort();
  return session.log.entries.some(isNext);
}

/** Once, for as long as the same goes on. */
function tellBackground(talk: Talk): void {
  const running = runningTerminals(talk.session);
  const told = running.join(", ");
  if (told !== "" && told !== talk.background) {
    const ends = running.length === 1 ? "It ends" : "They end";
    talk.printer.note(talk.style.dim(`In the background: ${told}. ${ends} when you exit.`), "");
  }
  talk.background = told;
}

type Watching = {
  /** Questions that were open before. */
  asked: readonly OpenQuestion[];
  /** Answers a question, or leaves it to an interruption. */
  ask: (talk: Talk, question: OpenQuestion) => Promise<void>;
};

/**
 * Prints events until the turn ends, and what is waited for in between. Throws what made the engine fail.
 */
export async function watch(talk: Talk, watching: Watching): Promise<void> {
  const { printer } = talk;
  printer.watch();
  try {
    await printEvents(talk, watching);
  } finally {
    printer.rest();
  }
}

async function printEvents(talk: Talk, { asked, ask }: Watching): Promise<void> {
  const { session, printer } = talk;
  const stop = new AbortController();
  let failure: unknown;
  /** The engine runs anew after each answer; what makes it fail is told only by `idle`. */
  const watchEngine = (): void => {
    session.idle().catch((error: unknown) => {
      failure = error;
      stop.abort();
    });
  };
  /** Events wait while a question is open: nothing may scroll it away. */
  const askAlone = async (question: OpenQuestion): Promise<void> => {
    if (isLeft(talk)) return;
    printer.rest();
    await ask(talk, question);
    if (isLeft(talk)) return;
    printer.watch();
    watchEngine();
  };
  watchEngine();
  for (const question of asked) await askAlone(question);
  if (isLeft(talk)) return;
  for await (const event of session.follow(talk.seen, stop.signal)) {
    if (!("seq" in event && talk.seenBefore.delete(event.seq))) printer.show(event);
    if (!("seq" in event)) continue;
    talk.seen = event.seq;
    if (event.type === "turn-end") break;
    if (isAsked(event)) await askAlone(event);
    if (isLeft(talk)) break;
  }
  printer.endLine();
  if (failure !== undefined) throw failure;
}

/** It is left with a question that waits: nothing more comes. */
const isLeft = ({ leaving, session }: Talk): boolean => leaving !== undefined && awaitsPerson(session.state);

/** Ctrl-C: stops the turn, and leaves when pressed again soon; at the prompt, too, it takes two. */
function interrupted(talk: Talk): void {
  const { room, session, printer, input, style } = talk;
  const now = Date.now();
  const isAgain = now - talk.interruptedAt < leaveWithinMs;
  if (!talk.busy) {
    talk.interruptedAt = now;
    if (!isAgain) return leavesNext(talk);
    talk.leaving = exitCodes.done;
    return input.cancel();
  }
  if (input.isAsking && session.state.status === "idle") {
    room.terminal.print("\n");
    return input.cancel(); // a question of ours: nothing runs
  }
  if (isAgain) {
    input.restoreTerminal();
    return room.terminal.exit(exitCodes.interrupted);
  }
  talk.interruptedAt = now;
  printer.hush();
  if (input.isAsking) room.terminal.print("\n");
  printer.note(style.yellow("Interrupting … (again to exit)"));
  const { turn } = session.state;
  // A question that is open is given up after the turn is: it must not count as a no that the turn goes on from.
  // By then the next message may be asked for already; that must not be given up.
  void session
    .command({ type: "interrupt" })
    .catch(() => undefined)
    .finally(() => {
      if (talk.busy && session.state.turn === turn) input.cancel();
    });
}

/** It was meant for a request that is over by now, maybe: nobody is thrown out by that. */
function leavesNext({ printer, input, style }: Talk): void {
  printer.note("", style.dim("Ctrl-C again exits, as Ctrl-D does; the session is kept."));
  input.promptAgain();
}

/** Ctrl-D in a turn: nothing is interrupted by that. Input that is no terminal ends by itself. */
function leavesLater({ busy, leaving, printer, style, room }: Talk): void {
  if (busy && leaving === undefined && room.terminal.inputIsTerminal)
    printer.note(style.dim("Exits when the request is done; Ctrl-C interrupts it."));
}

/**
 * SIGTERM, SIGHUP, or nobody reads any more: stops the turn, unless it waits for a person anyway, and leaves. A second
 * SIGTERM leaves at once; a terminal that is closed tells so several times (the kernel, its shell, a write that fails),
 * and that is no impatience.
 */
function terminated(talk: Talk, signal?: SignalName): void {
  if (talk.leaving === exitCodes.interrupted) {
    if (signal !== "SIGTERM") return;
    talk.printer.rest();
    talk.input.restoreTerminal();
    talk.room.terminal.exit(exitCodes.interrupted);
    return;
  }
  talk.leaving = exitCodes.interrupted;
  if (isLeft(talk)) return talk.input.cancel();
  void talk.session
    .command({ type: "interrupt" })
    .catch(() => undefined)
    .finally(() => talk.input.cancel());
}
