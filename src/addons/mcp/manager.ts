/** Manages the MCP servers of one runtime: started on first use, shared by its sessions, stopped with the last. */

import { randomHex } from "../../base/crypto.ts";
import type { EnvironmentVariables } from "../../base/environment-variables.ts";
import { guardProcesses } from "../../base/process-guard.ts";
import { runVariable } from "../../base/process.ts";
import { ownBytecode } from "../bytecode.ts";
import type { Trust } from "../trust.ts";
import { type ConfiguredServer, configuredServers, type ConfiguredPlace } from "./configured-servers.ts";
import { connect, type Start } from "./connection.ts";
import { Drift } from "./drift.ts";
import { withEnvFile } from "./env-file.ts";
import { expandSettings } from "./expand.ts";
import type { KnownMcpServer, Notice } from "./known-server.ts";
import { loginStore } from "./login-store.ts";
import { type Names, openNames } from "./names.ts";
import { hiding, identityOf, noticesOf, shapeProblem, whatRuns } from "./server-words.ts";
import { McpServer, type ServerConnector } from "./server.ts";
import type { McpServerSettings } from "./settings.ts";
import { type ServerTool, offeredTools } from "./tools.ts";

export type ManagerSetup = ConfiguredPlace & {
  home: string;
  stateDir: string;
  /** The environment for programs, without API keys. */
  environment: Readonly<Record<string, string>>;
  /** The values for `${NAME}`. */
  variables: EnvironmentVariables;
  version: string;
  trust: Trust;
  restAfter?: ServerConnector["restAfter"];
};

/**
 * A user of the servers, usually a session. `started` records a program, in case a crash leaves it behind; call the
 * returned function when it has ended.
 */
export type User = { started(program: { pid: number; marker: string; what: string }): () => void };

export class ServerManager {
  readonly #setup: ManagerSetup;
  #names: Names = openNames();
  readonly #mark = randomHex(16);
  readonly #users = new Set<User>();
  #runs = 0;
  #known: readonly KnownMcpServer[] = [];
  #problems: readonly string[] = [];
  #loading: Promise<void> | undefined;
  #closing: Promise<void> = Promise.resolve();
  #releaseGuard: (() => void) | undefined;
  #tools: readonly ServerTool[] | undefined;

  constructor(setup: ManagerSetup) {
    this.#setup = setup;
  }

  /** Registers a user; the servers run as long as there is one. */
  async use(user: User): Promise<void> {
    this.#users.add(user);
    await this.#closing;
    await (this.#loading ??= this.#load());
  }

  /** Starts those that are allowed to run and are not running. */
  start(): void {
    if (this.#users.size === 0) return;
    for (const { problem, server, isTrusted } of this.#known)
      if (problem === undefined && server.state.type === "resting" && isTrusted()) server.start();
  }

  /** Resolves when no start is in progress. */
  async settled(): Promise<void> {
    await Promise.all(this.#known.map(({ server }) => server.settled()));
  }

  /** The last user to leave stops the servers: none of their processes runs when this resolves. */
  async leave(user: User): Promise<void> {
    this.#users.delete(user);
    if (this.#users.size === 0) this.#closing = this.#closing.then(() => this.#close());
    await this.#closing;
  }

  async #close(): Promise<void> {
    await this.#loading?.catch(() => undefined);
    if (this.#users.size > 0) return;
    await Promise.allSettled(this.#known.map(({ server }) => server.close()));
    await Promise.allSettled(this.#known.map(({ drift }) => drift.written()));
    this.#releaseGuard?.();
    this.#releaseGuard = undefined;
    this.#loading = undefined; // the files may have changed by the next use
    this.#known = [];
    this.#tools = undefined;
  }

  servers(): readonly KnownMcpServer[] {
    return this.#known;
  }

  /** The current tools in the order of the configuration; the identical array while nothing changes. */
  tools(): readonly ServerTool[] {
    return (this.#tools ??= this.#known.flatMap((known) => this.#toolsOf(known)));
  }

  #toolsOf({ server, settings, drift }: KnownMcpServer): ServerTool[] {
    return offeredTools(server.offer?.tools ?? [], {
      server,
      settings,
      names: this.#names,
      isChanged: (tool) => drift.isChanged(tool),
      accepted: (tool, hash) => {
        if (drift.acceptAs(tool, hash)) this.#tools = undefined;
      },
    });
  }

  /** Errors in the files that define servers. */
  problems(): Notice[] {
    return this.#problems.map((text) => ({ code: "mcp-configuration", text }));
  }

  /** Notices for people. */
  notices(): Notice[] {
    return [...this.problems(), ...this.#known.flatMap((known) => noticesOf(known))];
  }

  async #load(): Promise<void> {
    const { servers, problems } = await configuredServers(this.#setup);
    this.#problems = problems;
    this.#names = openNames(servers.map(({ name }) => name));
    this.#known = servers.map((configured) => this.#knownOf(configured));
  }

  #knownOf(configured: ConfiguredServer): KnownMcpServer {
    const { name, where, brought, broughtNow } = configured;
    const { workspace, home, variables, trust, restAfter, stateDir, areLent } = this.#setup;
    const read = areLent
      ? { ok: true as const, value: configured.settings }
      : expandSettings(configured.settings, { environment: variables, workspace, home });
    const settings = read.ok ? read.value : configured.settings;
    const problem = read.ok ? shapeProblem(settings) : read.problem;
    const drift = new Drift(stateDir, { name, identity: identityOf(configured.settings) });
    const isTrusted = (): boolean => {
      if (broughtNow === undefined) return true;
      const now = broughtNow();
      return now !== undefined && trust.allows(now);
    };
    let started = settings;
    const server = new McpServer(name, {
      connect: async (events, signal) => {
        await drift.ready();
        const whyNot = brought && (await trust.whyNotNow?.(brought));
        if (whyNot !== undefined) throw new Error(whyNot);
        if (!isTrusted()) throw new Error("what it runs has changed since it was trusted");
        const whole = withEnvFile(settings, workspace);
        if (!whole.ok) throw new Error(whole.problem);
        started = whole.value;
        const connection = await connect(this.#startOf(name, started), events, signal);
        if (isTrusted()) return connection;
        // What cannot be held, such as a name that would be found first, was there for a moment.
        if (brought) await trust.withdraw?.(brought);
        await connection.close();
        throw new Error("what it runs changed while it was started");
      },
      changed: () => this.#changed({ server, drift }),
      hide: (words) => hiding(started)(words),
      ...(restAfter ? { restAfter } : {}),
    });
    return { name, where, settings, problem, server, drift, isTrusted };
  }

  #startOf(name: string, settings: McpServerSettings): Start {
    const { workspace, stateDir, environment, version } = this.#setup;
    this.#runs += 1;
    if (settings.command !== undefined) this.#releaseGuard ??= guardProcesses(`${runVariable}=${this.#mark}`);
    const env = { ...settings.env, ...ownBytecode(stateDir) };
    return {
      name,
      settings: settings.command === undefined ? settings : { ...settings, env },
      workspace,
      environment,
      version,
      logins: loginStore(stateDir, { name, url: settings.url ?? "" }),
      run: `${this.#mark}.${this.#runs}`,
      started: (pid, marker) => {
        const [user] = this.#users; // any one of them
        return user?.started({ pid, marker, what: whatRuns(settings) });
      },
    };
  }

  #changed({ server, drift }: Pick<KnownMcpServer, "server" | "drift">): void {
    this.#tools = undefined;
    const { state, offer } = server;
    if (state.type === "ready" && offer) drift.compare(offer.tools);
  }
}
