/** Converts the rows of session holders, and of the programs started for sessions, to values. */

import type { ProcessIdentity, StartedProcess } from "../base/process-identity.ts";
import type { Holder } from "./owner.ts";
import { type DatabaseRow, number, string } from "./rows.ts";

/** `times`: since when, and when last renewed. */
export const holderOf = (row: DatabaseRow, times: Pick<Holder, "since" | "renewedAt">): Holder => ({
  program: string(row, "program"),
  process: { pid: number(row, "pid"), started: string(row, "started"), ...placeOf(row) },
  ...times,
});

export function startedProcess(row: DatabaseRow): StartedProcess {
  const place = placeOf(row);
  return {
    process: { pid: number(row, "pid"), started: string(row, "started"), ...place },
    by: { pid: number(row, "by_pid"), started: string(row, "by_started"), ...place },
    marker: string(row, "marker"),
    reach: row["reach"] === "all" ? "all" : "group",
    what: string(row, "what"),
  };
}

const placeOf = (row: DatabaseRow): Pick<ProcessIdentity, "boot" | "space" | "host"> => ({
  boot: string(row, "boot"),
  space: string(row, "space"),
  host: string(row, "host"),
});
