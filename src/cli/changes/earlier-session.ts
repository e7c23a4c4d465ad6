/** Suggests an earlier session of the workspace when the newest one has nothing to undo. */

import type { Config } from "../../configuration/config.ts";
import type { ChangeSelection } from "../../configuration/options/change-selection.ts";
import type { Values } from "../../configuration/options/options.ts";
import type { Status } from "../../protocol/fold-changes.ts";
import type { SessionState } from "../../protocol/session-state.ts";
import { foldStored } from "../../runtime/read-session.ts";
import { isOfPeopleIn, openStore } from "../../runtime/runtime.ts";
import { ageInWords } from "../sessions/table.ts";
import { newestAt } from "./changes-asked.ts";

/** Limits the search: each session is read in full. */
const mostRead = 20;

type EarlierSessionSearch = {
  command: string;
  statuses: readonly Status[];
  asked: ChangeSelection;
  flags: Values;
};

/** A sentence to append to the error, or "". Empty if the person named a session, request or file explicitly. */
export async function earlierSession(
  settings: Config,
  { session, workspace }: SessionState,
  { command, statuses, asked, flags }: EarlierSessionSearch,
): Promise<string> {
  if (settings.resume !== undefined || asked.turn !== undefined || asked.paths.length > 0) return "";
  const opened = await openStore(settings);
  if (!opened.ok) return "";
  const store = opened.value;
  try {
    const here = (await store.list()).filter(isOfPeopleIn(workspace));
    const others = here.filter((one) => one.id !== session);
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
