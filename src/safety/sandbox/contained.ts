/** A command made ready to run in the sandbox. */

import type { Change } from "../../base/safe-fs/image.ts";

/**
 * What `runProcess` needs to run the command contained; `finished` must be awaited once it has ended, however it did.
 */
export type Contained = {
  command: readonly string[];
  env: Record<string, string>;
  /** None for a command on a terminal: it has what it needs in files of its own. */
  feeds: readonly Uint8Array[];
  onStart(pid: number): void;
  /** Frees everything but the layer. However often it is asked, the same answer; never throws. */
  finished(): Promise<Ended>;
};

/** What a command came to. Without a layer there are no changes: it made them itself. */
export type Ended = {
  /** For the result: what was moved away, which limit was met, what somebody else changed meanwhile. */
  warnings: string[];
  /** What it changed in the workspace and is still to be changed there, in an order that works out one by one. */
  changes: Change[];
  /** What it changed besides, which is in the workspace already and cannot be undone: "node_modules: 30,123 files". */
  uncovered: string[];
  /** Of a layer that is wanted whole: why it is not. Then there are no changes. */
  tooLarge?: string;
  /** To be called once the changes were made, staged or given up: their contents can be read until then. */
  settled(): Promise<void>;
};

export const endedWith = (warnings: string[]): Ended => ({
  warnings,
  changes: [],
  uncovered: [],
  settled: () => Promise.resolve(),
});
