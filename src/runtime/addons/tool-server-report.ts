/** Tool servers outside sessions: inspecting them, logging in, and accepting changed tools. */

import type { KnownMcpServer } from "../../addons/mcp/known-server.ts";
import { loginStore } from "../../addons/mcp/login-store.ts";
import { logIn } from "../../addons/mcp/login.ts";
import type { ServerManager, User } from "../../addons/mcp/manager.ts";
import { promptsOf } from "../../addons/mcp/prompts.ts";
import { whatRuns } from "../../addons/mcp/server-words.ts";
import { ServerManager as Manager } from "../../addons/mcp/session-servers.ts";
import { whyMissing } from "../../addons/missing-program.ts";
import { inTime } from "../../base/async.ts";
import type { EnvironmentVariables } from "../../base/environment-variables.ts";
import { type Expected, refuse } from "../../base/expected.ts";
import type { Config } from "../../configuration/config.ts";
import { managerSetup, setupIn } from "./tool-servers.ts";

/** Wait of `doctor` for tool servers to start, in milliseconds. */
const serversWaitMs = 5_000;

export type ToolServerReport = {
  name: string;
  /** The configuration file that defines it. */
  where: string;
  /** Its command line or address. */
  what: string;
  state: "ready" | "failed" | "login" | "untrusted" | "misconfigured";
  /** What is wrong, or the server's own name. */
  words: string;
  tools: { name: string; called: string; reads: boolean; changed: boolean }[];
  resources: number;
  prompts: string[];
};

/** Inspects all servers: starts those that may be started, and stops them again. */
export async function inspectServers(
  settings: Config,
  env: EnvironmentVariables,
): Promise<{ servers: ToolServerReport[]; problems: string[] }> {
  return withManager(settings, env, async (manager) => {
    manager.start();
    await manager.settled();
    const problems = manager.notices().filter(({ code }) => code === "mcp-configuration");
    const servers = manager.servers().map((known) => reportOn(known, manager));
    return { servers, problems: problems.map(({ text }) => text) };
  });
}

/** The problem is one line. `isNew` is false if the server requires no login. */
export async function logInAt(
  settings: Config,
  env: EnvironmentVariables,
  { name, show, signal }: { name: string; show: (address: string) => void; signal: AbortSignal },
): Promise<Expected<{ isNew: boolean }>> {
  return withManager(settings, env, async (manager) => {
    const known = serverByName(manager, name);
    if (!known.ok) return known;
    const { settings: server, problem, isTrusted } = known.value;
    if (problem !== undefined) return refuse(`${name} is not described as a server: ${problem}.`);
    if (!isTrusted()) return refuse(untrustedProblem(name));
    const logins = loginStore(settings.stateDir, { name, url: server.url ?? "" });
    const done = await logIn(server, { logins, show, signal });
    return done.ok ? done : refuse(`There is no login at ${name}: ${done.problem}.`);
  });
}

/** Accepts the server's present tools as seen, and returns their names. */
export async function acceptServer(
  settings: Config,
  env: EnvironmentVariables,
  name: string,
): Promise<Expected<string[]>> {
  return withManager(settings, env, async (manager) => {
    const known = serverByName(manager, name);
    if (!known.ok) return known;
    const { server, drift, problem, isTrusted } = known.value;
    if (problem !== undefined || !isTrusted()) return refuse(problem ?? untrustedProblem(name));
    server.start();
    await server.settled();
    if (server.state.type !== "ready") return refuse(server.whyNot());
    return { ok: true, value: drift.accept() };
  });
}

export type ToolServerFinding = {
  check: string;
  state: "ok" | "warn" | "fail";
  words: string;
  fix?: string;
};

/** For doctor: briefly starts the servers that a session would start. */
export async function serverFindings(
  settings: Config,
  env: EnvironmentVariables,
): Promise<ToolServerFinding[]> {
  const check = "tool servers";
  return withManager(settings, env, async (manager) => {
    const problems = manager.notices().filter(({ code }) => code === "mcp-configuration");
    const known = manager.servers();
    manager.start();
    await inTime(manager.settled(), { ms: serversWaitMs });
    const found = await Promise.all(known.map((one) => findingOn(one, settings, env)));
    const well = known.filter((_, at) => found[at] === undefined).map(({ name }) => name);
    const words =
      known.length === 0
        ? "none are configured"
        : `${well.join(", ")}; \`toolwright mcp list\` shows their tools`;
    const isTold = well.length === 0 && found.length + problems.length > 0;
    return [
      ...(isTold ? [] : [{ check, state: "ok" as const, words }]),
      ...problems.map(({ text }) => ({ check, state: "warn" as const, words: text })),
      ...found.flatMap((finding) => (finding === undefined ? [] : [{ check, ...finding }])),
    ];
  });
}

async function findingOn(
  known: KnownMcpServer,
  { workspace }: Config,
  env: EnvironmentVariables,
): Promise<Omit<ToolServerFinding, "check"> | undefined> {
  const { name, settings: server, problem, isTrusted } = known;
  if (problem !== undefined)
    return { state: "fail", words: `${name} cannot be started: ${problem}`, fix: "fix its entry" };
  if (!isTrusted())
    return {
      state: "warn",
      words: `${name} is of the workspace and waits for a yes`,
      fix: "see toolwright trust",
    };
  if (server.command !== undefined && !(await isProgram(server.command, server.cwd ?? workspace, env)))
    return { state: "fail", words: `${name}: there is no program ${server.command}`, fix: "install it" };
  return startFinding(known);
}

function startFinding({
  name,
  server: { state },
}: KnownMcpServer): Omit<ToolServerFinding, "check"> | undefined {
  switch (state.type) {
    case "ready":
      return undefined;
    case "login":
      return { state: "warn", words: `${name} wants a login`, fix: `run \`toolwright mcp login ${name}\`` };
    case "resting":
    case "starting": {
      const words = `${name} did not start within ${serversWaitMs / 1000} s`;
      return { state: "warn", words, fix: "`toolwright mcp list` waits longer and says what came of it" };
    }
    default: {
      const fix = "fix its entry or what it runs; `toolwright mcp list` tries it again";
      return { state: "fail", words: `${name} does not start: ${state.words}`, fix };
    }
  }
}

/** Whether the command can be run from that directory: a path, or a name on the PATH. */
export const isProgram = async (
  command: string,
  directory: string,
  env: EnvironmentVariables,
): Promise<boolean> => (await whyMissing(command, { directory, env })) === undefined;

const untrustedProblem = (name: string): string =>
  `${name} is brought along by the workspace and nobody has agreed to it: see \`toolwright trust\`.`;

function serverByName(manager: ServerManager, name: string): Expected<KnownMcpServer> {
  const known = manager.servers().find((one) => one.name === name);
  if (known) return { ok: true, value: known };
  const names = manager.servers().map((one) => one.name);
  const there = names.length === 0 ? "None are configured." : `There are: ${names.join(", ")}.`;
  return refuse(`There is no tool server "${name}". ${there}`);
}

async function withManager<T>(
  settings: Config,
  env: EnvironmentVariables,
  work: (manager: ServerManager) => Promise<T>,
): Promise<T> {
  const manager = new Manager({
    ...managerSetup(await setupIn(settings, env)),
    restAfter: () => never, // no back-off: the caller wants the present state
  });
  const user: User = { started: () => () => {} };
  try {
    await manager.use(user);
    return await work(manager);
  } finally {
    await manager.leave(user);
  }
}

const never = 2 ** 31 - 1;

function reportOn(known: KnownMcpServer, manager: ServerManager): ToolServerReport {
  const { name, where, settings, server, drift } = known;
  const { offer } = server;
  const offered = manager.tools().filter(({ of }) => of === name);
  return {
    name,
    where,
    what: whatRuns(settings),
    ...standing(known),
    tools: offered.map(({ tool, called }) => ({
      name: tool.name,
      called,
      reads: tool.does === "read",
      changed: drift.isChanged(called),
    })),
    resources: (offer?.resources.length ?? 0) + (offer?.templates.length ?? 0),
    prompts: promptsOf([known]).map(({ command }) => command),
  };
}

function standing({
  name,
  server,
  problem,
  isTrusted,
}: KnownMcpServer): Pick<ToolServerReport, "state" | "words"> {
  if (problem !== undefined) return { state: "misconfigured", words: problem };
  if (!isTrusted())
    return { state: "untrusted", words: "nobody has agreed to it yet: see `toolwright trust`" };
  const { state, offer } = server;
  if (state.type === "ready") return { state: "ready", words: offer?.title ?? name };
  if (state.type === "login")
    return { state: "login", words: `log in with \`toolwright mcp login ${name}\`` };
  return { state: "failed", words: "words" in state ? state.words : "it did not start" };
}
