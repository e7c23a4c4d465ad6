/** Tells a person which terminals run in the background, since nothing else on the screen shows them. */

import { visibleLine } from "../../base/visible-text.ts";
import type { LiveSession } from "../../runtime/live-session.ts";

/** Like "dev (npm run dev)"; empty if nothing runs. */
export const runningTerminals = ({ terminals }: Pick<LiveSession, "terminals">): string[] =>
  terminals
    .all()
    .filter(({ end }) => !end)
    .map(({ name, line = "a shell" }) => visibleLine(`${name} (${line})`));

/** Says that the background programs ended, and with what. */
export const endedWith = (what: string, running: readonly string[]): string =>
  `Ended with ${what}: ${running.length === 1 ? "terminal" : "terminals"} ${running.join(", ")}`;
