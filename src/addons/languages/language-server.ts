/** A language server for one directory: started on first use, restarted after crashes, and only so often. */

import { type Expected, errorMessage, refuse } from "../../base/expected.ts";
import { type LongWork, LongWorks } from "../../base/long-work.ts";
import type { ContainedCommand } from "../../tools/terminal/contained-command.ts";
import { addedServerBounds } from "../bounds.ts";
import type { AddonContext } from "../part.ts";
import { languageServerBounds } from "./bounds.ts";
import { type KnownLanguageServer, type Launch, mergeSettings } from "./launches.ts";
import { installedIn, librarySettings } from "./libraries.ts";
import type { Problem } from "./problems.ts";
import { programPlaces } from "./program-places.ts";
import { type RunningServer, startServer } from "./running-server.ts";
import { startProcess } from "./server-process.ts";

type LanguageServerSetup = {
  server: KnownLanguageServer;
  /** Absolute. */
  root: string;
  /** Best first. */
  launches: () => readonly Launch[];
  context: Pick<AddonContext, "workspace" | "environment" | "trust" | "contain" | "started" | "warn">;
  /** Called on each use, before a start. */
  onUse?: () => void;
  /** Milliseconds since 1970; replaced in tests. */
  now?: () => number;
};

/** Consecutive unanswered changes before the server counts as slow. */
const patience = 2;

/** The pause after the first failure; each further one lasts longer. */
const firstPauseMs = 1000;

export class LanguageServer {
  readonly #setup: LanguageServerSetup;
  #running: RunningServer | undefined;
  #starting: Promise<Expected<RunningServer>> | undefined;
  readonly #works = new LongWorks();
  #installed = "";
  #failures = 0;
  #notBefore = 0;
  #because = "";
  #failure: string | undefined;
  readonly #ending = new AbortController();
  /** Consecutive changes that the server did not react to in time. */
  #unanswered = 0;
  #silentSince = 0;
  /** The diagnostics of each file that the model knows: the baseline before its changes, plus all that was reported. */
  readonly told = new Map<string, readonly Problem[]>();
  /** Whether a file without recorded diagnostics was clean before the first change. */
  knowsBefore = false;

  constructor(setup: LanguageServerSetup) {
    this.#setup = setup;
  }

  get name(): string {
    return this.#setup.server.name;
  }

  get root(): string {
    return this.#setup.root;
  }

  get known(): KnownLanguageServer {
    return this.#setup.server;
  }

  /** The running server; never starts one. */
  get running(): RunningServer | undefined {
    return this.#running;
  }

  /** Includes a server that is still starting. */
  get isUp(): boolean {
    return this.#running !== undefined || this.#starting !== undefined;
  }

  /** What it does that may take a while: that it starts, or what it says itself. */
  works(): LongWork[] {
    const said = this.#running?.work.present();
    const name = `language server ${this.name}`;
    return said ? [{ what: `${name}: ${said.title}`, since: Date.now() - said.ms }] : this.#works.all();
  }

  /** Why the last start failed, in one sentence. */
  get failure(): string | undefined {
    return this.#failure;
  }

  /** Whether recent waits were in vain, so that the next one should be shorter. */
  get isSlow(): boolean {
    return this.#unanswered >= patience;
  }

  answered(): void {
    this.#unanswered = 0;
  }

  /**
   * Records a missed reaction to a change. A server that answers requests but has been silent for too long hangs, and
   * is restarted.
   */
  async unanswered(): Promise<void> {
    const running = this.#running;
    if (!running || running.work.isUnderWay()) return;
    const now = (this.#setup.now ?? Date.now)();
    if (this.#unanswered === 0) this.#silentSince = now;
    this.#unanswered += 1;
    const isHung = now - this.#silentSince > addedServerBounds.start.most;
    if (!isHung || !running.can.answersProblems) return;
    this.#ended("it does not answer");
    await running.conversation.close();
  }

  /** Starts the server if needed, or restarts it after libraries were installed. The problem is one sentence. */
  ready(): Promise<Expected<RunningServer>> {
    const { root, context, onUse } = this.#setup;
    onUse?.();
    const installed = installedIn(root, context.workspace);
    const running = this.#running;
    if (running && installed === this.#installed) return Promise.resolve({ ok: true, value: running });
    this.#installed = installed;
    this.#running = undefined;
    void running?.conversation.close();
    const start = () => this.#works.during(`language server ${this.name} starts`, () => this.#startOnce());
    return (this.#starting ??= start().finally(() => (this.#starting = undefined)));
  }

  /** Stops the server to make room for others. The next use restarts it, and `told` survives. */
  async rest(): Promise<void> {
    await this.#starting?.catch(() => undefined);
    const running = this.#running;
    this.#running = undefined;
    await running?.conversation.close();
  }

  async close(): Promise<void> {
    this.#ending.abort(new Error("The session is over."));
    await this.#starting?.catch(() => undefined);
    await this.#running?.conversation.close();
  }

  async #startOnce(): Promise<Expected<RunningServer>> {
    const started = await this.#start();
    this.#failure = started.ok ? undefined : started.problem;
    return started;
  }

  async #start(): Promise<Expected<RunningServer>> {
    const { now = Date.now } = this.#setup;
    if (this.#isClosed()) return refuse(`The language server ${this.name} was ended with the session.`);
    if (this.#failures >= languageServerBounds.restarts.most) return refuse(this.#givenUp());
    if (now() < this.#notBefore) return refuse(`${this.#failed()} It is tried again in a moment.`);
    try {
      const started = await this.#launch();
      if (!started.ok) return started;
      this.#running = started.value;
      void this.#watch(started.value);
      if (this.#isClosed()) await started.value.conversation.close();
      return started;
    } catch (error) {
      this.#ended(errorMessage(error));
      return refuse(this.#failure ?? this.#failed());
    }
  }

  async #launch(): Promise<Expected<RunningServer>> {
    const { server, root, context, launches } = this.#setup;
    const launch = launches().find(({ needs }) => needs === undefined || context.trust.allows(needs));
    if (!launch) return refuse(`There is no language server for ${server.name} that may run here.`);
    const command = await this.#contained(launch);
    if (!command.ok) return command;
    const { contained, isFree } = command.value;
    const running = await startServer({
      process: await startProcess(contained, {
        directory: root,
        what: launch.command.join(" "),
        started: context.started,
      }),
      workspace: context.workspace,
      root,
      languages: server.files,
      options: isFree ? launch.options : mergeSettings(launch.options, server.contained ?? {}),
      settings: mergeSettings(librarySettings(server, root), server.settings ?? {}),
      namesVersions: server.namesVersions === true,
      asks: server.asks,
      seesUs: isFree,
      signal: this.#ending.signal,
    });
    return { ok: true, value: running };
  }

  /**
   * Uses the sandbox. Without one, a server runs only if the user configured it or consented to exactly this launch.
   */
  async #contained({
    command,
    needs,
  }: Launch): Promise<Expected<{ contained: ContainedCommand; isFree: boolean }>> {
    const { server, root, context } = this.#setup;
    const env = { ...context.environment, ...server.env };
    const programs = programPlaces(command, env["PATH"]);
    const contained = await context.contain("read", { command, directory: root, env, programs });
    if (contained.ok) return { ok: true, value: { contained: contained.value, isFree: false } };
    if (!server.named && needs === undefined)
      return refuse(
        `The language server ${server.name} was not started, because it would run without a sandbox here. Who wants it all the same names it in the configuration: "languageServers": { "${server.name}": {} }.`,
      );
    return { ok: true, value: { contained: { command, env, finished: emptyOutcome }, isFree: true } };
  }

  #isClosed(): boolean {
    return this.#ending.signal.aborted;
  }

  async #watch(running: RunningServer): Promise<void> {
    const because = await running.conversation.ended;
    if (this.#running === running) this.#ended(because);
  }

  #ended(because: string): void {
    const { now = Date.now, context } = this.#setup;
    this.#running = undefined;
    if (this.#isClosed()) return;
    this.#because = because;
    this.#notBefore = now() + firstPauseMs * 4 ** this.#failures;
    this.#failures += 1;
    const isOver = this.#failures >= languageServerBounds.restarts.most;
    this.#failure = isOver ? this.#givenUp() : this.#failed();
    if (isOver) context.warn("language-server", this.#failure);
  }

  #failed(): string {
    return `The language server ${this.name} does not run: ${this.#because}.`;
  }

  #givenUp(): string {
    return `The language server ${this.name} has failed ${this.#failures} times and is not started again in this session: ${this.#because}. Check it with \`toolwright doctor\`.`;
  }
}

const emptyOutcome: ContainedCommand["finished"] = () => Promise.resolve({ warnings: [], changes: [] });
