/** `toolwright undo`, `redo` and `keep`, on the newest session of this workspace or a named one. */

import { jsonLine } from "../../base/json-lines.ts";
import { shellQuoted } from "../../base/shell-word.ts";
import { type ChangeSelection, readAsked } from "../../configuration/options/change-selection.ts";
import { options, type Values } from "../../configuration/options/options.ts";
import type { OnConflict } from "../../protocol/commands.ts";
import type { Entry } from "../../protocol/facts.ts";
import { checkpointOf } from "../../protocol/fold-changes.ts";
import type { SessionState } from "../../protocol/session-state.ts";
import type { LiveSession } from "../../runtime/live-session.ts";
import { isInUse, readSession } from "../../runtime/read-session.ts";
import { startRuntime } from "../../runtime/runtime.ts";
import type { ChangesCommand } from "../../runtime/undoing.ts";
import { askingAt, type PersonAsking } from "../../tui/line/asking.ts";
import { blockLines, type Style, styleFor } from "../../view/plain.ts";
import { emptyTranscript, showEntry } from "../../view/transcript.ts";
import { complain, exitCodes, type CliContext } from "../cli-context.ts";
import { confirm } from "../conversation/questions.ts";
import { newestAt, turnAgain, whichOf } from "./changes-asked.ts";
import { noChanges } from "./diff.ts";
import { earlierSession } from "./earlier-session.ts";
import { afterwards, type Desk, statusesFor, takeBack, type TakeBackResult } from "./taking-back.ts";

type UndoArguments = { command: ChangesCommand["type"]; words: readonly string[]; flags: Values };

export async function runUndo(context: CliContext, given: UndoArguments): Promise<number> {
  const asked = readAsked(given.words, given.flags);
  if (!asked.ok) return refuse(context, asked.problem, exitCodes.usage);
  const person = personAt(context);
  try {
    const work = { context, given, asked: asked.value, person };
    const code = await inSession(work, (session) => carryOut(work, session));
    return person?.wasInterrupted === true ? exitCodes.interrupted : code;
  } finally {
    person?.close();
  }
}

/** The person at the terminal, if there is one. Ctrl-C is not an answer; nothing is changed then. */
function personAt({ terminal, settings }: CliContext): PersonAsking | undefined {
  if (!terminal.inputIsTerminal || !terminal.outputIsTerminal || settings.output !== "text") return undefined;
  return askingAt(terminal, () => terminal.print("\n"));
}

type UndoContext = {
  context: CliContext;
  given: UndoArguments;
  asked: ChangeSelection;
  person?: PersonAsking;
};

/** Reads the session before claiming it, so that a process working on it does not lose it unannounced. */
async function inSession(work: UndoContext, use: (session: LiveSession) => Promise<number>): Promise<number> {
  const { context, given, asked, person } = work;
  const { settings, terminal } = context;
  const read = await readSession(settings, async ({ state }) => state);
  if (!read.ok) return refuse(context, read.problem, exitCodes.failed);
  const { session: id, workspace, status, turn } = read.value;
  const which = whichOf(asked, read.value, statusesFor[given.command]);
  if (!which.ok) return refuse(context, which.problem, exitCodes.failed);
  if (newestAt(undefined, read.value) === undefined)
    return refuse(context, noChanges(read.value) + (await hint(work, read.value)), exitCodes.failed);
  const isMaybeOpen = await isInUse(settings, id);
  let isTakenOver = settings.takeOver;
  if (isMaybeOpen && status === "running" && !isTakenOver) {
    const question = `${workedOn(turn)} Stop it and take the session over?`;
    if (!person || !(await confirm(person, question)))
      return refuse(context, `${workedOn(turn)} Wait until it is done.`, exitCodes.failed);
    isTakenOver = true;
  }
  const started = await startRuntime(
    { ...settings, workspace, mode: "ask", offlineModel: true, dialect: "auto" }, // nothing is asked of a model
    { env: terminal.env, interactive: false },
  );
  if (!started.ok) return refuse(context, started.problem, exitCodes.failed);
  try {
    const opened = await started.value.open({ resume: id, takeOver: isTakenOver });
    if (!opened.ok) return refuse(context, opened.problem, exitCodes.failed);
    if (isTakenOver && isMaybeOpen) terminal.report(`! ${takenOver(id)}\n`);
    try {
      return await use(opened.value);
    } finally {
      await opened.value.close();
    }
  } finally {
    await started.value.close();
  }
}

const hint = ({ context, given, asked }: UndoContext, state: SessionState): Promise<string> =>
  earlierSession(context.settings, state, { ...given, asked, statuses: statusesFor[given.command] });

const workedOn = (turn: number): string =>
  `Request ${turn} is not over: another Toolwright may be working on it.`;

const takenOver = (id: string): string =>
  `The session was taken over. Who has it open elsewhere must resume it to go on: toolwright --resume ${id.slice(-6)}`;

async function carryOut(work: UndoContext, session: LiveSession): Promise<number> {
  const { context, given, asked } = work;
  const { terminal, settings } = context;
  // A turn left open by a crash.
  if (session.state.status === "running") await session.command({ type: "interrupt", by: "terminal" });
  const desk = deskOf(work, session);
  const taken = await takeBack(given.command, asked, desk);
  const isText = settings.output === "text";
  if (!isText) terminal.print(`${jsonLine(jsonOf(session, taken))}\n`);
  if (!taken.ok) {
    if (taken.told && isText) desk.tell(...(work.person ? ["Nothing was changed."] : []));
    else complain(terminal, taken.problem + (taken.conflicts ? "" : await hint(work, session.state)));
    return exitCodes.failed;
  }
  const lines = [...entryLines(taken.entry, desk.style), ...afterwards(desk, taken, "toolwright redo")];
  if (isText) terminal.print(`${lines.join("\n")}\n`);
  return taken.uncovered.length > 0 ? exitCodes.failed : exitCodes.done;
}

/** Conflicts are shown on the terminal if there is one, else on standard error. */
function deskOf({ context, given, asked, person }: UndoContext, session: LiveSession): Desk {
  const { terminal, settings } = context;
  const write = person ? terminal.print : terminal.report;
  const style = styleFor(terminal.env, person ? terminal.outputIsTerminal : terminal.errorIsTerminal);
  return {
    session,
    style,
    tell: (...lines) => (settings.output === "text" ? write(`${lines.join("\n")}\n`) : undefined),
    ...(person ? { ask: (question: string) => person.answer(question) } : {}),
    again: (way, turn) => commandAgain(given, [...turnAgain(asked, turn), ...given.words], way),
  };
}

function commandAgain({ command, flags }: UndoArguments, words: readonly string[], way: OnConflict): string {
  const same = (["hunk", "resume", "cwd", "stateDir"] as const).flatMap((name) => {
    const flag = options.find((option) => option.name === name)?.flag;
    return flag === undefined || flags[name] === undefined ? [] : [`--${flag}`, String(flags[name])];
  });
  const choice = [...same, "--conflict", way];
  // A path may look like an option.
  const all = words.some((word) => word.startsWith("-"))
    ? [...choice, "--", ...words]
    : [...words, ...choice];
  return ["toolwright", command, ...all].map(shellQuoted).join(" ");
}

function entryLines(entry: Entry, style: Style): string[] {
  return showEntry(emptyTranscript(), entry).flatMap((block) => blockLines(block, style));
}

function turnOf(fact: Entry): number | undefined {
  if (fact.type === "changes-undone") return fact.undoneTurn;
  return fact.type === "changes-kept" ? fact.keptTurn : undefined;
}

/** The same shape for every outcome. */
function jsonOf(session: LiveSession, taken: TakeBackResult) {
  const { state } = session;
  const fact = taken.ok ? taken.entry : undefined;
  const turn = fact && turnOf(fact);
  const checkpoint = turn === undefined ? undefined : checkpointOf(state, turn);
  return {
    session: state.session,
    done: taken.ok,
    problem: taken.ok ? null : taken.problem,
    conflicts: taken.ok ? [] : (taken.conflicts ?? []),
    checkpoint: checkpoint ?? null,
    changes: fact?.type === "changes-undone" ? fact.changes : [],
    uncovered: taken.ok ? taken.uncovered : [],
  };
}

function refuse({ terminal, settings }: CliContext, problem: string, code: number): number {
  if (settings.output !== "text")
    terminal.print(
      `${jsonLine({ session: null, done: false, problem, conflicts: [], checkpoint: null, changes: [], uncovered: [] })}\n`,
    );
  complain(terminal, problem);
  return code;
}
