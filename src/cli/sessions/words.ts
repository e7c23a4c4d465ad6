/** Shared by the `sessions` subcommands: error output, short ids, standing, and the JSON of a row. */

import type { SessionRow, SessionSummary, SessionStatus, Store } from "../../archive/sessions.ts";
import type { Expected } from "../../base/expected.ts";
import { jsonLine } from "../../base/json-lines.ts";
import { inFlags } from "../../configuration/options/flag-words.ts";
import type { Values } from "../../configuration/options/options.ts";
import { costAsJson } from "../../protocol/cost.ts";
import { findNamed } from "../../runtime/runtime.ts";
import { complain, type CliContext } from "../cli-context.ts";

/** The arguments of each subcommand. The caller closes the store. */
export type SubcommandContext = {
  context: CliContext;
  store: Store;
  words: readonly string[];
  flags: Values;
};

/** Prints a line for people, and for programs the JSON object that they wait for. */
export function refuse({ terminal, settings }: CliContext, problem: string, code: number): number {
  if (settings.output !== "text")
    terminal.print(`${jsonLine({ session: null, problem: inFlags(problem) })}\n`);
  complain(terminal, problem);
  return code;
}

export async function findSummary(store: Store, wanted: string): Promise<Expected<SessionSummary>> {
  if (wanted.trim() === "")
    return { ok: false, problem: "Which session? Give its id, or words of its title." };
  const found = await findNamed(store, wanted);
  if (!found.ok) return found;
  const summary = await store.get(found.value);
  return summary
    ? { ok: true, value: summary }
    : { ok: false, problem: `Session ${found.value} was deleted just now.` };
}

/** The end of an id, which can be typed in its place. */
export const shortId = (id: string): string => id.slice(-6);

const standings: Readonly<Record<SessionStatus, string>> = {
  idle: "idle",
  running: "running",
  waiting: "waits for you",
  "left-open": "left open",
};

/** "waits for you", "running in process 123", "open in process 123". */
export function standingWords({ standing, holder }: Pick<SessionRow, "standing" | "holder">): string {
  if (!holder) return standings[standing];
  const where = `in process ${holder.process.pid}`;
  return standing === "idle"
    ? `open ${where}`
    : `${standings[standing]}${standing === "waiting" ? "," : ""} ${where}`;
}

/** The same keys, whether their values are known or not. */
export function rowAsJson({ holder, from, parent, cost, ...row }: SessionRow) {
  return {
    ...row,
    parent: parent ?? null,
    ...costAsJson(cost),
    from: from ?? null,
    openIn: holder ? { program: holder.program, pid: holder.process.pid, host: holder.process.host } : null,
  };
}
