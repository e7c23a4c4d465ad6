/** Detects when a server's tools differ from what they were when a person first used them. */

import { isObject, type JsonObject } from "../../base/json.ts";
import { definitionHash, pinName } from "./pins.ts";
import { serverFile, type ServerIdentity } from "./server-file.ts";

/** Tools of one tool server whose definition is remembered. */
const mostPinned = 2_000;

export class Drift {
  readonly #server: ServerIdentity;
  readonly #file: ReturnType<typeof serverFile>;
  /** Hashes of tool definitions by `pinName`, oldest first. */
  readonly #pinned = new Map<string, string>();
  #read: Promise<void> | undefined;
  #writing: Promise<unknown> = Promise.resolve();
  readonly #changed = new Map<string, string>();
  #offered: ReadonlySet<string> = new Set();

  constructor(stateDir: string, server: ServerIdentity) {
    this.#server = server;
    this.#file = serverFile(stateDir, "tools", server);
  }

  /** Must be awaited before the first `compare`. */
  ready(): Promise<void> {
    return (this.#read ??= this.#load());
  }

  async #load(): Promise<void> {
    const { tools } = await this.#file.read();
    for (const [name, hash] of Object.entries(isObject(tools) ? tools : {}))
      if (typeof hash === "string") this.#pinned.set(name, hash);
  }

  /**
   * Pins new tools; changed ones stay marked until accepted. When the pins are full, new tools count as changed:
   * otherwise a server could evict its pins by announcing many other tools.
   */
  compare(definitions: readonly JsonObject[]): void {
    const before = this.#pinned.size;
    const seen = new Set<string>();
    for (const definition of definitions) {
      const { name } = definition;
      // For duplicate names, the first is the one that is offered.
      if (typeof name !== "string" || seen.has(name)) continue;
      seen.add(name);
      const hash = definitionHash(definition);
      const known = this.#pinned.get(pinName(name));
      if (known === hash) this.#changed.delete(name);
      else if (known === undefined && this.#pinned.size < mostPinned) this.#pinned.set(pinName(name), hash);
      else this.#changed.set(name, hash);
    }
    for (const name of this.#changed.keys()) if (!seen.has(name)) this.#changed.delete(name);
    this.#offered = new Set([...seen].map(pinName));
    if (this.#pinned.size > before) this.#write();
  }

  get changed(): string[] {
    return [...this.#changed.keys()];
  }

  isChanged(tool: string): boolean {
    return this.#changed.has(tool);
  }

  /** A person accepts the current definitions, of all changed tools by default. Returns the accepted ones. */
  accept(tools: readonly string[] = this.changed): string[] {
    const accepted = tools.filter((tool) => this.#changed.has(tool));
    for (const tool of accepted) {
      this.#makeSpace();
      this.#pinned.set(pinName(tool), this.#changed.get(tool) ?? "");
      this.#changed.delete(tool);
    }
    if (accepted.length > 0) this.#write();
    return accepted;
  }

  /** A person accepts one specific version: a later change is not covered. */
  acceptAs(tool: string, hash: string): boolean {
    return this.#changed.get(tool) === hash && this.accept([tool]).length > 0;
  }

  /** Evicts the oldest pins of tools that are no longer offered. */
  #makeSpace(): void {
    for (const name of this.#pinned.keys()) {
      if (this.#pinned.size < mostPinned) return;
      if (!this.#offered.has(name)) this.#pinned.delete(name);
    }
  }

  /** If this fails, the next session treats the tools as first seen. */
  #write(): void {
    const write = () =>
      this.#file.write({ server: this.#server.name, tools: Object.fromEntries(this.#pinned) });
    this.#writing = this.#writing.then(write).catch(() => undefined);
  }

  /** Resolves when all pins are stored. */
  written(): Promise<unknown> {
    return this.#writing;
  }
}
