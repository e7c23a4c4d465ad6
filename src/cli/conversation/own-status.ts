/** The lowest row as the person has set it: a template, or what a command of theirs prints of the session. */

import { stripVTControlCharacters } from "node:util";
import { figureOf, kib } from "../../base/bound.ts";
import { otherProgramBounds } from "../../base/bounds.ts";
import { childEnvironment, type ProcessOutcome, runProcess } from "../../base/process.ts";
import { visibleLine } from "../../base/visible-text.ts";
import { version } from "../../configuration/options/version.ts";
import {
  type StatusField,
  statusFields,
  type StatusLineSetting,
  statusPlace,
} from "../../configuration/screen-settings.ts";
import { tuiBounds } from "../../tui/bounds.ts";
import type { ProcessTerminal } from "../../tui/process-terminal.ts";
import type { ScreenFigures } from "../../tui/screen/screen-tail.ts";
import type { Talk } from "./talk.ts";

/** `row`: what stands there now; undefined where the usual figures do. `told`: called when there is something newer. */
type OwnStatus = { row: (figures: ScreenFigures, told: () => void) => string | undefined; close: () => void };

export function ownStatus(
  setting: StatusLineSetting,
  talk: () => Talk,
  terminal: ProcessTerminal,
): OwnStatus {
  if (typeof setting === "string")
    return { row: (figures) => filledIn(setting, fieldsOf(talk(), figures)), close: () => undefined };
  return commandStatus(setting, talk, terminal);
}

/** Of what the command complains, to tell it. */
const keptErrors = 4 * kib;

type CommandSetting = Exclude<StatusLineSetting, string>;

/** Runs when the figures have changed, once at a time; what is newest by its end is told by one more run. */
function commandStatus(
  { command, padding = 0 }: CommandSetting,
  talk: () => Talk,
  terminal: ProcessTerminal,
): OwnStatus {
  const closing = new AbortController();
  let row: string | undefined;
  let seen = "";
  let isRunning = false;
  let isProblemTold = false;
  const run = async (input: string, told: () => void): Promise<void> => {
    isRunning = true;
    const ran = await runProcess({
      command: [terminal.env["SHELL"] || "/bin/sh", "-c", command],
      cwd: talk().runtime.workspace,
      env: { ...childEnvironment(terminal.env), COLUMNS: String(terminal.columns()) },
      input: Buffer.from(input),
      signal: closing.signal,
      wallMs: tuiBounds.statusTime.most,
      maxOutput: otherProgramBounds.output.most,
      maxKeep: otherProgramBounds.output.most,
      keepErrors: keptErrors,
    });
    isRunning = false;
    if (closing.signal.aborted) return;
    const problem = problemOf(ran);
    row = problem === undefined ? " ".repeat(padding) + cleanRow(textOf(ran.output), terminal) : undefined;
    if (problem !== undefined && !isProblemTold) {
      isProblemTold = true;
      const { style, terminal: screen } = talk();
      screen.note(style.yellow(`! The command of your status line ${problem}: the usual one is shown.`));
    }
    told();
  };
  return {
    row(figures, told) {
      const input = JSON.stringify(describe(talk(), figures));
      if (input !== seen && !isRunning) {
        seen = input;
        void run(input, told);
      }
      return row;
    },
    close: () => closing.abort(),
  };
}

const textOf = ({ bytes }: ProcessOutcome["output"]): string => Buffer.from(bytes).toString("utf8");

function problemOf({ exit, signal, timedOut, flooded, problem, errors }: ProcessOutcome): string | undefined {
  if (problem !== undefined) return `could not be started (${visibleLine(problem)})`;
  if (timedOut) return `took longer than ${tuiBounds.statusTime.most / 1_000} s`;
  if (flooded) return `printed more than ${figureOf(otherProgramBounds.output)}`;
  if (exit === 0) return undefined;
  const [said = ""] = (errors ? textOf(errors) : "").trim().split("\n", 1);
  const why = said === "" ? "" : ` (${visibleLine(stripVTControlCharacters(said)).slice(0, 200)})`;
  return exit === undefined ? `was ended by ${signal ?? "a signal"}${why}` : `exited with ${exit}${why}`;
}

const sgr = /(\u001B\[[\d;]*m)/u; // eslint-disable-line no-control-regex -- colours are escape sequences

/** The first line that was printed; of what controls a terminal only colours are left, where those are wanted. */
function cleanRow(output: string, { env }: ProcessTerminal): string {
  const [line = ""] = output.replace(/^\s*\n/u, "").split(/\r?\n/u, 1);
  const hasColours = (env["NO_COLOR"] ?? "") === "";
  const parts = line
    .split(sgr)
    .map((part, at) => (at % 2 === 0 ? visibleLine(stripVTControlCharacters(part)) : hasColours ? part : ""));
  return parts.join("").trimEnd() + (parts.length > 1 && hasColours ? "\u001B[0m" : "");
}

/** For the command: with the names that status lines of other agents know, and our own beside them. */
function describe({ session, runtime }: Talk, { mode, branch, context }: ScreenFigures): object {
  const { cost, unpriced } = session.state;
  const used = context === undefined ? undefined : Math.round(context * 100);
  const { name } = session.model;
  return {
    session_id: session.id,
    version,
    cwd: runtime.workspace,
    workspace: { current_dir: runtime.workspace, project_dir: runtime.workspace },
    model: { id: name, display_name: name.slice(name.lastIndexOf("/") + 1) },
    mode,
    branch: branch ?? null,
    context_window:
      used === undefined ? null : { used_percentage: used, remaining_percentage: Math.max(0, 100 - used) },
    cost: { total_cost_usd: unpriced > 0 ? null : cost },
  };
}

type FieldTexts = Record<StatusField, string>;

const fieldsOf = ({ session, runtime }: Talk, { mode, model, context, cost, branch }: ScreenFigures) => ({
  mode,
  model,
  context: context === undefined ? "" : `${Math.round(context * 100)} %`,
  cost: cost ?? "",
  branch: branch ?? "",
  session: session.id,
  workspace: visibleLine(runtime.workspace),
});

/** A part between two `·` of which nothing is known yet is left out. */
function filledIn(template: string, texts: FieldTexts): string {
  const valueOf = (name: string): string => {
    const [field] = statusFields.find(([each]) => each === name) ?? [];
    return field ? texts[field] : "";
  };
  return visibleLine(template)
    .split(" · ")
    .flatMap((part) => {
      const names = Array.from(part.matchAll(statusPlace), ([, name = ""]) => name);
      if (names.length > 0 && names.every((name) => valueOf(name) === "")) return [];
      return [part.replaceAll(statusPlace, (_, name: string) => valueOf(name))];
    })
    .join(" · ");
}
