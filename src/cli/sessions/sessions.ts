/** `toolwright sessions`: a table of all subcommands on the stored sessions. */

import {
  entriesOf,
  sessionRow,
  type SessionRow,
  forkSession,
  type ForkPoint,
  renameSession,
  type SessionSummary,
  type Store,
} from "../../archive/sessions.ts";
import type { Expected } from "../../base/expected.ts";
import { keepOut } from "../../base/keep-out.ts";
import { realWorkspace } from "../../base/paths.ts";
import { shellQuoted } from "../../base/shell-word.ts";
import { visibleLine } from "../../base/visible-text.ts";
import { didYouMean } from "../../configuration/options/nearest.ts";
import {
  type OptionName,
  type Values,
  options,
  type OptionValue,
} from "../../configuration/options/options.ts";
import { costAsJson } from "../../protocol/cost.ts";
import { configuredKeys } from "../../runtime/observing/known-secrets.ts";
import { readSession } from "../../runtime/read-session.ts";
import { openStore, isOfPeopleIn } from "../../runtime/runtime.ts";
import { formatCost, formatUsage } from "../../view/cost.ts";
import { styleFor, type Style } from "../../view/plain.ts";
import { reviewLines } from "../../view/review.ts";
import { timeWords } from "../../view/session-markdown.ts";
import { type TimelineItem, timelineOf } from "../../view/timeline.ts";
import { aboutTurn } from "../changes/diff.ts";
import { exitCodes, type CliContext, type CommandWords, printAnswer } from "../cli-context.ts";
import { removeSessions } from "./delete.ts";
import { exportSession, importFile } from "./files.ts";
import { listSessions, searchSessions } from "./list.ts";
import { reviewsIn } from "./reviews.ts";
import { type Diffs, timelineLines } from "./timeline.ts";
import { refuse, type SubcommandContext, findSummary, rowAsJson, standingWords, shortId } from "./words.ts";

const itemAsJson = (item: TimelineItem) => ("cost" in item ? { ...item, ...costAsJson(item.cost) } : item);

type SessionsSubcommand = {
  name: string;
  usage: string;
  /** The minimum number of words after the subcommand's name. */
  least: number;
  most: number;
  /** Which of the options specific to `sessions` it accepts. */
  takes: readonly OptionName[];
  run(work: SubcommandContext): Promise<number>;
};

const anyNumber = Number.POSITIVE_INFINITY;
const subcommands: readonly SessionsSubcommand[] = [
  { name: "list", usage: "list", least: 0, most: 0, takes: ["all", "limit"], run: listSessions },
  {
    name: "search",
    usage: "search WORDS",
    least: 1,
    most: anyNumber,
    takes: ["all", "limit"],
    run: searchSessions,
  },
  { name: "show", usage: "show ID [FILE] [--html]", least: 1, most: 2, takes: ["html"], run: showSession },
  { name: "rename", usage: "rename ID TITLE", least: 2, most: anyNumber, takes: [], run: renameNamed },
  { name: "fork", usage: "fork [ID] [--at TURN]", least: 0, most: 1, takes: ["at"], run: forkNamed },
  {
    name: "delete",
    usage: "delete ID…, or delete --older-than 30d",
    least: 0,
    most: anyNumber,
    takes: ["yes", "olderThan", "all"],
    run: removeSessions,
  },
  {
    name: "export",
    usage: "export ID [FILE], or export --all [FILE]",
    least: 0,
    most: 2,
    takes: ["format", "all"],
    run: exportSession,
  },
  { name: "import", usage: "import FILE [--all]", least: 1, most: 1, takes: ["all"], run: importFile },
];

/** Exit code 2 for wrong usage. Throws StoreError. */
export async function runSessions(context: CliContext, { words, flags }: CommandWords): Promise<number> {
  const [name = "list", ...rest] = words;
  const subcommand = subcommands.find((known) => known.name === name);
  if (!subcommand) return refuse(context, unknown(name), exitCodes.usage);
  const wrong = misuse(subcommand, rest, flags);
  if (wrong !== undefined) return refuse(context, wrong, exitCodes.usage);
  const opened = await openStore(context.settings);
  if (!opened.ok) return refuse(context, opened.problem, exitCodes.failed);
  try {
    return await subcommand.run({ context, store: opened.value, words: rest, flags });
  } finally {
    await opened.value.close();
  }
}

function unknown(name: string): string {
  const names = subcommands.map((known) => known.name);
  return `There is no toolwright sessions ${visibleLine(name)}${didYouMean(name, names)}: it has ${names.join(", ")}.`;
}

function misuse(subcommand: SessionsSubcommand, words: readonly string[], flags: Values): string | undefined {
  const { usage, least, most, takes } = subcommand;
  if (words.length < least) return `An argument is missing: toolwright sessions ${usage}`;
  if (words.length > most)
    return `toolwright sessions ${subcommand.name} does not take "${visibleLine(words[most] ?? "")}": toolwright sessions ${usage}`;
  const stray = options.find(
    ({ name, only }) => only === "sessions" && flags[name] !== undefined && !takes.includes(name),
  );
  return stray && `--${stray.flag} is not for toolwright sessions ${subcommand.name}: see toolwright --help`;
}

/** `toolwright sessions show`: a session's timeline, its decisions with their reasons, and its cost. */
async function showSession(work: SubcommandContext): Promise<number> {
  const { context, store, words, flags } = work;
  if (flags.html === true) return exportSession({ ...work, flags: { ...flags, format: "html" } });
  if (words.length > 1)
    return refuse(context, "FILE is for --html: toolwright sessions show ID FILE --html", exitCodes.usage);
  const found = await findSummary(store, words[0] ?? "");
  if (!found.ok) return refuse(context, found.problem, exitCodes.failed);
  const { terminal, settings } = context;
  const row = await sessionRow(store, found.value);
  const items = await timelineOf(entriesOf(store, row.id));
  const { verbose } = settings;
  const style = styleFor(terminal.env, terminal.outputIsTerminal);
  const diffs = verbose && settings.output === "text" ? await diffsOf(context, row.id, style) : new Map();
  return printAnswer(context, { ...rowAsJson(row), timeline: items.map(itemAsJson) }, () =>
    [...headLines(row, style), ...timelineLines(items, { style, verbose, diffs })].join("\n"),
  );
}

function headLines(row: SessionRow, style: Style): string[] {
  const { id, title, workspace, createdAt, updatedAt, facts, turns, usage, cost, from, parent } = row;
  return [
    style.bold(visibleLine(title) || "(nothing said yet)"),
    `session    ${id} (${standingWords(row)})`,
    ...(from ? [`copy of    ${visibleLine(from.session)}, up to fact ${from.seq}`] : []),
    ...(parent === undefined ? [] : [`task of    session ${visibleLine(parent)}`]),
    `workspace  ${visibleLine(workspace)}`,
    `time       ${timeWords(createdAt)} to ${timeWords(updatedAt)}`,
    `size       ${turns} ${turns === 1 ? "request" : "requests"}, ${facts} facts`,
    `used       ${formatUsage(usage)}`,
    `cost       ${formatCost(cost)}`,
  ];
}

/** The line diff of each request; empty if the workspace is missing here or its files have changed since. */
async function diffsOf({ settings }: CliContext, id: string, style: Style): Promise<Diffs> {
  const diffs: Diffs = new Map();
  await readSession({ ...settings, resume: id }, async (session) => {
    const { state } = session;
    for (const [turn, review] of await reviewsIn(session))
      diffs.set(turn, reviewLines(review, style, aboutTurn(state, turn)));
  });
  return diffs;
}

/** `toolwright sessions rename` and `fork`. */
async function renameNamed({ context, store, words }: SubcommandContext): Promise<number> {
  const { terminal, settings } = context;
  const [wanted = "", ...title] = words;
  const found = await findSummary(store, wanted);
  if (!found.ok) return refuse(context, found.problem, exitCodes.failed);
  const { id } = found.value;
  const renamed = await renameSession(store, {
    session: id,
    title: title.join(" "),
    keepOut: keepOut(configuredKeys(settings, terminal.env)),
  });
  if (!renamed.ok) return refuse(context, renamed.problem, exitCodes.usage);
  return printAnswer(
    context,
    { session: id, title: renamed.value },
    () => `${id} is called "${visibleLine(renamed.value)}" now.`,
  );
}

async function forkNamed({ context, store, words, flags }: SubcommandContext): Promise<number> {
  const point = readPoint(flags.at);
  if (!point.ok) return refuse(context, point.problem, exitCodes.usage);
  const [wanted] = words;
  const found = wanted === undefined ? await newestHere(context, store) : await findSummary(store, wanted);
  if (!found.ok) return refuse(context, found.problem, exitCodes.failed);
  const source = found.value;
  const forked = await forkSession(store, source.id, point.value);
  if (!forked.ok) return refuse(context, forked.problem, exitCodes.failed);
  const { id, facts, before } = forked.value;
  const what = before === undefined ? `${facts} facts` : `everything before request ${before}`;
  return printAnswer(
    context,
    { session: id, from: source.id, facts, before: before ?? null },
    () =>
      `${id} has ${what} of ${source.id}. Files stay as they are; go on: toolwright -C ${shellQuoted(source.workspace)} --resume ${shortId(id)}`,
  );
}

async function newestHere({ settings }: CliContext, store: Store): Promise<Expected<SessionSummary>> {
  const workspace = await realWorkspace(settings.workspace);
  const newest = (await store.list()).find(isOfPeopleIn(workspace));
  if (newest) return { ok: true, value: newest };
  return {
    ok: false,
    problem: "There is no session of this workspace yet: `toolwright sessions --all` lists the others.",
  };
}

/** "3": before request 3; "fact:57": up to and including fact 57. */
function readPoint(at: OptionValue | undefined): Expected<ForkPoint | undefined> {
  if (at === undefined) return { ok: true, value: undefined };
  const [, fact, number] = /^(fact:|#)?([1-9]\d{0,8})$/u.exec(String(at)) ?? [];
  if (number === undefined)
    return {
      ok: false,
      problem: `--at is the number of a request ("3": before it) or of a fact ("fact:57": up to it), not ${JSON.stringify(at)}.`,
    };
  return { ok: true, value: fact === undefined ? { before: Number(number) } : { fact: Number(number) } };
}
