/** The interface between the tools and the language servers; importing it loads nothing. */

import type { ToolResult, ToolContext } from "../../tools/tool.ts";

/** `line` counts from 1. */
export type SymbolPlace = { symbol: string; path?: string | undefined; line?: number | undefined };

export type LanguageTools = {
  problems(path: string | undefined, context: ToolContext): Promise<ToolResult>;
  places(
    asked: { kind: "definition" | "references"; wanted: SymbolPlace },
    context: ToolContext,
  ): Promise<ToolResult>;
  rename(wanted: SymbolPlace & { newName: string }, context: ToolContext): Promise<ToolResult>;
};
