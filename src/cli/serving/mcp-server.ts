/**
 * `toolwright mcp`: serves sessions and tools to other agents, over standard input and output, or over HTTP with
 * --port.
 */

import { randomBytes } from "node:crypto";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { Writable } from "node:stream";
import type { Expected } from "../../base/expected.ts";
import { homeDirectory } from "../../base/paths.ts";
import { openTokenFile } from "../../base/token-file.ts";
import { visibleLine } from "../../base/visible-text.ts";
import type { Config } from "../../configuration/config.ts";
import type { Values } from "../../configuration/options/options.ts";
import { version } from "../../configuration/options/version.ts";
import type { HostSetup } from "../../hosting/host-parts.ts";
import { sessionHost } from "../../hosting/host.ts";
import { callerModel, type CallsToMake } from "../../mcp-server/caller-model.ts";
import { DirectCalls } from "../../mcp-server/direct-calls.ts";
import type { McpServerContext } from "../../mcp-server/mcp-server-context.ts";
import { UnansweredQuestions } from "../../mcp-server/unanswered-questions.ts";
import { partToolsHere } from "../../runtime/addons/tools-here.ts";
import { objectionsIn } from "../../runtime/reading.ts";
import { cliBounds } from "../bounds.ts";
import { complain, exitCodes, type CliContext, usageError, failWith } from "../cli-context.ts";
import { guard } from "../ctrl-c.ts";
import { misnamedIn, openHostSetup, type SettingsReader } from "./open-session-host.ts";

/** Time for the MCP server to finish when its client has gone, in milliseconds. */
const farewellMs = 5_000;

export type McpGiven = {
  flags: Values;
  /** Reads the settings of another workspace. */
  settingsFor: SettingsReader;
  /** Replaces the process's standard output, which carries the protocol. */
  output?: Writable;
};

/** Exit code 0 when its client disconnected or it was stopped. */
export async function runMcpServer(context: CliContext, given: McpGiven): Promise<number> {
  const neverMeant = misnamedIn(context);
  if (neverMeant !== undefined) return usageError(context.terminal, neverMeant);
  const opened = await open(context, given);
  if (!opened.ok) return failWith(context.terminal, opened.problem);
  const { mcp, close } = opened.value;
  try {
    const isOverHttp = context.settings.port !== undefined;
    return await (isOverHttp ? overHttp(context, given, mcp) : overStreams(context, given, mcp));
  } finally {
    await close();
  }
}

type McpServerHandle = { mcp: McpServerContext; close: () => Promise<void> };

async function open(context: CliContext, given: McpGiven): Promise<Expected<McpServerHandle>> {
  const setup = await openHostSetup(context, given.settingsFor);
  if (!setup.ok) return setup;
  const mcp = assemble(context, given, setup.value);
  const close = async (): Promise<void> => {
    mcp.unanswered.close();
    await withinFarewell(context, async () => {
      await mcp.calls.close();
      await mcp.host.close();
      await setup.value.store.close();
    });
  };
  return { ok: true, value: { mcp, close } };
}

/** A person who answers through another program may take longer than one at the page. */
const answerMs = ({ settings }: CliContext, { flags }: McpGiven): number =>
  flags.answerWithin === undefined ? cliBounds.answer.most : settings.answerWithinMs;

function assemble(
  context: CliContext,
  given: McpGiven,
  { store, workspace, settingsFor, context: { env, model } }: HostSetup,
): McpServerContext {
  const { terminal, settings } = context;
  const { mode } = settings;
  const toMake: CallsToMake = new Map();
  const shared = { store, workspace, mode };
  const host = sessionHost({ ...shared, settingsFor, context: { env, model } });
  const calling = sessionHost({
    ...shared,
    settingsFor: async (place) => forCalls(await settingsFor(place)),
    context: { env, model: callerModel(toMake) },
  });
  return {
    host,
    calls: new DirectCalls({ host: calling, toMake, mode }),
    toolsHere: () => toolsHere(context, given, workspace),
    workspace,
    objection: objectionsIn(settings, { workspace, home: homeDirectory(env) }),
    mode,
    version,
    unanswered: new UnansweredQuestions(answerMs(context, given)),
    key: randomBytes(32),
    tasks: new Set(),
    log: (line) => complain(terminal, line),
  };
}

/** Uses the current settings; if they cannot be read, no session could be opened either. */
async function toolsHere({ terminal }: CliContext, { settingsFor }: McpGiven, workspace: string) {
  const settings = await settingsFor(workspace);
  return settings.ok ? partToolsHere({ ...settings.value, workspace }, terminal.env) : [];
}

/** A client that makes its own calls gets neither reminders nor the tools of other servers. */
function forCalls(settings: Expected<Config>): Expected<Config> {
  if (!settings.ok) return settings;
  const { addons } = settings.value;
  const { mcpServers: _, ...user } = addons.user;
  const { mcpServers: __, ...workspace } = addons.workspace;
  return {
    ok: true,
    value: { ...settings.value, completion: "calls", addons: { ...addons, user, workspace } },
  };
}

async function overStreams(context: CliContext, given: McpGiven, mcp: McpServerContext): Promise<number> {
  const { terminal } = context;
  if (terminal.inputIsTerminal)
    terminal.report("The MCP server waits for a client on standard input; Ctrl-C ends it.\n");
  const { serveStreams } = await import("../../mcp-server/stdio.ts");
  const stop = new AbortController();
  const release = guard(terminal, () => stop.abort());
  const streams = { input: terminal.input, output: given.output ?? process.stdout };
  await serveStreams(mcp, streams, stop.signal);
  release();
  return exitCodes.done;
}

async function overHttp(context: CliContext, given: McpGiven, mcp: McpServerContext): Promise<number> {
  const { terminal, settings } = context;
  const fail = (problem: string): number => failWith(terminal, problem);
  const host = settings.host === "localhost" ? "127.0.0.1" : settings.host;
  if (host !== "127.0.0.1" && host !== "::1")
    return fail("The MCP server is for this computer only: leave --host out, or give 127.0.0.1 or ::1.");
  const path = join(settings.stateDir, "mcp-token");
  if (given.flags.newToken === true) await rm(path, { force: true });
  const token = await openTokenFile(path);
  if (!token.ok) return fail(token.problem);
  const { serveHttp } = await import("../../mcp-server/http.ts");
  const { port = 0 } = settings;
  const served = await serveHttp(mcp, { host, port, token: token.value });
  if (!served.ok) return fail(served.problem);
  terminal.report(`The MCP server runs at ${served.value.url}; its token is in ${visibleLine(path)}.\n`);
  const stopped = Promise.withResolvers<void>();
  const release = guard(terminal, () => stopped.resolve());
  await stopped.promise;
  await served.value.close();
  release();
  return exitCodes.done;
}

/** Interrupts what still runs; anything that does not end in time ends with the process. */
async function withinFarewell({ terminal }: CliContext, work: () => Promise<void>): Promise<void> {
  const late = setTimeout(() => {
    complain(terminal, "Something did not end in time; it is ended with the server.");
    terminal.exit(exitCodes.failed);
  }, farewellMs).unref();
  try {
    await work();
  } finally {
    clearTimeout(late);
  }
}
