/** The allowed words of options that are a choice. */

import type { OnConflict } from "../../protocol/commands.ts";

export const waysOnConflict = ["skip", "restore", "merge"] as const satisfies readonly OnConflict[];
/** Whether a session gets its own git branch. */
export const branchings = ["off", "session"] as const;
export type Branching = (typeof branchings)[number];
/** What happens at a limit. */
export const limitBehaviours = ["stop", "ask", "extend"] as const;
/** `auto`: as suits the model. */
export const completions = ["auto", "calls", "marker"] as const;
/** What happens to a question while no person follows the session. */
export const waysWhenAway = ["wait", "deny"] as const;
export type WhenAway = (typeof waysWhenAway)[number];
/** Who runs the turns of a gateway: its own process, or workers. */
export const engines = ["embedded", "dbos"] as const;
export type EngineChoice = (typeof engines)[number];
export const outputs = ["text", "json", "stream-json"] as const;
export const inputs = ["text", "stream-json"] as const;
