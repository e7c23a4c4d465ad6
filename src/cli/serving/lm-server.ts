/** `toolwright lm-server`: serves a model to other programs, in every vendor's format, until it is stopped. */

import { join } from "node:path";
import { type Expected, errorMessage, refuse } from "../../base/expected.ts";
import { isLoopbackHost } from "../../base/listening.ts";
import { openTokenFile } from "../../base/token-file.ts";
import { visibleLine } from "../../base/visible-text.ts";
import type { Log } from "../../lm-server/log.ts";
import { openRecords, type Records } from "../../lm-server/records.ts";
import { type LmServer, startLmServer } from "../../lm-server/server.ts";
import type { HearsRequests } from "../../protocol/serving.ts";
import { serveModels, type ServedModels } from "../../runtime/models/served-models.ts";
import { openLog as openLogFile, openTelemetry } from "../../runtime/observing/observers.ts";
import { complain, exitCodes, notOpenedCode, type CliContext, failWith } from "../cli-context.ts";
import { guard } from "../ctrl-c.ts";

/** Check at the start of the language-model server whether the model can be opened, in milliseconds. */
const firstLookMs = 1_000;

/** The default port, if it is free. */
const usualPort = 4143;
const tokenVariable = "TOOLWRIGHT_LM_TOKEN";
const leastToken = 16;

/** `own`: models that are served by their own names, besides those of the settings. Exit code 0 when it was stopped. */
export async function runLmServer(context: CliContext, own: readonly string[] = []): Promise<number> {
  const { terminal, settings } = context;
  for (const warning of settings.warnings) complain(terminal, warning);
  const token = await tokenOf(context);
  if (!token.ok) return fail(context, token.problem);
  const log = await openLog(context);
  if (!log.ok) return fail(context, log.problem);
  const models = await serveModels(settings, terminal.env);
  if (!models.ok) {
    complain(terminal, models.problem);
    return notOpenedCode(context);
  }
  const records = openRecords(settings.stateDir);
  if (!records.ok) return fail(context, records.problem);
  const telemetry = await openTelemetry(settings, terminal.env);
  if (telemetry?.ok === false) complain(terminal, telemetry.problem);
  const told = telemetry?.ok ? telemetry.value : undefined;
  try {
    const serving = {
      models: withModels(models.value, own),
      token: token.value,
      records: records.value,
      log: log.value,
      hears: told?.requests,
    };
    const started = await listen(context, serving);
    if (!started.ok) return fail(context, started.problem);
    terminal.print(`${greeting(started.value, token.value).join("\n")}\n`);
    warnOfNetwork(context);
    const stopping = new AbortController();
    const looking = warnUnopened(context, models.value, stopping.signal);
    await untilStopped(context, started.value);
    stopping.abort();
    await looking;
    return exitCodes.done;
  } finally {
    await models.value.close();
    await told?.close();
    records.value.close();
  }
}

function fail({ terminal }: CliContext, problem: string): number {
  return failWith(terminal, problem);
}

/** The user's own token, else a generated one, which is stored because clients are configured with it. */
async function tokenOf({ terminal, settings }: CliContext): Promise<Expected<string>> {
  const own = terminal.env[tokenVariable]?.trim();
  if (own === undefined || own === "") return openTokenFile(join(settings.stateDir, "lm-server-token"));
  if (own.length >= leastToken && /^[\u0021-\u007e]+$/u.test(own)) return { ok: true, value: own };
  const problem = `${tokenVariable} must have ${leastToken} characters at least, without spaces: choose a longer one, or leave it out.`;
  return refuse(problem);
}

async function openLog({ terminal, settings }: CliContext): Promise<Expected<Log>> {
  if (settings.log !== undefined)
    return openLogFile(settings, terminal.env, (problem) => complain(terminal, problem));
  return { ok: true, value: (line) => terminal.report(`${JSON.stringify(line)}\n`) };
}

type Serving = {
  models: ServedModels;
  token: string;
  records: Records;
  log: Log;
  hears: HearsRequests | undefined;
};

async function listen(
  { settings }: CliContext,
  { models, ...serving }: Serving,
): Promise<Expected<LmServer>> {
  const { origins = [], hosts = [], clients: limits = {} } = settings.lmServer;
  const start = (port: number): Promise<Expected<LmServer>> =>
    startLmServer({ ...models, ...serving, limits, origins, hosts, host: settings.host, port });
  if (settings.port !== undefined) return start(settings.port);
  const usual = await start(usualPort);
  return usual.ok ? usual : start(0);
}

/** A row of the settings for the same name counts. */
const withModels = (models: ServedModels, own: readonly string[]): ServedModels => ({
  ...models,
  names: { ...Object.fromEntries(own.map((model) => [model, { model }])), ...models.names },
});

function warnOfNetwork({ terminal, settings: { host } }: CliContext): void {
  if (isLoopbackHost(host)) return;
  const words = `The server listens on ${visibleLine(host)}: other machines reach it. Every request needs a key, but keys, prompts and answers travel unencrypted: put a proxy with TLS before it, or a tunnel.`;
  terminal.report(`! ${words}\n`);
}

/** Warns at the start; clients would learn of it only from their first request. */
async function warnUnopened(context: CliContext, models: ServedModels, stopping: AbortSignal): Promise<void> {
  const problem = await defaultProblem(models, stopping);
  if (problem === undefined || stopping.aborted) return;
  const name = visibleLine(models.fallback);
  complain(context.terminal, `${name} cannot be asked now: ${problem} The server runs all the same.`);
}

/** Why the default model, used for all other names, cannot be opened. */
async function defaultProblem(models: ServedModels, stopping: AbortSignal): Promise<string | undefined> {
  const late = AbortSignal.timeout(firstLookMs);
  try {
    const opened = await models.open(models.fallback, AbortSignal.any([stopping, late]));
    return opened.ok ? undefined : asSentence(opened.problem);
  } catch (error) {
    if (late.aborted) return `Its server gave no answer within ${firstLookMs / 1000} s.`;
    return asSentence(errorMessage(error));
  }
}

const asSentence = (words: string): string => (/[.!?]$/u.test(words) ? words : `${words}.`);

async function untilStopped({ terminal }: CliContext, server: LmServer): Promise<void> {
  const stopped = Promise.withResolvers<void>();
  const stop = (): void => stopped.resolve();
  const release = guard(terminal, stop);
  process.once("disconnect", stop); // a program that started this one with a channel has ended
  await stopped.promise;
  await server.close();
  process.off("disconnect", stop);
  release();
}

/** Lines to copy into a shell, one for each family of clients. */
function greeting({ url, models }: LmServer, token: string): string[] {
  const names = models.map(visibleLine).join(", ");
  return [
    `The language-model server runs at ${url} and serves ${names}.`,
    "Set one of these up where your client runs; the key is this server's own:",
    "",
    `  export OPENAI_BASE_URL=${url}/v1 OPENAI_API_KEY=${token}`,
    `  export ANTHROPIC_BASE_URL=${url} ANTHROPIC_AUTH_TOKEN=${token}`,
    `  export GOOGLE_GEMINI_BASE_URL=${url} GEMINI_API_KEY=${token}`,
    `  export OLLAMA_HOST=${url} OLLAMA_API_KEY=${token}`,
    "",
    `A client that can send no key has it in its address: ${url}/k/${token}`,
    "",
    "Ctrl-C stops it.",
  ];
}
