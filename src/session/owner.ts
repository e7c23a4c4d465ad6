/** Who holds a session, and how to tell whether that process is alive. */

import { basename } from "node:path";
import { isSameProcess, livenessOf, ownIdentity, type ProcessIdentity } from "../base/process-identity.ts";
import { sessionBounds } from "./bounds.ts";

/** `program`: its name as invoked, for people. */
export type SessionOwner = { program: string; process: ProcessIdentity };

/** Times are milliseconds since 1970. */
export type Holder = SessionOwner & { since: number; renewedAt: number };

/** A process that cannot be inspected from here counts as dead if it has not renewed for this long. */
export const leaseMs = sessionBounds.lease.most;
/** How often a holder renews. */
export const renewMs = 15_000;

/** This process, as a holder. */
export const ownOwner = (): SessionOwner => ({ program: programName(), process: ownIdentity() });

/** If the system can tell, the lease does not count: a suspended process still holds the session. */
export function isAlive({ process, renewedAt }: Holder, now: number): boolean {
  const liveness = livenessOf(process);
  const isTold = liveness !== "elsewhere" && process.started !== "";
  if (isTold || liveness === "dead") return liveness === "alive";
  return Math.abs(now - renewedAt) < leaseMs;
}

/** Whether a claim must be refused. The same process may always claim again: it knows what it is doing. */
export const isInTheWay = (holder: Holder, owner: SessionOwner, now: number): boolean =>
  !isSameProcess(holder.process, owner.process) && isAlive(holder, now);

export function heldWords(session: string, holder: Holder, now: number): string {
  const { program, process, since } = holder;
  if (isSameProcess(process, ownIdentity()))
    return `Session ${session} is open in this program. Close it first.`;
  const elsewhere = livenessOf(process) === "elsewhere";
  const who = `${program} (process ${process.pid} on ${process.host}, since ${timeOf(since)})`;
  const waiting = elsewhere
    ? ` If that process is gone, the session is free in ${Math.ceil((leaseMs - Math.abs(now - holder.renewedAt)) / 1000)} s.`
    : "";
  return `Session ${session} is open in another program: ${who}. Go on there, or close it first.${waiting} If it hangs, take the session over with the option "takeOver": it can write nothing more then.`;
}

const timeOf = (at: number): string => `${new Date(at).toISOString().slice(0, 16).replace("T", " ")} UTC`;

/** Our own entry scripts have generic names; a program that embeds this has its own. */
function programName(): string {
  const name = basename(process.argv[1] ?? process.execPath).replace(/\.[cm]?[jt]s$/, "");
  return /^(?:bin|index|main)$/.test(name) ? "toolwright" : name;
}
