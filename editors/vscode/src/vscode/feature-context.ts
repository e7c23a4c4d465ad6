/** What every feature of the extension is given. */

import type * as vscode from "vscode";
import type { Client, LiveConnection } from "../../../../src/client.ts";

/** A running core: its gateway's client, and one live connection that all features share. */
export type Core = { client: Client; live: LiveConnection; dispose(): void };

export type FeatureContext = {
  extension: vscode.ExtensionContext;
  /** Starts the core if none runs; rejects with a sentence for people. */
  core(): Promise<Core>;
  coreIfRunning(): Core | undefined;
  /** Told of each core that was started or attached to; not of one that runs already. */
  onCore(listener: (core: Core) => void): vscode.Disposable;
  log: vscode.LogOutputChannel;
};
