/** The sessions that are open in this program: whoever opens one that is, gets the same one. */
import type { Parsed } from "../base/json.ts";
import type { LiveSession, SessionSetup } from "./live-session.ts";
import { openSession } from "./open-session.ts";

export type OpenSessions = {
  /** A new one unless an id is given. */
  open(id: string | undefined, takeOver: boolean): Promise<Parsed<LiveSession>>;
};

export function openSessions(setup: SessionSetup): OpenSessions {
  const byId = new Map<string, LiveSession>();
  let earlier: Promise<unknown> = Promise.resolve();
  const openOne = async (id: string | undefined, takeOver: boolean): Promise<Parsed<LiveSession>> => {
    const known = id === undefined ? undefined : byId.get(id);
    if (known?.isOpen) {
      known.share();
      return { ok: true, value: known };
    }
    await known?.close(); // it is being closed: until that is over, its files and its lease are taken
    const closed = async (): Promise<void> => {
      if (opened.ok) byId.delete(opened.value.id);
    };
    const opened = await openSession({ ...setup, closed }, { resume: id, takeOver });
    if (opened.ok) byId.set(opened.value.id, opened.value);
    return opened;
  };
  return {
    // One after the other: two that ask for the same one at once must not both open it.
    open(id, takeOver) {
      const opening = earlier.then(() => openOne(id, takeOver));
      earlier = opening.catch(() => undefined);
      return opening;
    },
  };
}
