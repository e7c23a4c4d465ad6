/** A language server for a directory: started when it is first needed, again after a crash, and not for ever. */

import { bounds } from "../../base/bounds.ts";
import { type Expected, errorMessage } from "../../base/expected.ts";
import type { ContainedCommand } from "../../tools/contained.ts";
import type { AddonRoom } from "../part.ts";
import { type KnownServer, type Launch, merged } from "./launches.ts";
import { installedIn, librarySettings } from "./libraries.ts";
import type { Problem } from "./problems.ts";
import { programPlaces } from "./program-places.ts";
import { type RunningServer, startServer } from "./running-server.ts";
import { startProcess } from "./server-process.ts";

type LanguageServerSetup = {
  server: KnownServer;
  /** Absolute. */
  root: string;
  /** Best first. */
  launches: () => readonly Launch[];
  room: Pick<AddonRoom, "workspace" | "environment" | "trust" | "contain" | "started" | "warn">;
  /** Told of each use, before it is started for that. */
  onUse?: () => void;
  /** Milliseconds since 1970; replaced in tests. */
  now?: () => number;
};

/** Changes. */
const patience = 2;

/** The pause after the first failure; each further one is longer. */
const firstPauseMs = 1000;

export class LanguageServer {
  readonly #setup: LanguageServerSetup;
  #running: RunningServer | undefined;
  #starting: Promise<Expected<RunningServer>> | undefined;
  #installed = "";
  #failures = 0;
  #notBefore = 0;
  #because = "";
  #failure: string | undefined;
  readonly #ending = new AbortController();
  /** Changes of which it said nothing in time, one after the other. */
  #unanswered = 0;
  #silentSince = 0;
  /** What the model knows of each file's problems: those from before its changes, and what it was told since. */
  readonly told = new Map<string, readonly Problem[]>();
  /** Whether files that it has said nothing of had no problems before the first change. */
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

  get known(): KnownServer {
    return this.#setup.server;
  }

  /** As it is now, without starting it. */
  get running(): RunningServer | undefined {
    return this.#running;
  }

  /** Also one that only starts. */
  get isUp(): boolean {
    return this.#running !== undefined || this.#starting !== undefined;
  }

  /** Why it does not run, as of its last start, in one sentence. */
  get failure(): string | undefined {
    return this.#failure;
  }

  /** Whether it was waited for in vain: then it is not waited for as long again. */
  get isSlow(): boolean {
    return this.#unanswered >= patience;
  }

  answered(): void {
    this.#unanswered = 0;
  }

  /** It said nothing of a change in time. One that should have answered, for a long time, hangs: it is started anew. */
  async unanswered(): Promise<void> {
    const running = this.#running;
    if (!running || running.isBusy()) return;
    const now = (this.#setup.now ?? Date.now)();
    if (this.#unanswered === 0) this.#silentSince = now;
    this.#unanswered += 1;
    const isHung = now - this.#silentSince > bounds.languages.start.most;
    if (!isHung || !running.can.answersProblems) return;
    this.#ended("it does not answer");
    await running.conversation.close();
  }

  /** Once it runs, with the libraries that are installed now. The problem is one sentence. */
  ready(): Promise<Expected<RunningServer>> {
    const { root, room, onUse } = this.#setup;
    onUse?.();
    const installed = installedIn(root, room.workspace);
    const running = this.#running;
    if (running && installed === this.#installed) return Promise.resolve({ ok: true, value: running });
    this.#installed = installed;
    this.#running = undefined;
    void running?.conversation.close();
    return (this.#starting ??= this.#startOnce().finally(() => (this.#starting = undefined)));
  }

  /** Makes place for others: the next use starts it again, and what the model knows stays known. */
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
    if (this.#failures >= bounds.languages.restarts.most) return refuse(this.#givenUp());
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
    const { server, root, room, launches } = this.#setup;
    const launch = launches().find(({ needs }) => needs === undefined || room.trust.allows(needs));
    if (!launch) return refuse(`There is no language server for ${server.name} that may run here.`);
    const command = await this.#contained(launch);
    if (!command.ok) return command;
    const { contained, isFree } = command.value;
    const running = await startServer({
      process: startProcess(contained, {
        directory: root,
        what: launch.command.join(" "),
        started: room.started,
      }),
      workspace: room.workspace,
      root,
      languages: server.files,
      options: isFree ? launch.options : merged(launch.options, server.contained ?? {}),
      settings: merged(librarySettings(server, root), server.settings ?? {}),
      namesVersions: server.namesVersions === true,
      asks: server.asks,
      seesUs: isFree,
      signal: this.#ending.signal,
    });
    return { ok: true, value: running };
  }

  /** In the sandbox; without one only where the user has named it, or a person has agreed to just this one. */
  async #contained({
    command,
    needs,
  }: Launch): Promise<Expected<{ contained: ContainedCommand; isFree: boolean }>> {
    const { server, root, room } = this.#setup;
    const env = { ...room.environment, ...server.env };
    const programs = programPlaces(command, env["PATH"]);
    const contained = await room.contain("read", { command, directory: root, env, programs });
    if (contained.ok) return { ok: true, value: { contained: contained.value, isFree: false } };
    if (!server.named && needs === undefined)
      return refuse(
        `The language server ${server.name} was not started, because it would run without a sandbox here. Who wants it all the same names it in the configuration: "languageServers": { "${server.name}": {} }.`,
      );
    return { ok: true, value: { contained: { command, env, finished }, isFree: true } };
  }

  #isClosed(): boolean {
    return this.#ending.signal.aborted;
  }

  async #watch(running: RunningServer): Promise<void> {
    const because = await running.conversation.ended;
    if (this.#running === running) this.#ended(because);
  }

  #ended(because: string): void {
    const { now = Date.now, room } = this.#setup;
    this.#running = undefined;
    if (this.#isClosed()) return;
    this.#because = because;
    this.#notBefore = now() + firstPauseMs * 4 ** this.#failures;
    this.#failures += 1;
    const isOver = this.#failures >= bounds.languages.restarts.most;
    this.#failure = isOver ? this.#givenUp() : this.#failed();
    if (isOver) room.warn("language-server", this.#failure);
  }

  #failed(): string {
    return `The language server ${this.name} does not run: ${this.#because}.`;
  }

  #givenUp(): string {
    return `The language server ${this.name} has failed ${this.#failures} times and is not started again in this session: ${this.#because}. Check it with \`toolwright doctor\`.`;
  }
}

const finished: ContainedCommand["finished"] = () => Promise.resolve({ warnings: [], changes: [] });

const refuse = (problem: string): Expected<never> => ({ ok: false, problem });
