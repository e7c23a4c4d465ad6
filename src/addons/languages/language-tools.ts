/** The interface between the tools and the language servers; importing it loads nothing. */

import type { Produced, ToolRoom } from "../../tools/tool.ts";

/** `line` counts from 1. */
export type SymbolPlace = { symbol: string; path?: string | undefined; line?: number | undefined };

export type LanguageTools = {
  problems(path: string | undefined, room: ToolRoom): Promise<Produced>;
  places(
    asked: { kind: "definition" | "references"; wanted: SymbolPlace },
    room: ToolRoom,
  ): Promise<Produced>;
  rename(wanted: SymbolPlace & { newName: string }, room: ToolRoom): Promise<Produced>;
};
