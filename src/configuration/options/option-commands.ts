/** Lists of commands shared by the options that concern them. */

import { type CommandName, commands } from "./commands.ts";

export const printingJson = commands.flatMap(({ name, json }) => (json ? [name] : []));
/** All commands but those that work in no workspace of the user. */
export const withPlace = commands.flatMap(({ name }) =>
  name === "demo" || name === "completion" ? [] : [name],
);
export const ofSessions: readonly CommandName[] = ["resume", "init", "serve", "worker", "mcp"];
export const ofModels: readonly CommandName[] = ["lm-server", ...ofSessions];
export const ofChanges: readonly CommandName[] = ["undo", "redo", "keep"];
export const ofOneSession: readonly CommandName[] = ["diff", ...ofChanges, "checkpoints", "context"];
