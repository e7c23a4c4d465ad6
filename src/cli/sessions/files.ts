/** `toolwright sessions export` and `import`: sessions as files. */

import { resolve } from "node:path";
import {
  bundleLines,
  type BundleNotes,
  importSession,
  importSessions,
} from "../../archive/session-bundles.ts";
import {
  entriesOf,
  sessionRow,
  type SessionRow,
  type Store,
  type SessionSummary,
} from "../../archive/sessions.ts";
import { jsonLine } from "../../base/json-lines.ts";
import { keepOut } from "../../base/keep-out.ts";
import { realWorkspace } from "../../base/paths.ts";
import { visibleLine } from "../../base/visible-text.ts";
import { configuredKeys } from "../../runtime/observing/known-secrets.ts";
import { markdownOf } from "../../view/session-markdown.ts";
import { timelineOf } from "../../view/timeline.ts";
import { exitCodes, type CliContext, printAnswer } from "../cli-context.ts";
import { reviewsOf } from "./reviews.ts";
import { freeName, piecesIn, printTexts, unreadableWords, writeNew } from "./text-files.ts";
import { findSummary, refuse, rowAsJson, shortId, type SubcommandContext } from "./words.ts";

const formats = ["markdown", "html", "json", "bundle"] as const;
type Format = (typeof formats)[number];
const endings: Readonly<Record<Format, string>> = {
  markdown: "md",
  html: "html",
  json: "json",
  bundle: "toolwright",
};

/** The format that a file's name asks for. */
export const formatNamed = (name: string): Format | undefined =>
  formats.find((format) => name.toLowerCase().endsWith(`.${endings[format]}`));

/** Writes to standard output, or to a file if one is named or a terminal would be flooded. `-` is standard output. */
export async function exportSession(work: SubcommandContext): Promise<number> {
  const { context, store, words, flags } = work;
  if (flags.all === true) return exportAll(work);
  const { terminal, settings } = context;
  const [wanted, named] = words;
  if (wanted === undefined) return refuse(context, noSessionNamed, exitCodes.usage);
  const found = await findSummary(store, wanted);
  if (!found.ok) return refuse(context, found.problem, exitCodes.failed);
  const row = await sessionRow(store, found.value);
  const format = formatOf(flags.format, named, settings.output);
  const notes: BundleNotes = { leftOut: 0, keepOut: keepOut(configuredKeys(settings, terminal.env)) };
  const texts = textsOf({ format, row, store, notes, settings });
  const name = named ?? (terminal.outputIsTerminal ? freeName(terminal.cwd, fileName(row, format)) : "-");
  if (name === "-") {
    await printTexts(terminal, texts);
    return exitCodes.done;
  }
  const written = await writeNew(resolve(terminal.cwd, name), texts);
  if (!written.ok) return refuse(context, written.problem, exitCodes.failed);
  if (notes.leftOut > 0)
    terminal.report(
      `! ${notes.leftOut} outputs or contents for undo were left out: with them the file could not be imported.\n`,
    );
  return printAnswer(
    context,
    { session: row.id, file: name, format, leftOut: notes.leftOut },
    () => `${row.id} is in ${visibleLine(name)} (${format}).`,
  );
}

const noSessionNamed = "An argument is missing: toolwright sessions export ID [FILE], or export --all [FILE]";

function formatOf(flag: unknown, name: string | undefined, output: CliContext["settings"]["output"]): Format {
  const usual = output === "text" ? "markdown" : "json";
  return formats.find((format) => format === flag) ?? formatNamed(name ?? "") ?? usual;
}

type Export = {
  format: Format;
  row: SessionRow;
  store: Store;
  notes: BundleNotes;
  settings: CliContext["settings"];
};

async function* textsOf({ format, row, store, notes, settings }: Export): AsyncGenerator<string, void> {
  switch (format) {
    case "markdown":
      return yield markdownOf(row, await timelineOf(entriesOf(store, row.id)));
    case "html": {
      const { sessionPage } = await import("../../view/session-page/session-page.ts"); // with the Markdown reader
      const items = await timelineOf(entriesOf(store, row.id));
      return yield sessionPage(row, items, await reviewsOf(settings, row.id));
    }
    case "json":
      return yield* jsonTexts(row, store);
    case "bundle":
      return yield* bundleLines(store, row, notes);
    default:
      return format satisfies never;
  }
}

/** One JSON object with every fact, streamed as it is read. */
async function* jsonTexts(row: SessionRow, store: Store): AsyncGenerator<string, void> {
  const { openIn: _, ...about } = rowAsJson(row);
  yield `${jsonLine(about).slice(0, -1)},"log":[\n`;
  let isFirst = true;
  for await (const entry of entriesOf(store, row.id)) {
    yield `${isFirst ? "" : ",\n"}${jsonLine(entry.type === "unknown" ? entry.original : entry)}`;
    isFirst = false;
  }
  yield "\n]}\n";
}

/** Derived from the title, so that people can find the file. */
function fileName({ title, id }: SessionRow, format: Format): string {
  const words = title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, "-")
    .slice(0, 40)
    .replaceAll(/^-+|-+$/gu, "");
  return `${words === "" ? "session" : words}-${shortId(id)}.${endings[format]}`;
}

/** `-` is standard input. */
export async function importFile(work: SubcommandContext): Promise<number> {
  const { context, store, words, flags } = work;
  if (flags.all === true) return importAll(work);
  const { terminal, settings } = context;
  const [name = ""] = words;
  const workspace = await realWorkspace(settings.workspace);
  let imported: Awaited<ReturnType<typeof importSession>>;
  try {
    imported = await importSession(store, piecesIn(terminal, name), { workspace });
  } catch (error) {
    return refuse(context, unreadableWords(name, error), exitCodes.failed);
  }
  if (!imported.ok)
    return refuse(
      context,
      `${name} cannot be imported: ${imported.problem}. Nothing was stored.`,
      exitCodes.failed,
    );
  const { id, was, closed, facts, isKnown } = imported.value;
  return printAnswer(context, { session: id, was, workspace, closed, facts, known: isKnown }, () =>
    isKnown
      ? `${id} is here already, and nothing was stored.`
      : importedLines({ id, was, closed, workspace }).join("\n"),
  );
}

type ImportSummary = {
  id: string;
  was: { id: string; workspace: string };
  closed: boolean;
  workspace: string;
};

function importedLines({ id, was, closed, workspace }: ImportSummary): string[] {
  const other = was.id === id ? "" : `, since there is a session ${visibleLine(was.id)} here already`;
  const moved =
    was.workspace === workspace
      ? []
      : [
          `It was a session of ${visibleLine(was.workspace)}. From now on it is one of this workspace, ${visibleLine(workspace)}: its tools work on the files here.`,
        ];
  const ended = closed ? ["A request that was open there was ended; nothing of it is carried out here."] : [];
  return [
    `Imported as ${id}${other}.`,
    ...moved,
    ...ended,
    "What was allowed there for longer than once is asked about again here.",
    `Go on: toolwright --resume ${shortId(id)}`,
  ];
}

/** Writes to standard output, or to a file if one is named or a terminal would be flooded. */
async function exportAll({ context, store, words, flags }: SubcommandContext): Promise<number> {
  const { terminal, settings } = context;
  const [named, second] = words;
  if (second !== undefined || (flags.format ?? "bundle") !== "bundle")
    return refuse(context, wrongUse, exitCodes.usage);
  const sessions = (await store.list()).filter(({ facts }) => facts > 0);
  if (sessions.length === 0) return refuse(context, "There are no sessions to export.", exitCodes.failed);
  const notes: BundleNotes = { leftOut: 0, keepOut: keepOut(configuredKeys(settings, terminal.env)) };
  const texts = bundlesOf(store, sessions, notes);
  const today = new Date().toISOString().slice(0, 10);
  const name =
    named ?? (terminal.outputIsTerminal ? freeName(terminal.cwd, `sessions-${today}.toolwright`) : "-");
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
async function importAll({ context, store, words }: SubcommandContext): Promise<number> {
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
  for (const left of settings.output === "text" ? done.left : [])
    terminal.report(`! Session ${visibleLine(left.id)} ${visibleLine(left.problem)}.\n`);
  printAnswer(context, { ...done, problem: problem ?? null }, () =>
    totals(done.imported.length, done.known.length, done.left.length),
  );
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
