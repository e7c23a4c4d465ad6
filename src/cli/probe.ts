/** `toolwright probe MODEL`: measures in which dialect a model calls tools best, and stores it for later sessions. */

import { constants } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { type Expected, refuse } from "../base/expected.ts";
import { mayAccess } from "../base/paths.ts";
import { visibleLine } from "../base/visible-text.ts";
import type { Values } from "../configuration/options/options.ts";
import type { DialectMeasurement } from "../protocol/dialect-record.ts";
import { ModelError } from "../protocol/model-events.ts";
import { isEvidence, openProbe, type Probe, type ProbeEvent } from "../runtime/probe/probe.ts";
import {
  complain,
  exitCodes,
  notOpenedCode,
  printAnswer,
  type CliContext,
  usageError,
  columns,
} from "./cli-context.ts";
import { guard } from "./ctrl-c.ts";
import { isReportFile, reportRow, writeReport } from "./probe-report.ts";
import { toldWhile } from "./told-while.ts";

type ProbeWords = { words: readonly string[]; flags: Values };

/** Exit code 1 if nothing could be stored or the report not be written, 130 if interrupted. */
export async function runProbe({ terminal, settings }: CliContext, asked: ProbeWords): Promise<number> {
  const file = await reportFile(asked, terminal.cwd);
  if (!file.ok) return usageError(terminal, file.problem);
  const words = asked.words.filter((word) => word !== file.value);
  const [model = settings.model, ...more] = words;
  const [extra] = more;
  if (extra !== undefined)
    return usageError(terminal, `toolwright probe measures one model: "${extra}" is one too many.`);
  if (settings.offlineModel)
    return usageError(
      terminal,
      "The offline model is a script: name the model to measure instead of --offline-model.",
    );
  const named = { ...settings, model };
  const opened = await toldWhile(terminal, "Opening the model", () => openProbe(named, terminal.env));
  if (!opened.ok) {
    complain(terminal, opened.problem);
    return notOpenedCode({ terminal, settings: named });
  }
  try {
    return await measureAll({ terminal, settings }, opened.value, file.value);
  } finally {
    await opened.value.close();
  }
}

/** The word that is the report's file, which must be possible to write before minutes are spent. */
async function reportFile({ words, flags }: ProbeWords, cwd: string): Promise<Expected<string | undefined>> {
  if (flags.report !== true) return { ok: true, value: undefined };
  const file = words.find(isReportFile);
  if (file === undefined)
    return refuse("--report needs the name of a file behind it that ends in .md or .json.");
  const folder = dirname(resolve(cwd, file));
  return (await mayAccess(folder, constants.W_OK))
    ? { ok: true, value: file }
    : refuse(`The report cannot be written: ${folder} is no directory that may be written to.`);
}

/** Why a run ended early. */
type EarlyEnd = { code: number; problem: string };

async function measureAll(context: CliContext, probe: Probe, file: string | undefined): Promise<number> {
  const rows: ProbeRow[] = [];
  const ended = (await run(context, probe, rows)) ?? unusable(rows);
  const used = ended ? undefined : await probe.keep(rows.map(({ measured }) => measured));
  const { terminal, settings } = context;
  printAnswer(context, report(probe, rows, { ended, used }), () =>
    [
      ...probeLines(rows, probe.tasks),
      ...(settings.verbose ? problemLines(rows) : []),
      ...(used === undefined ? [] : [outcome(probe, rows, used)]),
    ].join("\n"),
  );
  if (ended) complain(terminal, ended.problem);
  if (ended || file === undefined) return ended?.code ?? exitCodes.done;
  const measured = rows.map((row) => reportRow(probe, row.measured));
  const written = await writeReport(resolve(terminal.cwd, file), measured);
  if (!written.ok) complain(terminal, written.problem);
  return written.ok ? exitCodes.done : exitCodes.failed;
}

/** A model that only talks does the tasks right that want words. */
const works = (rows: readonly ProbeRow[]): boolean =>
  rows.some(({ called }) => called > 0) && isEvidence(rows.map(({ measured }) => measured));

function outcome(probe: Probe, rows: readonly ProbeRow[], used: string): string {
  const how = used === "native" ? "with its native tools" : `in ${used}`;
  const name = visibleLine(probe.model);
  if (works(rows)) return `From now on ${name} is asked ${how}.`;
  const best = Math.max(...rows.map(({ measured }) => measured.right));
  return `Nothing works: ${name} did at most ${best} of ${probe.tasks} tasks right in any format, so it will not do work that needs tools, and no format is known to suit it. It is asked ${how} for the time being. Choose a model that was trained to use tools, most often a larger one (\`toolwright models\` lists those within reach); --verbose shows what this one wrote.`;
}

/** Fills `rows` as it goes, and shows progress on standard error. */
async function run(context: CliContext, probe: Probe, rows: ProbeRow[]): Promise<EarlyEnd | undefined> {
  const stop = new AbortController();
  const release = guard(context.terminal, () => stop.abort(new Error("interrupted")));
  const progress = progressFor(context, probe);
  try {
    for await (const event of probe.run(stop.signal)) {
      enter(event, rows);
      progress.show(event);
    }
    return undefined;
  } catch (error) {
    if (stop.signal.aborted)
      return { code: exitCodes.interrupted, problem: "Interrupted: nothing was kept." };
    if (!(error instanceof ModelError)) throw error;
    const problem = `Nothing was kept, because the model could not be asked. ${error.inFull}`;
    return { code: exitCodes.failed, problem };
  } finally {
    progress.end();
    release();
  }
}

function enter(event: ProbeEvent, rows: ProbeRow[]): void {
  const { measured } = event;
  const last = rows.at(-1);
  const row = last?.measured.dialect === measured.dialect ? last : { measured, called: 0, problems: [] };
  if (row !== last) rows.push(row);
  row.measured = measured;
  if (event.type === "task-done") {
    if (event.problem !== undefined) row.problems.push({ task: event.task, problem: event.problem });
    else if (event.wants === "calls") row.called += 1;
  } else if (event.gaveUp !== undefined) row.gaveUp = event.gaveUp;
}

function unusable(rows: readonly ProbeRow[]): EarlyEnd | undefined {
  if (rows.some(({ gaveUp }) => gaveUp === undefined)) return undefined;
  const problem = "Nothing was kept, because no way could be measured: see the reasons above, and try again.";
  return { code: exitCodes.failed, problem };
}

function progressFor({ terminal }: CliContext, { model, key, tasks, dialects }: Probe) {
  const place = key.server === "" ? "" : ` at ${key.server}`;
  terminal.report(
    `Measuring ${visibleLine(model)}${place}: ${tasks} tasks each in ${dialects.join(", ")}.\n`,
  );
  const isLive = terminal.errorIsTerminal;
  return {
    show(event: ProbeEvent): void {
      const { dialect, right, tasks: asked } = event.measured;
      if (event.type === "dialect-done")
        terminal.report(`${isLive ? clear : ""}${dialect}: ${right} of ${tasks} right\n`);
      else if (isLive) {
        const line = `${dialect}: ${asked}/${tasks}, ${right} right (${event.task})`;
        terminal.report(clear + line.slice(0, Math.max(0, terminal.columns() - 1)));
      }
    },
    end: () => terminal.report(isLive ? clear : ""),
  };
}

/** Returns to the start of the line and clears it. */
const clear = "\r\u001B[K";

function report(
  { model, key, tasks }: Probe,
  rows: readonly ProbeRow[],
  { ended, used }: { ended: EarlyEnd | undefined; used: string | undefined },
) {
  return {
    model,
    server: key.server,
    template: key.template,
    tasks,
    dialects: rows.map(({ measured, problems, gaveUp }) => ({
      ...measured,
      problems,
      gaveUp,
    })),
    kept: used !== undefined,
    used,
    works: works(rows),
    problem: ended?.problem,
  };
}

/** The result of one dialect. */
type ProbeRow = {
  measured: DialectMeasurement;
  /** How many tasks that want calls were right. */
  called: number;
  gaveUp?: string;
  problems: { task: string; problem: string }[];
};

/** Formats a probe's measurements for people: a table and remarks below it. */
function probeLines(rows: readonly ProbeRow[], all: number): string[] {
  if (rows.length === 0) return ["Nothing was measured."];
  const head = ["dialect", "right", "repaired", "unreadable", "tokens in", "tokens out", "an answer"];
  const body = rows.map(({ measured: one }) => [
    one.dialect,
    `${one.right}/${one.tasks}${one.tasks < all ? ` of ${all}` : ""}`,
    String(one.repaired),
    String(one.unreadable),
    inTokens(one.inputTokens),
    inTokens(one.outputTokens),
    inSeconds(one.medianMs),
  ]);
  const given = rows.flatMap(({ measured, gaveUp }) =>
    gaveUp === undefined ? [] : [`${measured.dialect} was given up: ${brief(gaveUp)}`],
  );
  return [...columns([head, ...body]), ...given];
}

/** The problem in each task, for --verbose. */
const problemLines = (rows: readonly ProbeRow[]): string[] =>
  rows.flatMap(({ measured, problems }) =>
    problems.map(({ task, problem }) => `${measured.dialect}, ${task}: ${brief(problem)}`),
  );

const inTokens = (count: number): string => (count === 0 ? "–" : String(count));
const inSeconds = (ms: number): string => (ms < 1000 ? `${ms} ms` : `${(ms / 1000).toFixed(1)} s`);

const mostShown = 200;
function brief(words: string): string {
  const line = visibleLine(words);
  return line.length <= mostShown ? line : `${line.slice(0, mostShown).toWellFormed()}…`;
}
