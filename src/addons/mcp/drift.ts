/** Whether the tools of a server are still what they were when a person first used them. */

import { bounds } from "../../base/bounds.ts";
import type { JsonObject } from "../../base/json.ts";
import { definitionHash, pinName, type Pins } from "./pins.ts";

const mostPinned = bounds.servers.pinned.most;

export class Drift {
  readonly #pins: Pins;
  #pinned = new Map<string, string>();
  #read: Promise<void> | undefined;
  #writing: Promise<void> = Promise.resolve();
  readonly #changed = new Map<string, string>();
  #offered: ReadonlySet<string> = new Set();

  constructor(pins: Pins) {
    this.#pins = pins;
  }

  /** To be awaited before anything is compared. */
  ready(): Promise<void> {
    return (this.#read ??= this.#pins.read().then((pinned) => void (this.#pinned = new Map(pinned))));
  }

  /**
   * New ones are remembered; those that have changed stay marked until somebody accepts them. Where no more can be
   * remembered, a new one counts as changed: a server could otherwise have its tools forgotten by naming many others.
   */
  compare(definitions: readonly JsonObject[]): void {
    const before = this.#pinned.size;
    const seen = new Set<string>();
    for (const definition of definitions) {
      const { name } = definition;
      // The first of a name is the one that is offered.
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

  /** A person has seen them as they are now. All of them by default; what was accepted is told. */
  accept(tools: readonly string[] = this.changed): string[] {
    const accepted = tools.filter((tool) => this.#changed.has(tool));
    for (const tool of accepted) {
      this.#makeRoom();
      this.#pinned.set(pinName(tool), this.#changed.get(tool) ?? "");
      this.#changed.delete(tool);
    }
    if (accepted.length > 0) this.#write();
    return accepted;
  }

  /** A person has seen it as it was then: what it has become since is not accepted with that. */
  acceptAs(tool: string, hash: string): boolean {
    return this.#changed.get(tool) === hash && this.accept([tool]).length > 0;
  }

  /** Of what is not offered any more, the oldest is forgotten. */
  #makeRoom(): void {
    for (const name of this.#pinned.keys()) {
      if (this.#pinned.size < mostPinned) return;
      if (!this.#offered.has(name)) this.#pinned.delete(name);
    }
  }

  #write(): void {
    this.#writing = this.#writing.then(() => this.#pins.write(this.#pinned)).catch(() => undefined);
  }

  /** Resolves when all of it is kept. */
  written(): Promise<void> {
    return this.#writing;
  }
}
