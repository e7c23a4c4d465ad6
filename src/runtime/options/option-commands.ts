/** To which commands an option makes a difference that several of them share. */

import { type CommandName, commands } from "./commands.ts";

export const printingJson = commands.flatMap(({ name, json }) => (json ? [name] : []));
/** The demo has a place of its own. */
export const withPlace = commands.flatMap(({ name }) => (name === "demo" ? [] : [name]));
export const ofSessions: readonly CommandName[] = ["serve", "mcp"];
export const ofModels: readonly CommandName[] = ["lm-server", ...ofSessions];
export const ofChanges: readonly CommandName[] = ["undo", "redo", "keep"];
export const ofOneSession: readonly CommandName[] = ["diff", ...ofChanges, "checkpoints", "context"];
