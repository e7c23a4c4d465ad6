/** What the tools ask of the language servers, without loading anything for it. */

import type { Produced } from "../../tools/tool.ts";

/** `line` from 1. */
export type SymbolPlace = { symbol: string; path?: string | undefined; line?: number | undefined };

export type LanguageTools = {
  problems(path: string | undefined, signal: AbortSignal): Promise<Produced>;
  places(
    asked: { kind: "definition" | "references"; wanted: SymbolPlace },
    signal: AbortSignal,
  ): Promise<Produced>;
  rename(wanted: SymbolPlace & { newName: string }, signal: AbortSignal): Promise<Produced>;
};
