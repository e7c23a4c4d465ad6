/** The language servers of a session: one per kind of file and directory, few at a time, ended with the session. */

import { join } from "node:path";
import { inTime } from "../../base/async.ts";
import type { Change } from "../../base/safe-fs/image.ts";
import type { Tree } from "../../base/safe-fs/tree.ts";
import { addedServerBounds } from "../bounds.ts";
import type { AddonContext } from "../part.ts";
import { languageServerBounds } from "./bounds.ts";
import { textAt } from "./files.ts";
import { LanguageServer } from "./language-server.ts";
import { type KnownLanguageServer, launchesOf, rootOf, serverOf } from "./launches.ts";
import { complaintNote, newsWords } from "./problem-words.ts";
import { isError } from "./problems.ts";
import { SeenFiles } from "./seen-files.ts";
import { follow, type News, newsOf } from "./shown-changes.ts";

const { wait, together } = languageServerBounds;
const { start } = addedServerBounds;

/** Milliseconds that a result waits: `usual` for responsive servers, `short` for those that were slow lately. */
export type Waits = { usual: number; short: number };
const usualWaits: Waits = { usual: wait.most, short: 1_000 };

/** `recent`: files that the model has read; `isServed`: whether a server is to check the file. */
type ChangedHow = { recent: readonly string[]; isServed: (path: string) => boolean; signal: AbortSignal };

export class Languages {
  readonly files: Tree;
  readonly #context: AddonContext;
  readonly #servers: readonly KnownLanguageServer[];
  readonly #waits: Waits;
  readonly #open = new Map<string, LanguageServer>();
  /** Least recently used first. */
  readonly #used = new Set<LanguageServer>();
  readonly #ending = new AbortController();
  /** The end of the queue of work on the servers. */
  #tail: Promise<unknown> = Promise.resolve();
  #waiting = 0;
  #overtaken = new AbortController();
  /** Servers whose diagnostics for a change are outstanding. */
  readonly #late = new Set<LanguageServer>();
  #waitsInTheEnd = true;
  readonly #changed = new Set<string>();
  readonly #seen: SeenFiles;
  /** Whether files may have changed on disk since the servers were last updated. */
  #mayDiffer = true;
  readonly #toldFailures = new Set<string>();

  constructor(
    context: AddonContext,
    servers: readonly KnownLanguageServer[],
    { files, waits = usualWaits }: { files: Tree; waits: Waits | undefined },
  ) {
    this.#context = context;
    this.#servers = servers;
    this.#waits = waits;
    this.files = files;
    this.#seen = new SeenFiles(files);
  }

  get workspace(): string {
    return this.#context.workspace;
  }

  known(path: string): KnownLanguageServer | undefined {
    return serverOf(this.#servers, path);
  }

  /** The server for a file, not yet started; undefined if no known server handles it or none is installed. */
  of(path: string): LanguageServer | undefined {
    const server = this.known(path);
    if (!server) return undefined;
    const root = rootOf(server, join(this.workspace, path), this.workspace);
    const key = JSON.stringify([server.name, root]);
    const open = this.#open.get(key) ?? this.#make(server, root);
    if (open && !this.#open.has(key)) this.#open.set(key, open);
    return open;
  }

  /** Every server used so far. */
  all(): LanguageServer[] {
    return [...this.#open.values()];
  }

  #make(server: KnownLanguageServer, root: string): LanguageServer | undefined {
    const launches = () => launchesOf(server, root, this.#context);
    if (launches().length === 0) return undefined;
    const onUse = (): void => this.#makePlace(language);
    const language = new LanguageServer({ server, root, launches, context: this.#context, onUse });
    return language;
  }

  /** Stops the least recently used servers. */
  #makePlace(used: LanguageServer): void {
    this.#used.delete(used);
    const up = [...this.#used].filter(({ isUp }) => isUp);
    for (const language of up.slice(0, Math.max(0, up.length + 1 - together.most))) void language.rest();
    this.#used.add(used);
  }

  /** Starts the servers that a change of these files will need, while its approval is pending. */
  prepare(paths: readonly string[]): void {
    for (const path of paths) void this.of(path)?.ready();
  }

  /** Runs work in sequence, so that each step sees the files as the previous one left them. */
  inTurn<T>(work: () => Promise<T>): Promise<T> {
    this.#waiting += 1;
    const done = this.#tail.then(work).finally(() => (this.#waiting -= 1));
    this.#tail = done.catch(() => undefined);
    return done;
  }

  /** The servers' reaction to changes, as text; what does not arrive in time is reported later. */
  async changed(changes: readonly Change[], { recent, isServed, signal }: ChangedHow): Promise<string[]> {
    const touched = new Set(changes.flatMap(({ path }) => (isServed(path) ? (this.of(path) ?? []) : [])));
    const own = new Set([...touched].slice(0, together.most));
    const concerned = [...new Set([...own, ...this.all().filter(({ running }) => running)])];
    if (concerned.length === 0) return [];
    for (const { path } of changes) this.#changed.add(path);
    this.#seen.toldOf(changes.map(({ path }) => path));
    const done = new Set<LanguageServer>();
    // Aborts the wait for an earlier change, which this one supersedes.
    this.#overtaken.abort();
    const overtaken = (this.#overtaken = new AbortController());
    const work = this.inTurn(async () => {
      const late = AbortSignal.timeout(start.most);
      const limit = AbortSignal.any([this.#ending.signal, overtaken.signal, late]);
      if (this.#mayDiffer) await this.tellOfOthers(limit);
      const follows = concerned.map(async (language) => {
        const owns = (path: string): boolean => this.of(path) === language;
        const context = { files: this.files, owns, signal: limit };
        if (await follow(language, { changes, recent }, context)) {
          done.add(language);
          language.answered();
        } else if (limit.aborted) await language.unanswered();
      });
      await Promise.allSettled(follows);
    });
    const { usual, short } = this.#waits;
    const ms = concerned.every((language) => this.#isSlow(language)) ? short : usual;
    await inTime(work, { ms, signal }).catch(() => undefined);
    const words = concerned.map((language) => this.#wordsOf(language, { done, isOwn: own.has(language) }));
    const left = touched.size - own.size;
    const unchecked = left === 0 ? [] : [tooMany(left)];
    return [...(await Promise.all(words)).flatMap((said) => said ?? []), ...unchecked];
  }

  /** Before this turn a person may have edited files, or undone changes. */
  beginTurn(): void {
    this.#mayDiffer = true;
  }

  /**
   * Reports changes from outside to the running servers: undo, other programs, people. Returns whether there were any.
   */
  async tellOfOthers(signal: AbortSignal): Promise<boolean> {
    const changes = await this.#seen.changes(signal);
    this.#mayDiffer = signal.aborted;
    for (const { running } of this.all()) running?.documents.changedOnDisk(changes);
    return changes.length > 0;
  }

  /** Includes a late server that is still starting or indexing, which may take minutes. */
  #isSlow(language: LanguageServer): boolean {
    return language.isSlow || (this.#late.has(language) && (language.running?.work.isUnderWay() ?? true));
  }

  async #wordsOf(
    language: LanguageServer,
    { done, isOwn }: { done: ReadonlySet<LanguageServer>; isOwn: boolean },
  ): Promise<string | undefined> {
    const { name } = language;
    if (done.has(language)) {
      this.#late.delete(language);
      const news = await this.#newsOf(language);
      if (!isOwn && !hasErrors(news)) return undefined;
      return [await this.#said(language, news), ...this.complaintOf(language)].join("\n");
    }
    if (!isOwn) return undefined;
    const failure = language.failure;
    if (failure === undefined) {
      this.#late.add(language);
      return `[${name}: still checking; new problems come with a later result.]`;
    }
    if (this.#toldFailures.has(failure)) return undefined;
    this.#toldFailures.add(failure);
    return `[${failure} Changes are not checked.]`;
  }

  async #newsOf(language: LanguageServer): Promise<News[]> {
    const holds = (path: string): Promise<boolean> => this.#holds(language, path);
    const news = await newsOf(language, { changed: this.#changed, holds });
    const { withheld, isCheckedElsewhere } = this.#context;
    return news.filter(
      ({ path }) => withheld(join(this.workspace, path)) === undefined && !isCheckedElsewhere(path),
    );
  }

  /** Whether diagnostics still apply: the file must exist, and an open one must be unchanged since. */
  async #holds({ running }: LanguageServer, path: string): Promise<boolean> {
    const shown = running?.documents.get(path);
    if (shown) return (await textAt(this.files, path)) === shown.text;
    const status = await this.files.look(path);
    return status.ok && status.value?.kind === "file";
  }

  /** What the server says it lacks, for the model, once. */
  complaintOf({ name, running }: LanguageServer): string[] {
    const complaint = running?.complaint();
    if (complaint === undefined || this.#toldFailures.has(complaint)) return [];
    this.#toldFailures.add(complaint);
    return [complaintNote(name, complaint)];
  }

  #said(language: LanguageServer, news: readonly News[]): Promise<string> {
    return newsWords(language.name, news, {
      files: this.files,
      unit: language.running?.can.unit ?? "utf-16",
    });
  }

  /** Diagnostics that missed the result of their change, once, and only if they contain errors. */
  async late(): Promise<{ name: string; words: string }[]> {
    if (this.#waiting > 0) return [];
    const told: { name: string; words: string }[] = [];
    for (const language of this.all()) {
      const news = await this.#newsOf(language);
      if (!hasErrors(news)) continue;
      told.push({ name: language.name, words: await this.#said(language, news) });
    }
    this.#late.clear();
    return told;
  }

  /** As `late`, before the turn ends: waits for outstanding diagnostics first. */
  async lateInTheEnd(signal: AbortSignal): Promise<{ name: string; words: string }[]> {
    if (this.#late.size > 0 && this.#waitsInTheEnd) {
      await inTime(this.#tail, { ms: this.#waits.usual, signal });
      // A server that stayed silent through this wait is not waited for again.
      this.#waitsInTheEnd = this.#waiting === 0;
    }
    return this.late();
  }

  async close(): Promise<void> {
    this.#ending.abort(new Error("The session is over."));
    await Promise.allSettled(this.all().map((language) => language.close()));
    this.files.close();
  }
}

const hasErrors = (news: readonly News[]): boolean => news.some(({ problems }) => problems.some(isError));

const tooMany = (left: number): string =>
  `[Files of more than ${together.most} projects were changed at once: those of ${left} more were not checked.]`;
