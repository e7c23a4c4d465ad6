/** `toolwright probe MODEL`: measures in which dialect a model calls tools best, and stores it for later sessions. */

import { ModelError } from "../protocol/model-events.ts";
import { openProbe, type Probe, type ProbeEvent } from "../runtime/probe/probe.ts";
import { visibleLine } from "../view/visible.ts";
import { complain, exitCodes, notOpenedCode, type CliContext, usageError } from "./cli-context.ts";
import { guard } from "./interruption.ts";
import { problemLines, probeLines, type ProbeRow } from "./probe-table.ts";
import { toldWhile } from "./told-while.ts";

/** Exit code 1 if nothing could be stored, 130 if interrupted. */
export async function runProbe(
  { terminal, settings }: CliContext,
  words: readonly string[],
): Promise<number> {
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
    return await measureAll({ terminal, settings }, opened.value);
  } finally {
    await opened.value.close();
  }
}

/** Why a run ended early. */
type EarlyEnd = { code: number; problem: string };

async function measureAll(context: CliContext, probe: Probe): Promise<number> {
  const rows: ProbeRow[] = [];
  const ended = (await run(context, probe, rows)) ?? unusable(rows);
  const used = ended ? undefined : await probe.keep(rows.map(({ measured }) => measured));
  const { terminal, settings } = context;
  if (settings.output === "text") {
    const lines = [...probeLines(rows, probe.tasks), ...(settings.verbose ? problemLines(rows) : [])];
    if (used !== undefined)
      lines.push(
        `From now on ${visibleLine(probe.model)} is asked ${used === "native" ? "with its native tools" : `in ${used}`}.`,
      );
    terminal.print(`${lines.join("\n")}\n`);
  } else terminal.print(`${JSON.stringify(report(probe, rows, { ended, used }))}\n`);
  if (ended) complain(terminal, ended.problem);
  return ended?.code ?? exitCodes.done;
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
  const row = last?.measured.dialect === measured.dialect ? last : { measured, problems: [] };
  if (row !== last) rows.push(row);
  row.measured = measured;
  if (event.type === "task-done") {
    if (event.problem !== undefined) row.problems.push({ task: event.task, problem: event.problem });
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
    ...(ended === undefined ? {} : { problem: ended.problem }),
  };
}
