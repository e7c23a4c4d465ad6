/** Runs one hook: a command with JSON on its standard input, or an HTTP request. Always ends, never throws. */

import { otherProgramBounds } from "../../base/bounds.ts";
import { HttpProblem, readAll, request } from "../../base/http.ts";
import type { JsonObject } from "../../base/json.ts";
import { type ProcessOutcome, runProcess } from "../../base/process.ts";
import { plainOutput } from "../../base/terminal/plain-text.ts";
import { whyMissing } from "../missing-program.ts";
import type { AddonContext } from "../part.ts";
import { type HookAnswer, failedWith, readAnswer } from "./answer.ts";
import type { Hook, HookEvent, HookRuns } from "./hook.ts";

export type HookRunContext = {
  workspace: string;
  environment: Readonly<Record<string, string>>;
  /** Aborts the hook. */
  signal: AbortSignal;
  /** Records the started process; call the returned function when it has ended. */
  started?: AddonContext["started"] | undefined;
};

type HookAsk = {
  event: HookEvent;
  told: JsonObject;
  /** Environment variables beside the context's. */
  variables: Readonly<Record<string, string>>;
};

export function runHook(hook: Hook, ask: HookAsk, context: HookRunContext): Promise<HookAnswer> {
  const { runs } = hook;
  if (runs.type === "address") return askAddress({ ...hook, runs }, ask, context);
  const command = runs.type === "line" ? ["bash", "--noprofile", "--norc", "-c", runs.line] : runs.command;
  return runCommand({ ...hook, command }, ask, context);
}

const mostRead = otherProgramBounds.output.most;

async function runCommand(
  hook: Hook & { command: readonly string[] },
  { event, told, variables }: HookAsk,
  { workspace, environment, signal, started }: HookRunContext,
): Promise<HookAnswer> {
  const { name, command, timeoutMs } = hook;
  let ended: (() => void) | undefined;
  const ran = await runProcess({
    command,
    cwd: workspace,
    env: { ...environment, ...variables },
    input: new TextEncoder().encode(`${JSON.stringify(told)}\n`),
    signal,
    wallMs: timeoutMs,
    maxKeep: mostRead,
    keepErrors: mostRead,
    guarded: true,
    onStart(pid, marker) {
      ended = started?.({ pid, marker, what: `hook ${name}` });
    },
  });
  ended?.();
  return (await notStarted(ran, hook, { workspace, environment })) ?? answerOf(ran, event, timeoutMs);
}

/** Explains a start failure by a missing program, if that is the cause. */
async function notStarted(
  { problem }: ProcessOutcome,
  { command, runs }: Pick<Hook, "runs"> & { command: readonly string[] },
  { workspace, environment }: Pick<HookRunContext, "workspace" | "environment">,
): Promise<HookAnswer | undefined> {
  if (problem === undefined || command[0] === undefined) return undefined;
  const why = await whyMissing(command[0], { directory: workspace, env: environment });
  if (why === undefined) return undefined;
  return failedWith(runs.type === "line" ? `${why}; lines of hooks are run by it` : why);
}

/** Exit code 0: its output counts. 2: veto, with the reason on standard error. Anything else: a failure. */
function answerOf(ran: ProcessOutcome, event: HookEvent, timeoutMs: number): HookAnswer {
  const { exit, signal, problem, output } = ran;
  if (problem !== undefined) return failedWith(problem);
  if (ran.cancelled) return failedWith("it was stopped");
  if (ran.timedOut) return tooLong(timeoutMs);
  const complaint = wordsOf(ran.errors?.bytes);
  if (exit === 2) return { type: "no", because: complaint || wordsOf(output.bytes) || "it gave no reason" };
  const detail = complaint === "" ? "" : `: ${complaint}`;
  if (exit !== 0)
    return failedWith(`it ended with ${exit === undefined ? signal : `exit code ${exit}`}${detail}`);
  if (output.dropped > 0) return failedWith(`it printed ${output.total} bytes, more than is read of a hook`);
  return readAnswer(new TextDecoder().decode(output.bytes), event);
}

const tooLong = (ms: number): HookAnswer => ({
  type: "timeout",
  because: `it had not answered after ${ms / 1_000} s`,
});

/** Longest reason taken from a hook's standard error, in characters. */
const longestReason = 2_000;

function wordsOf(bytes: Uint8Array | undefined): string {
  const text = plainOutput(new TextDecoder().decode(bytes)).trim();
  return text.length <= longestReason ? text : `${text.slice(0, longestReason).toWellFormed()} …`;
}

/** Redirects are not followed: they could lead to an address that nobody consented to. */
async function askAddress(
  { runs, timeoutMs }: Hook & { runs: HookRuns & { type: "address" } },
  { event, told }: HookAsk,
  { environment, signal }: HookRunContext,
): Promise<HookAnswer> {
  const headers = filledIn(runs.headers, environment);
  if (typeof headers === "string") return failedWith(headers);
  const overtime = AbortSignal.timeout(timeoutMs);
  try {
    const { status, body } = await request({
      url: runs.url,
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(told),
      signal: AbortSignal.any([signal, overtime]),
      connectMs: timeoutMs,
      firstByteMs: timeoutMs,
      idleMs: timeoutMs,
    });
    const text = await readAll(body, mostRead + 1);
    if (status < 200 || status > 299) return failedWith(statusWords(status));
    if (new TextEncoder().encode(text).length > mostRead)
      return failedWith("it answered with more than is read of a hook");
    return readAnswer(text, event);
  } catch (error) {
    if (overtime.aborted && !signal.aborted) return tooLong(timeoutMs);
    if (error instanceof HttpProblem)
      return error.code.startsWith("timeout") ? tooLong(timeoutMs) : failedWith(error.message);
    throw error;
  }
}

const statusWords = (status: number): string =>
  status >= 300 && status < 400
    ? `it answered with a redirect (${status}), which is not followed`
    : `it answered with status ${status}`;

/** A text is the problem. */
function filledIn(
  headers: Readonly<Record<string, string>>,
  environment: Readonly<Record<string, string>>,
): Record<string, string> | string {
  const missing = new Set<string>();
  const fill = (text: string): string =>
    text.replaceAll(/\$\{([A-Za-z_]\w*)\}/gu, (_, name: string) => {
      const value = Object.hasOwn(environment, name) ? environment[name] : undefined;
      if (value === undefined) missing.add(name);
      return value ?? "";
    });
  const filled = Object.fromEntries(
    Object.entries(headers).map(([name, text]) => [name.toLowerCase(), fill(text)]),
  );
  return missing.size === 0 ? filled : `the variable ${[...missing].join(", ")} of its headers is not set`;
}
