/** The interface between the tools and the language servers; importing it loads nothing. */

import type { Produced } from "../../tools/tool.ts";

/** `line` counts from 1. */
export type SymbolPlace = { symbol: string; path?: string | undefined; line?: number | undefined };

export type LanguageTools = {
  problems(path: string | undefined, signal: AbortSignal): Promise<Produced>;
  places(
    asked: { kind: "definition" | "references"; wanted: SymbolPlace },
    signal: AbortSignal,
  ): Promise<Produced>;
  rename(wanted: SymbolPlace & { newName: string }, signal: AbortSignal): Promise<Produced>;
};
