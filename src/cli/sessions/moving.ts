/** `toolwright sessions export --all` and `import --all`: from one store to another, or into a backup. */

import { resolve } from "node:path";
import { bundleLines, type BundleNotes, importSessions } from "../../archive/session-bundles.ts";
import type { SessionSummary, Store } from "../../archive/sessions.ts";
import { jsonLine } from "../../base/json-lines.ts";
import { keepOut } from "../../base/keep-out.ts";
import { configuredKeys } from "../../runtime/observing/known-secrets.ts";
import { visibleLine } from "../../view/visible.ts";
import { exitCodes, printAnswer } from "../cli-context.ts";
import { piecesIn, printTexts, unreadableWords, writeNew } from "./text-files.ts";
import { refuse, type SubcommandContext } from "./words.ts";

/** Writes to standard output, or to a file if one is named or a terminal would be flooded. */
export async function exportAll({ context, store, words, flags }: SubcommandContext): Promise<number> {
  const { terminal, settings } = context;
  const [named, second] = words;
  if (second !== undefined || (flags.format ?? "bundle") !== "bundle")
    return refuse(context, wrongUse, exitCodes.usage);
  const sessions = (await store.list()).filter(({ facts }) => facts > 0);
  if (sessions.length === 0) return refuse(context, "There are no sessions to export.", exitCodes.failed);
  const notes: BundleNotes = { leftOut: 0, keepOut: keepOut(configuredKeys(settings, terminal.env)) };
  const texts = bundlesOf(store, sessions, notes);
  const today = new Date().toISOString().slice(0, 10);
  const name = named ?? (terminal.outputIsTerminal ? `sessions-${today}.toolwright` : "-");
  if (name === "-") await printTexts(terminal, texts);
  else {
    const written = await writeNew(resolve(terminal.cwd, name), texts);
    if (!written.ok) return refuse(context, written.problem, exitCodes.failed);
  }
  if (notes.leftOut > 0)
    terminal.report(
      `! ${notes.leftOut} outputs or contents for undo were left out: too large, or with a key in them.\n`,
    );
  if (name === "-") return exitCodes.done;
  const figures = { sessions: sessions.length, file: name, leftOut: notes.leftOut };
  return printAnswer(context, figures, () => `${countWords(sessions.length)} in ${visibleLine(name)}.`);
}

const wrongUse = "Every session goes into one file, as bundles: toolwright sessions export --all [FILE]";

const countWords = (count: number): string => (count === 1 ? "1 session is" : `${count} sessions are`);

/** Parents before the sessions that their calls started. */
async function* bundlesOf(
  store: Store,
  sessions: readonly SessionSummary[],
  notes: BundleNotes,
): AsyncGenerator<string, void> {
  const oldestFirst = sessions.toReversed().toSorted((one, other) => one.createdAt - other.createdAt);
  for (const { id } of oldestFirst) {
    const session = await store.get(id); // it may have been deleted meanwhile
    if (session) yield* bundleLines(store, session, notes);
  }
}

/** Ids, and what is said of those that were not imported. */
type MoveOutcome = { imported: string[]; known: string[]; left: { id: string; problem: string }[] };

/** Exit code 1 if a part of the file could not be imported; what comes before a problem is kept. */
export async function importAll({ context, store, words }: SubcommandContext): Promise<number> {
  const { terminal, settings } = context;
  const [name = ""] = words;
  const done: MoveOutcome = { imported: [], known: [], left: [] };
  let problem: string | undefined;
  try {
    for await (const one of importSessions(store, piecesIn(terminal, name))) {
      if (!one.ok) problem = `${name} cannot be imported any further: ${one.problem}.`;
      else if ("problem" in one.value) done.left.push(one.value);
      else done[one.value.isKnown ? "known" : "imported"].push(one.value.id);
    }
  } catch (error) {
    problem = unreadableWords(name, error);
  }
  if (settings.output !== "text") terminal.print(`${jsonLine({ ...done, problem: problem ?? null })}\n`);
  else {
    for (const left of done.left)
      terminal.report(`! Session ${visibleLine(left.id)} ${visibleLine(left.problem)}.\n`);
    terminal.print(`${totals(done.imported.length, done.known.length, done.left.length)}\n`);
  }
  if (problem !== undefined) terminal.report(`toolwright: ${visibleLine(problem)}\n`);
  return problem === undefined && done.left.length === 0 ? exitCodes.done : exitCodes.failed;
}

function totals(imported: number, known: number, left: number): string {
  const parts = [
    `${imported} imported`,
    ...(known === 0 ? [] : [`${known} here already`]),
    ...(left === 0 ? [] : [`${left} left out`]),
  ];
  return `Sessions: ${parts.join(", ")}.`;
}
