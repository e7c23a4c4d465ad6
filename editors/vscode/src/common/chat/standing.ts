/** How the sessions of a folder stand, for the status bar and the view's badge. */

import type { SessionValue } from "../../../../../src/client.ts";

export type FolderStanding = { waiting: number; working: number };

export function standingOf(sessions: readonly SessionValue[], folder: string): FolderStanding {
  const own = sessions.filter(({ workspace }) => workspace === folder);
  const count = (standing: SessionValue["standing"]): number =>
    own.filter((session) => session.standing === standing).length;
  return { waiting: count("waiting"), working: count("running") };
}
