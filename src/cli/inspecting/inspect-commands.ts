/**
 * `toolwright inspect command`: how command lines are parsed and judged, identically on every machine. Runs nothing and
 * reads no files.
 */

import { type Expected, refuse } from "../../base/expected.ts";
import { isJsonObject, type Json } from "../../base/json.ts";
import type { Values } from "../../configuration/options/options.ts";
import { modes } from "../../protocol/fact-words.ts";
import type { Mode } from "../../protocol/facts.ts";
import {
  type CommandLocation,
  fixedPlace,
  judgeByWords,
  type SandboxState,
} from "../../runtime/inspecting/judged-command.ts";
import { type CliContext, usageError } from "../cli-context.ts";
import { inspectLines } from "./inspect-lines.ts";
import { judgedReport, printJudged } from "./judged-lines.ts";
import { readCommand } from "./read-command.ts";

/** Exit code 1 if a line cannot be read, 2 for wrong usage. */
export async function inspectCommands(context: CliContext, flags: Values): Promise<number> {
  const { terminal } = context;
  const sandbox = { isOn: flags.sandbox !== "off", because: "--sandbox off" };
  const state: SandboxState = sandbox.isOn ? { isOn: true } : sandbox;
  if (flags.jsonl)
    return inspectLines(context, {
      read: readCase,
      report: ({ id, command, place, mode }) =>
        judgedReport(id, judgeByWords(command, { place, mode, sandbox: state })),
    });
  const command = await readCommand(terminal);
  if (!command.ok) return usageError(terminal, command.problem);
  const mode = modes.find((name) => name === flags.mode) ?? "ask";
  const judged = judgeByWords(command.value, { place: fixedPlace, mode, sandbox: state });
  return printJudged(context, judged);
}

type Case = { id: string | number; command: string; place: CommandLocation; mode: Mode };

/** `home`, `workspace` and `cwd` must be absolute; fixed defaults apply without them. */
function readCase(json: Json): Expected<Case> {
  if (!isJsonObject(json)) return refuse("it is not an object");
  const { id, cmd, mode: wanted = "ask" } = json;
  if (typeof id !== "string" && typeof id !== "number") return refuse('"id" must be a text or a number');
  if (typeof cmd !== "string") return refuse('"cmd" must be a text');
  const mode = modes.find((name) => name === wanted);
  if (mode === undefined) return refuse(`"mode" must be one of ${modes.join(", ")}`);
  const { home = fixedPlace.home, workspace = fixedPlace.workspace } = json;
  const directory = json["cwd"] ?? workspace;
  for (const [name, value] of Object.entries({ home, workspace, cwd: directory }))
    if (!isAbsolute(value)) return refuse(`"${name}" must be an absolute path`);
  if (!isAbsolute(home) || !isAbsolute(workspace) || !isAbsolute(directory))
    return refuse("a path is missing");
  return { ok: true, value: { id, command: cmd, place: { home, workspace, directory }, mode } };
}

const isAbsolute = (value: Json): value is string =>
  typeof value === "string" && value.startsWith("/") && !value.includes("\0");
