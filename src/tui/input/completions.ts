/** What completes the text before the cursor: commands with their arguments, and paths of the workspace after an `@`. */

import type { Expected } from "../../base/expected.ts";
import { visibleLine } from "../../base/visible-text.ts";
import type { Choice } from "../choice.ts";
import { asMention, mentionAtEnd, mentionedPath, pathsFrom } from "../typed-paths.ts";
import type { MenuCandidate, Candidates } from "./menu.ts";

type SymbolChoice = { name: string; place: string; kind: string };

type SymbolSearch = { query: string; found: readonly SymbolChoice[]; stop: AbortController };

/** A shorter part of a name fits too many symbols. */
const shortestSymbol = 2;

export type CompletionSources = {
  workspace: string;
  /** All commands, those of files too; the name is without its slash. */
  commands(this: void): Promise<readonly Choice[]>;
  /** What may stand after a command; undefined: nothing is known. */
  choices(this: void, command: string): Promise<readonly Choice[] | undefined>;
  /** All paths of the workspace, relative; directories end with a slash. */
  paths(this: void, signal: AbortSignal): Promise<Expected<readonly string[]>>;
  /** The symbols of the workspace whose name is like this; `place`: "path:line". */
  symbols(this: void, query: string, signal: AbortSignal): Promise<readonly SymbolChoice[]>;
  /** Paths that this session read or changed, newest first, and what happened to them. */
  touched(this: void): readonly Choice[];
};

export class Completions {
  readonly #sources: CompletionSources;
  /** Names of commands, the one used last at the end. */
  readonly #used = new Set<string>();
  /** What was found last for the mention that is typed. */
  #symbols: SymbolSearch | undefined;
  /** While one mention is typed the workspace is listed once. */
  #paths: { listed: Promise<Expected<readonly string[]>>; stop: AbortController } | undefined;

  constructor(sources: CompletionSources) {
    this.#sources = sources;
  }

  /** A command that was sent is offered first from now on. */
  use(command: string): void {
    this.#used.delete(command);
    this.#used.add(command);
  }

  /** Whether there may be candidates; their search is over if not. */
  completes(line: string, isFirst: boolean): boolean {
    const isMention = mentionAtEnd(line) !== undefined;
    if (!isMention) this.close();
    return isMention || (isFirst && line.startsWith("/"));
  }

  /**
   * `line`: the cursor's line up to it; `isFirst`: of the first line, where commands stand. `more`: called once there
   * is more than was returned.
   */
  async candidatesFor(
    line: string,
    isFirst: boolean,
    more: () => void = () => undefined,
  ): Promise<Candidates | undefined> {
    const mention = mentionAtEnd(line);
    if (mention === undefined) this.close();
    if (mention !== undefined) {
      this.#lookUp(mentionedPath(mention), more);
      return this.#mentioned(mention, line.length - mention.length);
    }
    if (!isFirst) return undefined;
    const [, name] = /^\/(\S*)$/u.exec(line) ?? [];
    if (name !== undefined) return this.#commands(name);
    const [, command = "", argument] = /^\/(\S+) +(.*)$/u.exec(line) ?? [];
    if (argument === undefined) return undefined;
    return command.toLowerCase() === "attach"
      ? this.#attachable(argument, line.length - argument.length)
      : this.#arguments(command.toLowerCase(), argument, line.length - argument.length);
  }

  /** The menu was closed: the next one lists the workspace again. */
  close(): void {
    this.#paths?.stop.abort();
    this.#paths = undefined;
    this.#symbols?.stop.abort();
    this.#symbols = undefined;
  }

  /** Nobody waits for symbols: until they come, those found before are offered. */
  #lookUp(query: string, more: () => void): void {
    const before = this.#symbols;
    if (query === before?.query) return;
    before?.stop.abort();
    this.#symbols = undefined;
    if (query.length < shortestSymbol || !/^[\p{L}\p{N}_$.:#]+$/u.test(query)) return;
    const stop = new AbortController();
    const asked: SymbolSearch = { query, found: before?.found ?? [], stop };
    this.#symbols = asked;
    void this.#takeSymbols(asked, more);
  }

  async #takeSymbols(asked: SymbolSearch, more: () => void): Promise<void> {
    const { query, stop } = asked;
    const found = await this.#sources.symbols(query, stop.signal).catch(() => []);
    if (this.#symbols !== asked || found.length === 0) return;
    asked.found = found;
    more();
  }

  async #commands(query: string): Promise<Candidates> {
    const commands = await this.#sources.commands();
    const used = [...this.#used].toReversed();
    const first = used.flatMap((name) => commands.find((command) => command.name === name) ?? []);
    const candidates = [...new Set([...first, ...commands])].map(({ name, says }) =>
      candidate(name, `${name} `, says),
    );
    return { from: 1, query, candidates: withoutHostile(candidates) };
  }

  async #arguments(command: string, query: string, from: number): Promise<Candidates | undefined> {
    const choices = await this.#sources.choices(command);
    if (!choices || choices.some(({ name }) => name === query)) return undefined;
    return {
      from,
      query,
      candidates: withoutHostile(choices.map(({ name, says }) => candidate(name, name, says))),
    };
  }

  async #attachable(typed: string, from: number): Promise<Candidates> {
    const paths = await pathsFrom(this.#sources.workspace, typed);
    return { from, query: typed, candidates: withoutHostile(paths.map((path) => candidate(path, path, ""))) };
  }

  /** A path that leads out of the workspace, or into what git ignores, is completed as it is typed. */
  async #mentioned(mention: string, from: number): Promise<Candidates> {
    const { workspace, touched } = this.#sources;
    const query = mentionedPath(mention);
    const listed = /^[./~]/u.test(query) ? undefined : await this.#listed();
    const paths = listed?.ok ? listed.value : await pathsFrom(workspace, query);
    const present = new Set(paths);
    const recent = new Map(touched().map(({ name, says }) => [name, says]));
    const ranked = [...[...recent.keys()].filter((path) => present.has(path)), ...present];
    const candidates = [...new Set(ranked)].map((path) =>
      candidate(path, asMention(path, mention), recent.get(path) ?? ""),
    );
    const symbols = (this.#symbols?.found ?? []).flatMap(({ name, place, kind }) =>
      visibleLine(place) === place ? candidate(name, `\`${name}\` (${place}) `, `${place}  ${kind}`) : [],
    );
    return { from, query, candidates: withoutHostile([...symbols, ...candidates]) };
  }

  #listed(): Promise<Expected<readonly string[]>> {
    if (!this.#paths) {
      const stop = new AbortController();
      this.#paths = { stop, listed: this.#sources.paths(stop.signal) };
    }
    return this.#paths.listed;
  }
}

const candidate = (name: string, insert: string, says: string): MenuCandidate => ({ name, insert, says });

/** Drops names that could manipulate the terminal. */
const withoutHostile = (candidates: readonly MenuCandidate[]): MenuCandidate[] =>
  candidates.filter(({ name }) => visibleLine(name) === name);
