/**
 * `toolwright serve`: a gateway for the page and for programs, until it is stopped; `serve link` admits a browser, `serve
 * devices` signs one out.
 */

import { rm } from "node:fs/promises";
import { type Expected, refuse } from "../../base/expected.ts";
import { isObject } from "../../base/json.ts";
import { isLoopbackHost } from "../../base/listening.ts";
import { openTokenFile } from "../../base/token-file.ts";
import { visibleLine } from "../../base/visible-text.ts";
import type { Values } from "../../configuration/options/options.ts";
import { Devices } from "../../gateway/devices.ts";
import { type Gateway, startGateway } from "../../gateway/gateway.ts";
import type { LoginSetup } from "../../gateway/login.ts";
import {
  claimRunning,
  releaseRunning,
  type RunningGateway,
  runningGateway,
} from "../../gateway/running-file.ts";
import type { HostSetup } from "../../hosting/host-parts.ts";
import type { People } from "../../hosting/people/people.ts";
import type { SessionHost } from "../../hosting/session-host.ts";
import { exitCodes, type CliContext, failWith, printAnswer } from "../cli-context.ts";
import { tokenPathIn, askGateway } from "./asking-gateway.ts";
import { needsDatabase, openWorkersEngine } from "./engine-choice.ts";
import { misnamedIn, openSessionHost, servingWords, type SettingsReader } from "./open-session-host.ts";
import { pageFolder, usualPort } from "./page-folder.ts";
import { devicesPathIn, runDevices } from "./serve-devices.ts";
import { stopSignals } from "./stop-signals.ts";

type ServeGiven = {
  words: readonly string[];
  flags: Values;
  settingsFor: SettingsReader;
};

/** Exit code 0 if it was stopped and running turns ended, 130 if it was stopped at once. */
export async function runServe(context: CliContext, given: ServeGiven): Promise<number> {
  const [word, ...more] = given.words;
  if (word === "link" && more.length === 0) return printLink(context);
  if (word === "devices") return runDevices(context, more);
  if (word !== undefined)
    return failWith(
      context.terminal,
      `Unknown argument: toolwright serve takes only "link" and "devices".`,
      exitCodes.usage,
    );
  const neverMeant = misnamedIn(context);
  if (neverMeant !== undefined) return failWith(context.terminal, neverMeant, exitCodes.usage);
  const other = await runningGateway(context.settings.stateDir);
  if (other) return failWith(context.terminal, runsAlready(other));
  const { flags } = given;
  const isEmbedded = flags.engine !== "dbos";
  if (!isEmbedded && context.settings.database === undefined)
    return failWith(context.terminal, needsDatabase, exitCodes.usage);
  const openEngine = isEmbedded ? undefined : (setup: HostSetup) => openWorkersEngine(context, setup, flags);
  const prepared = await openSessionHost(context, given.settingsFor, openEngine);
  if (!prepared.ok) return failWith(context.terminal, prepared.problem);
  const { close, ...served } = prepared.value;
  try {
    return await serve(context, given, served);
  } finally {
    await close();
  }
}

const runsAlready = ({ url, pid }: RunningGateway): string =>
  `A gateway is already running with this state directory: process ${pid} at ${url}. Use that one (toolwright serve link), or stop it first.`;

type GatewayHost = { host: SessionHost; people: People };

async function serve(
  context: CliContext,
  { flags }: ServeGiven,
  { host, people }: GatewayHost,
): Promise<number> {
  const { settings, terminal } = context;
  const login = loginFrom(flags, terminal.env);
  if (!login.ok) return failWith(context.terminal, login.problem, exitCodes.usage);
  const tokenPath = tokenPathIn(settings.stateDir);
  if (flags.newToken === true) await rm(tokenPath, { force: true });
  const token = await openTokenFile(tokenPath);
  if (!token.ok) return failWith(context.terminal, token.problem);
  const words = servingWords(context);
  const devicesPath = devicesPathIn(settings.stateDir);
  const started = await startGateway({
    host,
    team: { people, login: login.value },
    token: token.value,
    devices: await Devices.open({ secret: token.value, path: devicesPath, log: words.log }),
    listen: { host: settings.host, port: settings.port ?? usualPort },
    names: settings.allowHosts,
    answerWithinMs: settings.answerWithinMs,
    ...words,
    ...pageFolder(),
  });
  if (!started.ok) return failWith(context.terminal, started.problem);
  const gateway = started.value;
  const other = await claimRunning(settings.stateDir, gateway.url);
  if (other) {
    await gateway.close();
    return failWith(context.terminal, runsAlready(other));
  }
  try {
    greet(context, gateway, { host, tokenPath });
    return await untilStopped(context, gateway, host);
  } finally {
    await releaseRunning(settings.stateDir);
  }
}

function loginFrom(
  { login: issuer, loginClient: client }: Values,
  env: CliContext["terminal"]["env"],
): Expected<LoginSetup | undefined> {
  if (issuer === undefined && client === undefined) return { ok: true, value: undefined };
  if (typeof issuer !== "string" || typeof client !== "string")
    return refuse("--login and --login-client belong together: give both, or neither.");
  if (!/^https:|^http:\/\/(?:127\.0\.0\.1|localhost|\[::1\])[:/]/u.test(issuer) || !URL.canParse(issuer))
    return refuse(`--login takes the address of an identity provider, which begins with https://.`);
  return { ok: true, value: { issuer, client, secret: env["TOOLWRIGHT_LOGIN_SECRET"] } };
}

type GreetingContext = { host: SessionHost; tokenPath: string };

function greet(context: CliContext, gateway: Gateway, { host, tokenPath }: GreetingContext): void {
  const { terminal, settings } = context;
  const link = gateway.link();
  const { url } = gateway;
  const { workspace, mode } = host;
  printAnswer(context, { url, link, tokenFile: tokenPath, pid: process.pid, workspace, mode }, () =>
    greeting(gateway, link, { host, tokenPath }).join("\n"),
  );
  if (!isLoopbackHost(settings.host))
    terminal.report(
      `! The gateway listens on ${visibleLine(settings.host)}: other machines reach it, and what goes back and forth is not encrypted. Its token guards it. A proxy with TLS before it, or a tunnel, would be safer.\n`,
    );
}

function greeting({ url }: Gateway, link: string, { host, tokenPath }: GreetingContext): string[] {
  const mode =
    host.mode === "staged"
      ? "of programs show changes first, and make them when they are applied; the page asks you"
      : `have the mode ${host.mode}`;
  return [
    `The gateway runs at ${url}, for ${visibleLine(host.workspace)} and other workspaces.`,
    "",
    `  In a browser   ${link}`,
    "                 (good once, within 10 minutes; `toolwright serve link` prints another)",
    `  For programs   the token is in ${visibleLine(tokenPath)}`,
    `  New sessions   ${mode}`,
    "",
    "Ctrl-C stops it.",
  ];
}

async function untilStopped(context: CliContext, gateway: Gateway, host: SessionHost): Promise<number> {
  const { terminal, settings } = context;
  const { asked, askedAgain, release } = stopSignals(terminal);
  try {
    await asked;
    terminal.report(stopWords(host.figures().working, settings.drainMs));
    const stopped = gateway.drain(settings.drainMs).then(() => gateway.close());
    const ended = await Promise.race([stopped, askedAgain]);
    if (ended === undefined) return exitCodes.done;
    await releaseRunning(settings.stateDir);
    terminal.exit(exitCodes.interrupted);
    return exitCodes.interrupted;
  } finally {
    release();
  }
}

function stopWords(working: number, drainMs: number): string {
  if (working === 0) return "Stopping.\n";
  const what = working === 1 ? "one session that works" : `${working} sessions that work`;
  return `Stopping: nothing new is taken. Waiting for ${what}, at most ${Math.round(drainMs / 1_000)} s; Ctrl-C again ends it at once.\n`;
}

/** `toolwright serve link`: requests a one-time code from the running gateway, and prints the address for a browser. */
async function printLink(context: CliContext): Promise<number> {
  const link = await linkOf(context.settings.stateDir);
  if (!link.ok) return failWith(context.terminal, link.problem);
  return printAnswer(context, { link: link.value }, () => link.value);
}

async function linkOf(stateDir: string): Promise<Expected<string>> {
  const running = await runningGateway(stateDir);
  if (!running) return refuse("No gateway runs with this state directory: start one with toolwright serve.");
  const reply = await askGateway(stateDir, running, { method: "POST", path: "/codes" });
  if (!reply.ok) return reply;
  const code = isObject(reply.value.value) ? reply.value.value["code"] : undefined;
  return typeof code === "string"
    ? { ok: true, value: `${running.url}/#code=${code}` }
    : refuse(`The gateway at ${running.url} gave no code (status ${reply.value.status}).`);
}
