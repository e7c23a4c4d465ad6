/** Something that lives as long as a core does, and begins anew with the next one. */

import * as vscode from "vscode";
import type { Core, FeatureContext } from "./feature-context.ts";

type Closable = { close(): void };

export class WithCore<T extends Closable> implements vscode.Disposable {
  readonly #make: (core: Core) => T;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #listening: vscode.Disposable;
  #value: T | undefined;

  /** Starts no core. */
  constructor(context: FeatureContext, make: (core: Core) => T) {
    this.#make = make;
    this.#listening = context.onCore((core) => this.#begin(core));
    const core = context.coreIfRunning();
    if (core) this.#begin(core);
  }

  get value(): T | undefined {
    return this.#value;
  }

  /** Told when there is another value. */
  get onDidBegin(): vscode.Event<void> {
    return this.#changed.event;
  }

  dispose(): void {
    this.#listening.dispose();
    this.#value?.close();
    this.#changed.dispose();
  }

  #begin(core: Core): void {
    this.#value?.close();
    this.#value = this.#make(core);
    this.#changed.fire();
  }
}
