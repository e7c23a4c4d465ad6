/** Where the newest session has nothing to undo: the earlier one of the same workspace that was perhaps meant. */
import type { SessionState } from "../../protocol/session-state.ts";
import type { Status } from "../../protocol/fold-changes.ts";
import type { Config } from "../../runtime/config.ts";
import type { Values } from "../../runtime/options.ts";
import { foldStored } from "../../runtime/read-session.ts";
import { openStore } from "../../runtime/runtime.ts";
import { type Asked, newestAt } from "./changes-asked.ts";
import { ageInWords } from "./session-table.ts";

/** Sessions that are looked through: they are read whole. */
const mostRead = 20;

export type Sought = { command: string; statuses: readonly Status[]; asked: Asked; flags: Values };

/** A sentence that follows what is wrong, or nothing: who named a session, request or file meant just that. */
export async function earlierSession(
  settings: Config,
  { session, workspace }: SessionState,
  { command, statuses, asked, flags }: Sought,
): Promise<string> {
  if (settings.resume !== undefined || asked.turn !== undefined || asked.paths.length > 0) return "";
  const opened = await openStore(settings);
  if (!opened.ok) return "";
  const store = opened.value;
  try {
    const others = (await store.list()).filter((one) => one.workspace === workspace && one.id !== session);
    for (const { id, updatedAt } of others.slice(0, mostRead)) {
      const state = await foldStored(store, id);
      if (newestAt(undefined, state, statuses) === undefined) continue;
      const place = typeof flags.stateDir === "string" ? ` --state-dir ${flags.stateDir}` : "";
      const age = ageInWords(Date.now() - updatedAt);
      return ` An earlier session has changes (${age}): toolwright ${command} --resume ${id.slice(-6)}${place}`;
    }
    return "";
  } finally {
    await store.close();
  }
}
