/** Ends programs left behind by an earlier run that was killed, found by the records the store has of them. */

import { isHere, livenessOf, type StartedProcess } from "../base/process-identity.ts";
import { anyCarries, stopTree } from "../base/process-tree.ts";
import type { Fact } from "../protocol/facts.ts";
import type { Store } from "./store.ts";

/** Call after claiming the session, before reading its files. Returns warnings to append. */
export async function endOrphans(store: Store, session: string): Promise<Fact[]> {
  const left = await store.processes(session);
  const ended: StartedProcess[] = [];
  for (const started of left) {
    // A living starter ends its own programs, and other machines' processes are out of reach.
    if (livenessOf(started.by) !== "dead") continue;
    if (await endOrphan(started)) ended.push(started);
    await store.forgetProcess(session, started);
  }
  return ended.length > 0 ? [{ type: "warning", code: "orphans-ended", text: wordsFor(ended) }] : [];
}

/** Returns whether anything was ended. Another process that reuses the number is never touched. */
async function endOrphan({ process, marker, reach }: StartedProcess): Promise<boolean> {
  if (process.started === "") return false; // the number may have been reused
  if (!isHere(process)) return false;
  if (livenessOf(process) === "alive") {
    await stopTree(process.pid, { marker });
    return true;
  }
  // The program ended by itself: anything that had left its group by then was meant to stay.
  if (!anyCarries(marker, reach === "group" ? process.pid : undefined)) return false;
  await (reach === "group" ? stopTree(process.pid, { groupOnly: true }) : stopTree(undefined, { marker }));
  return true;
}

function wordsFor(ended: readonly StartedProcess[]): string {
  const names = ended.map(({ what, process }) => `${JSON.stringify(what)} (process ${process.pid})`);
  const [were, they] = ended.length === 1 ? ["this was", "it"] : ["these were", "they"];
  return `The program stopped while ${were} still running, and ${they} had gone on: ${names.join(", ")}. Now ${they === "it" ? "it was" : "they were"} ended.`;
}
