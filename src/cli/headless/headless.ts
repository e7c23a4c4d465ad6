/** `toolwright -p "…"`: work without a person; the answer on standard output, the exit code for programs. */

import { writeFile } from "node:fs/promises";
import { type Expected, errorMessage } from "../../base/expected.ts";
import { realWorkspace } from "../../base/paths.ts";
import { inFlags } from "../../configuration/options/flag-words.ts";
import type { ContentPart } from "../../protocol/messages.ts";
import type { SessionState } from "../../protocol/session-state.ts";
import type { AnswerCheck } from "../../runtime/checked-answer.ts";
import type { Runtime } from "../../runtime/runtime.ts";
import { complain, exitCodes, notOpenedCode, type CliContext } from "../cli-context.ts";
import { Deadline } from "./deadline.ts";
import { openHeadless } from "./opening.ts";
import { outputOf } from "./output.ts";
import { type HeadlessPrompt, readPrompt } from "./piped-input.ts";
import { contentOf } from "./prompt-content.ts";
import { jsonOfFailure } from "./result.ts";
import type { HeadlessWork } from "./run-context.ts";
import { conduct, tooLong } from "./run.ts";

/** Resolves to the exit code. Throws StoreError and StaleEpoch. */
export async function runHeadless(context: CliContext, given?: HeadlessPrompt): Promise<number> {
  const deadline = new Deadline(context.settings.timeoutMs, () =>
    context.terminal.exit(refuse(context, tooLong(context), exitCodes.limit)),
  );
  try {
    return await prepareAndRun(context, deadline, given);
  } finally {
    deadline.stop();
  }
}

async function prepareAndRun(
  context: CliContext,
  deadline: Deadline,
  given?: HeadlessPrompt,
): Promise<number> {
  const prepared = await prepare(context, given);
  if (!prepared.ok) return refuse(context, prepared.problem, exitCodes.usage);
  const { startRuntime } = await import("../../runtime/runtime.ts"); // heavy, so loaded only when certainly needed
  const { presence } = prepared.value;
  const starting = {
    env: context.terminal.env,
    interactive: () => presence.isThere,
    told: (words: string) => context.terminal.report(`${words}\n`),
    model: context.model,
  };
  const started = await orObject(context, () => startRuntime(context.settings, starting));
  if (!started.ok) return refuse(context, started.problem, await notOpenedCode(context));
  try {
    return await runHeadlessIn(context, started.value, prepared.value, deadline);
  } finally {
    await started.value.close();
  }
}

/** Runs before anything is opened, so that what cannot be sent leaves no session behind. */
async function prepare(context: CliContext, given?: HeadlessPrompt): Promise<Expected<HeadlessWork>> {
  const { settings } = context;
  const content = await firstContent(context, given);
  if (!content.ok) return content;
  const check = await checkOf(context);
  if (!check.ok) return check;
  const problem = (await askOnProblem(context)) ?? (await outputFileProblem(context));
  if (problem !== undefined) return { ok: false, problem };
  const isThere = settings.input === "stream-json" || settings.askOn !== undefined;
  return { ok: true, value: { content: content.value, check: check.value, presence: { isThere } } };
}

async function firstContent(
  context: CliContext,
  given: HeadlessPrompt | undefined,
): Promise<Expected<ContentPart[] | undefined>> {
  const { settings, terminal } = context;
  const written = settings.prompt ?? "";
  if (settings.input === "stream-json") {
    if (settings.prompt !== undefined) return contentOf(context, { text: written, attached: [] });
    return settings.attach.length === 0
      ? { ok: true, value: undefined }
      : { ok: false, problem: '--attach needs a prompt: add -p "…", or attach within a line' };
  }
  const prompt = given ? { ok: true as const, value: given } : await readPrompt(written, terminal);
  if (!prompt.ok) return prompt;
  if (prompt.value.text.trim() === "") return { ok: false, problem: emptyWords(written) };
  return contentOf(context, prompt.value);
}

const emptyWords = (written: string): string =>
  written.trim() === "-"
    ? "Standard input is empty: pipe a prompt in, or give it with -p."
    : 'The prompt is empty: say what to do with -p "…".';

async function checkOf({ settings }: CliContext): Promise<Expected<AnswerCheck | undefined>> {
  if (settings.jsonSchema === undefined) return { ok: true, value: undefined };
  return (await import("../../runtime/checked-answer.ts")).openAnswerSchema(settings.jsonSchema);
}

async function askOnProblem({ settings, terminal }: CliContext): Promise<string | undefined> {
  if (settings.askOn === undefined) return undefined;
  const workspace = await realWorkspace(settings.workspace);
  return (await import("./ask-command.ts")).askCommandProblem(settings.askOn, terminal, workspace);
}

/** Emptied now, as a shell does for `>`: it never holds the answer of an earlier run, and can be written. */
async function outputFileProblem({ settings }: CliContext): Promise<string | undefined> {
  if (settings.outputFile === undefined) return undefined;
  try {
    await writeFile(settings.outputFile, "");
    return undefined;
  } catch (error) {
    return `The answer cannot be written to ${settings.outputFile} (${errorMessage(error)}): name another file with -o`;
  }
}

/** The same, on an existing runtime. */
export async function runHeadlessIn(
  context: CliContext,
  runtime: Runtime,
  work: HeadlessWork,
  deadline: Deadline = new Deadline(undefined, () => undefined),
): Promise<number> {
  const opened = await orObject(context, () => openHeadless(runtime, context));
  if (!opened.ok) return refuse(context, opened.problem, exitCodes.failed);
  const { session } = opened.value;
  const conducted = await orObject(
    context,
    () => conduct(context, { runtime, deadline, ...work, ...opened.value }),
    () => session.state,
  );
  return conducted.ok ? conducted.value : refuse(context, conducted.problem, conducted.code, session.state);
}

/** Programs get their object even on failure; the top level prints the line for people. */
async function orObject<T>(
  context: CliContext,
  work: () => Promise<T>,
  state?: () => SessionState,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    printFailure(context, jsonOfFailure(errorMessage(error), exitCodes.failed, state?.()));
    throw error;
  }
}

/** Says why nothing was done: a line for people, and the JSON object that programs wait for. */
function refuse(context: CliContext, problem: string, code: number, state?: SessionState): number {
  printFailure(context, jsonOfFailure(inFlags(problem), code, state));
  complain(context.terminal, problem);
  return code;
}

function printFailure(context: CliContext, result: ReturnType<typeof jsonOfFailure>): void {
  if (context.settings.output !== "text") outputOf(context).end({ result, line: () => "" });
}
