/** Programs that a run of ours has left behind when it was killed: found by what was noted of them, and ended. */

import { isHere, livenessOf, type StartedProcess } from "../base/process-identity.ts";
import { anyCarries, stopTree } from "../base/process-tree.ts";
import type { Fact } from "../protocol/facts.ts";
import type { Store } from "./store.ts";

/** To be called by whoever has claimed the session, before its files are looked at. Gives what there is to say. */
export async function endOrphans(store: Store, session: string): Promise<Fact[]> {
  const left = await store.processes(session);
  const ended: StartedProcess[] = [];
  for (const started of left) {
    // Whoever has started it ends it, as long as that is alive; and nobody can from another system.
    if (livenessOf(started.by) !== "dead") continue;
    if (await endOrphan(started)) ended.push(started);
    await store.forgetProcess(session, started);
  }
  return ended.length > 0 ? [{ type: "warning", code: "orphans-ended", text: wordsFor(ended) }] : [];
}

/** Whether there was something to end. Another process with the same number is never touched. */
async function endOrphan({ process, marker, reach }: StartedProcess): Promise<boolean> {
  if (process.started === "") return false; // the system does not tell who is who
  if (!isHere(process)) return false;
  if (livenessOf(process) === "alive") {
    await stopTree(process.pid, { marker });
    return true;
  }
  // It has ended by itself: what has left its group until then did so to stay.
  if (!anyCarries(marker, reach === "group" ? process.pid : undefined)) return false;
  await (reach === "group" ? stopTree(process.pid, { groupOnly: true }) : stopTree(undefined, { marker }));
  return true;
}

function wordsFor(ended: readonly StartedProcess[]): string {
  const names = ended.map(({ what, process }) => `${JSON.stringify(what)} (process ${process.pid})`);
  const [were, they] = ended.length === 1 ? ["this was", "it"] : ["these were", "they"];
  return `The program stopped while ${were} still running, and ${they} had gone on: ${names.join(", ")}. Now ${they === "it" ? "it was" : "they were"} ended.`;
}
