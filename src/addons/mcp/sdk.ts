/** The official SDK, loaded when the first server is started. */

import type * as sdkModule from "@modelcontextprotocol/client";

export type Sdk = typeof sdkModule;

let loaded: Promise<Sdk> | undefined;

export const loadSdk = (): Promise<Sdk> => (loaded ??= load());

async function load(): Promise<Sdk> {
  quieten();
  return import("@modelcontextprotocol/client");
}

/**
 * It has no other way than the console to say that a login is over, in the middle of a screen; we tell that ourselves.
 */
function quieten(): void {
  const { warn } = console;
  const unlessItsOwn = (...words: unknown[]): void => {
    const [first] = words;
    if (typeof first !== "string" || !first.startsWith("[mcp-sdk]")) warn.apply(console, words);
  };
  Object.assign(console, { warn: unlessItsOwn });
}
