/** A command made ready to run in the sandbox. */

/** What `runProcess` needs to run the command contained; `finished` must be awaited once it has ended, however it did. */
export type Contained = {
  command: readonly string[];
  env: Record<string, string>;
  feeds: readonly Uint8Array[];
  onStart(pid: number): void;
  /** Frees everything. Warnings for the result: what was moved away, which limit was met. */
  finished(): Promise<string[]>;
};
