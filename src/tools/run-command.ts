/** Runs a shell command to its end, or until it is silent or busy for too long. */
import { existsSync } from "node:fs";
import { stat } from "node:fs/promises";
import * as z from "zod/mini";
import { insideWorkspace, type PlaceInside } from "../base/paths.ts";
import { type ProcessOutcome, type ProcessRequest, runProcess } from "../base/process.ts";
import { ansiStripper, headAndTail, plainOutput } from "../base/text.ts";
import { countField, textField } from "./shape.ts";
import { defineTool, failed, type Produced, text, type ToolRoom } from "./tool.ts";

export const runCommand = defineTool({
  name: "run_command",
  aliases: ["run_terminal_command", "bash", "shell", "execute_command"],
  argumentAliases: {
    command: ["cmd"],
    cwd: ["workdir", "workingDirectory", "directory"],
    timeoutSeconds: ["timeout"],
  },
  summary:
    "Run a command in bash, without input or terminal. It is stopped after 120 s of silence or 600 s, with everything it started; nothing stays in the background.",
  does: "execute",
  input: () => ({
    command: textField("The command line"),
    cwd: z.optional(textField("Directory to run it in; the workspace unless given")),
    timeoutSeconds: z.optional(countField("Stop it after so long instead, at most 3600")),
  }),
  title: ({ command }) => `Run ${command}`,
  paths: ({ cwd }) => (cwd === undefined ? [] : [cwd]),
  command: ({ command }) => command,
  async run(input, room) {
    if (input.command.trim() === "") return failed("The command is empty.");
    if (input.command.includes("\0")) return failed("The command holds a NUL character.");
    const directory = await directoryFor(room.workspace, input.cwd ?? ".");
    const exists = await stat(directory.absolute).then(
      (stats) => stats.isDirectory(),
      () => false,
    );
    if (!exists) return failed(`There is no directory ${directory.relative} to run it in.`);
    const times = timesFor(input.timeoutSeconds);
    const plain = ansiStripper();
    const contained = await room.contain({
      command: [shell(), ...shellOptions(), input.command],
      directory: directory.absolute,
      env: { ...room.environment, ...quietPrograms, PWD: directory.absolute },
    });
    if (!contained.ok) return failed(contained.problem);
    const { finished, whyFailed, ...command } = contained.value;
    const { outcome, warnings } = await endOf(finished, {
      ...command,
      cwd: directory.absolute,
      signal: room.signal,
      ...times,
      onOutput: (words) => room.output(plain(words)),
      maxKeep: mostKept,
    });
    const ended = {
      outcome,
      times,
      warnings,
      clamped: directory.clamped,
      ...(whyFailed ? { whyFailed } : {}),
    };
    return produced(input.command, ended, room);
  },
});

/** The sandbox is left in any case. */
async function endOf(
  finished: () => Promise<string[]>,
  request: ProcessRequest,
): Promise<{ outcome: ProcessOutcome; warnings: string[] }> {
  const outcome = await runProcess(request); // never throws
  return { outcome, warnings: await finished() };
}

/** Of a longer output its start and end are kept for people; the model is shown far less (A33). */
const mostKept = 8 * 1024 * 1024;

type Times = { idleMs: number; wallMs: number };

/** Builds are silent for long and tests run for long: A11's 30 s for a tool would end both. A time that was asked for is kept. */
function timesFor(seconds: number | undefined): Times {
  if (seconds === undefined) return { idleMs: 120_000, wallMs: 600_000 };
  const asked = Math.min(seconds, 3600) * 1000;
  return { idleMs: asked, wallMs: asked };
}

/** No pager, no question for a password, no colours: nobody is at the other end. */
const quietPrograms = { TERM: "dumb", PAGER: "cat", GIT_PAGER: "cat", GIT_TERMINAL_PROMPT: "0" };

const bashes = [
  "/bin/bash",
  "/usr/bin/bash",
  "/usr/local/bin/bash",
  "/opt/homebrew/bin/bash",
  "/run/current-system/sw/bin/bash",
];
let foundShell: string | undefined;

function shell(): string {
  foundShell ??= bashes.find((path) => existsSync(path)) ?? "/bin/sh";
  return foundShell;
}

/** Never a login shell: its files cost a quarter of a second, and change what a command means. */
function shellOptions(): string[] {
  return shell() === "/bin/sh" ? ["-c"] : ["--noprofile", "--norc", "-c"];
}

/** A30: what lies outside is clamped to the root. */
async function directoryFor(workspace: string, cwd: string): Promise<PlaceInside & { clamped: boolean }> {
  const place = await insideWorkspace(workspace, cwd);
  return place.ok
    ? { ...place.value, clamped: false }
    : { absolute: workspace, relative: ".", clamped: true };
}

type Finished = {
  outcome: ProcessOutcome;
  times: Times;
  warnings: readonly string[];
  clamped: boolean;
  whyFailed?: (output: string) => string | undefined;
};

async function produced(
  command: string,
  { outcome, times, warnings, clamped, whyFailed }: Finished,
  room: ToolRoom,
): Promise<Produced> {
  const whole = plainOutput(Buffer.from(outcome.output.bytes).toString("utf8"));
  const shown = headAndTail(whole);
  const hint = outcome.exit === 0 ? undefined : whyFailed?.(whole);
  const lines = [
    `Command: ${command}`,
    ...(clamped
      ? ["[The directory asked for is outside the workspace; it ran in the workspace's root.]"]
      : []),
    ...(shown.text === "" ? [] : [shown.text.replace(/\n$/, "")]),
    ...[...warnings, ...(hint === undefined ? [] : [hint])].map((warning) => `[${warning}]`),
    endInWords(outcome, times),
  ];
  const kept = new TextEncoder().encode(whole);
  const full = shown.cut ? { full: { blob: await room.keep(kept), bytes: kept.length } } : {};
  return { outcome: outcomeOf(outcome), content: text(lines.join("\n")), ...full };
}

function outcomeOf(outcome: ProcessOutcome): Produced["outcome"] {
  if (outcome.timedOut) return "timeout";
  return outcome.exit === 0 && !outcome.cancelled ? "ok" : "failed";
}

function endInWords(outcome: ProcessOutcome, { idleMs, wallMs }: Times): string {
  if (outcome.problem !== undefined) return outcome.problem;
  if (outcome.cancelled) return "It was cancelled, and everything it had started was stopped.";
  if (outcome.timedOut === "idle" && idleMs < wallMs) {
    return `Timed out after ${idleMs / 1000} s without output; it was stopped. If it waits for input, pass that in the command; if it is only slow, set timeoutSeconds.`;
  }
  if (outcome.timedOut) {
    return `Timed out after ${wallMs / 1000} s; it was stopped. Run a smaller part of it, or set a longer timeoutSeconds.`;
  }
  return outcome.exit === undefined ? `Ended by signal ${outcome.signal}` : `Exit code: ${outcome.exit}`;
}
