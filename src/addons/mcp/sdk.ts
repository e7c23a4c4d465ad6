/** Loads the official SDK when the first server is started. */

import type * as sdkModule from "@modelcontextprotocol/client";

export type Sdk = typeof sdkModule;

let loaded: Promise<Sdk> | undefined;

export function loadSdk(): Promise<Sdk> {
  quieten();
  return (loaded ??= import("@modelcontextprotocol/client"));
}

let quiet: Console["warn"] | undefined;

/** The SDK warns about expired logins on the console, in the middle of the screen. We report those ourselves. */
function quieten(): void {
  const { warn } = console;
  if (warn === quiet) return;
  quiet = (...words: unknown[]): void => {
    const [first] = words;
    if (typeof first !== "string" || !first.startsWith("[mcp-sdk]")) warn.apply(console, words);
  };
  Object.assign(console, { warn: quiet });
}
