/** What runs on terminals in the background, as a person is told of it: nobody else would. */

import type { LiveSession } from "../../../runtime/live-session.ts";
import { visibleLine } from "../../view/visible.ts";

/** Like "dev (npm run dev)"; empty when nothing runs. */
export const runningTerminals = ({ terminals }: Pick<LiveSession, "terminals">): string[] =>
  terminals
    .all()
    .filter(({ end }) => !end)
    .map(({ name, line = "a shell" }) => visibleLine(`${name} (${line})`));

/** When what runs there has ended, and with what. */
export const endedWith = (what: string, running: readonly string[]): string =>
  `Ended with ${what}: ${running.length === 1 ? "terminal" : "terminals"} ${running.join(", ")}`;
