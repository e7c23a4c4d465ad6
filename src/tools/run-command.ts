/** The tool that runs a shell command until it ends, stays silent too long, or runs too long. */

import * as z from "zod/mini";
import { durationInWords } from "../base/amounts.ts";
import { headAndTail } from "../base/cut-text.ts";
import { type ProcessOutcome, runProcess } from "../base/process.ts";
import { ansiStripper, plainOutput } from "../base/terminal/plain-text.ts";
import { outsideInWords, readOutside } from "../protocol/outside.ts";
import { countField, switchField } from "./arguments/shape.ts";
import { commandBounds } from "./bounds.ts";
import { changesOf } from "./terminal/contained-command.ts";
import { clampedNote, directoryFor, shellCommand } from "./terminal/shell.ts";
import { defineTool, failedResult, forModel, type ToolResult, text, type ToolContext } from "./tool.ts";

const secondsOf = (bound: "silence" | "time" | "askedTime"): number => commandBounds[bound].most / 1000;

export const runCommand = defineTool({
  name: "run_command",
  aliases: ["run_terminal_command", "bash", "shell", "execute_command"],
  argumentAliases: {
    command: ["cmd"],
    cwd: ["workdir", "workingDirectory", "directory"],
    timeoutSeconds: ["timeout"],
  },
  summary: `Run a command in bash, without input. It ends, with everything it started, after ${secondsOf("silence")} s of silence or ${secondsOf("time")} s: what is to stay, or asks, belongs in a terminal.`,
  does: "execute",
  basic: ["command"],
  input: () => ({
    command: z.string(),
    cwd: z.optional(z.string()),
    timeoutSeconds: z.optional(countField()),
    outside: z.optional(
      z.array(z.string().check(outsideWord)).check(z.describe("Refused, but needed: host:port")),
    ),
    stage: z.optional(switchField("Only show its changes")),
  }),
  title: ({ command }) => `Run ${command}`,
  paths: ({ cwd }) => (cwd === undefined ? [] : [cwd]),
  command: ({ command }) => command,
  outside: ({ outside = [] }) => outside.flatMap((words) => inOneForm(words)),
  editable: () => "command",
  stages: ({ stage }) => stage === true,
  async run(input, context) {
    if (input.command.trim() === "") return failedResult("The command is empty.");
    if (input.command.includes("\0")) return failedResult("The command holds a NUL character.");
    const place = await directoryFor(context.workspace, input.cwd);
    if (!place.ok) return failedResult(place.problem);
    const { absolute: directory, isClamped } = place.value;
    const contained = await context.contain({
      command: shellCommand(input.command),
      directory,
      env: { ...context.environment, ...quietPrograms, PWD: directory },
    });
    if (!contained.ok) return failedResult(contained.problem);
    const { finished, drop: _, whyFailed, ...command } = contained.value;
    const times = timesFor(input.timeoutSeconds);
    const plain = ansiStripper();
    const outcome = await runProcess({
      ...command,
      cwd: directory,
      signal: context.signal,
      ...times,
      onOutput: (words) => context.output(plain(words)),
      maxKeep: mostKept,
      maxOutput: mostPrinted,
    });
    const ended = await finished();
    const hint = outcome.exit === 0 ? undefined : whyFailed?.(plainText(outcome));
    const notes = [...ended.warnings, ...[hint, ended.tooLarge].filter((note) => note !== undefined)];
    const shown = await commandResult(input.command, { outcome, times, notes, isClamped }, context);
    const failure = ended.tooLarge === undefined ? {} : { outcome: "failed" as const };
    return { ...shown, ...failure, ...changesOf(ended), ...(input.stage ? { stage: true } : {}) };
  },
});

/** Refuses what cannot be given, and says what can. */
const outsideWord: z.core.CheckFn<string> = (payload) => {
  const read = readOutside(payload.value);
  if (!read.ok) payload.issues.push({ code: "custom", input: payload.value, message: read.problem });
};

function inOneForm(words: string): string[] {
  const read = readOutside(words);
  return read.ok ? [outsideInWords(read.value)] : [];
}

/** Longer output is stored for people as its start and end; the model is shown far less (A33). */
const mostKept = commandBounds.output.most;
const mostPrinted = commandBounds.wholeOutput.most;

type Times = { idleMs: number; wallMs: number };

const usual: Times = { idleMs: commandBounds.silence.most, wallMs: commandBounds.time.most };

/**
 * Builds are silent for long and tests run for long: A11's 30 s for a tool would end both. A requested time is
 * honoured.
 */
function timesFor(seconds: number | undefined): Times {
  if (seconds === undefined) return usual;
  const asked = Math.min(seconds * 1000, commandBounds.askedTime.most);
  return { idleMs: asked, wallMs: asked };
}

/** No pager, password prompt or colours: no person is at the terminal. */
const quietPrograms = { TERM: "dumb", PAGER: "cat", GIT_PAGER: "cat", GIT_TERMINAL_PROMPT: "0" };

type CommandEnd = { outcome: ProcessOutcome; times: Times; notes: readonly string[]; isClamped: boolean };

const plainText = ({ output }: ProcessOutcome): string =>
  plainOutput(Buffer.from(output.bytes).toString("utf8"));

async function commandResult(
  command: string,
  { outcome, times, notes, isClamped }: CommandEnd,
  context: ToolContext,
): Promise<ToolResult> {
  const whole = plainText(outcome);
  const shown = headAndTail(whole);
  const printed = [
    ...(isClamped ? [clampedNote] : []),
    ...(shown.text === "" ? [] : [shown.text.replace(/\n$/, "")]),
    ...notes.map((note) => `[${note}]`),
  ];
  const end = endInWords(outcome, times);
  const went = outcomeOf(outcome);
  const content = [
    ...forModel(`Command: ${command}`),
    ...(printed.length === 0 ? [] : text(printed.join("\n"))),
    // Success needs no words for people: the call's state already shows it.
    ...(went === "ok" ? forModel(end) : text(end)),
  ];
  const kept = new TextEncoder().encode(whole);
  const full = shown.cut
    ? { full: { blob: await context.keep(kept), bytes: kept.length, omitted: shown.left } }
    : {};
  return { outcome: went, content, ...full };
}

function outcomeOf(outcome: ProcessOutcome): ToolResult["outcome"] {
  if (outcome.timedOut) return "timeout";
  return outcome.exit === 0 && !outcome.cancelled && !outcome.flooded ? "ok" : "failed";
}

function endInWords(outcome: ProcessOutcome, { idleMs, wallMs }: Times): string {
  if (outcome.problem !== undefined) return outcome.problem;
  if (outcome.cancelled) return "It was cancelled, and everything it had started was stopped.";
  if (outcome.flooded)
    return `It printed more than ${mostPrinted / 2 ** 20} MiB, of which nothing more could be kept; it was stopped. Have it print less, or write into a file that you then search.`;
  if (outcome.timedOut === "idle" && idleMs < wallMs) {
    return `Timed out after ${durationInWords(idleMs)} without output; it was stopped. If it waits for input, pass that in the command; if it is only slow, set timeoutSeconds.`;
  }
  if (outcome.timedOut) {
    return `Timed out after ${durationInWords(wallMs)}; it was stopped. Run a smaller part of it, or set a longer timeoutSeconds.`;
  }
  return outcome.exit === undefined ? `Ended by signal ${outcome.signal}` : `Exit code: ${outcome.exit}`;
}
