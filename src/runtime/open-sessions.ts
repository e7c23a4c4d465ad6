/** The sessions open in this program: opening one that is already open returns the same object. */

import { type Expected, refuse } from "../base/expected.ts";
import { delegating } from "./children/delegating.ts";
import type { ChosenSettings } from "./kept-settings.ts";
import type { LiveSession, SessionSetup } from "./live-session.ts";
import { openSession, type SessionSelection } from "./open-session.ts";

type OpenSessions = {
  /**
   * Opens a new session unless an id is given. `own` replaces the shared setup. A session already open keeps its
   * settings, except those chosen in this call.
   */
  open(which: SessionSelection, own?: SessionSetup): Promise<Expected<LiveSession>>;
  /** The session with this id, if it is open. */
  present(id: string): LiveSession | undefined;
};

/** Lets the sessions' calls delegate tasks to child sessions; `childOpened` is called with each child. */
export function openSessions(given: SessionSetup, childOpened?: (child: LiveSession) => void): OpenSessions {
  const heard = childOpened ? { opened: childOpened } : {};
  const delegate = delegating(() => ({ ...heard, setup: given, open: (which, own) => open(which, own) }));
  const setup = { ...given, delegate };
  const byId = new Map<string, LiveSession>();
  const opening = new Map<string, Promise<unknown>>();
  const openOne = async (which: SessionSelection, own: SessionSetup): Promise<Expected<LiveSession>> => {
    const known = which.resume === undefined ? undefined : byId.get(which.resume);
    if (known?.isOpen) {
      known.share();
      const problem = await choose(known, which);
      if (problem === undefined) return { ok: true, value: known };
      await known.close();
      return refuse(problem);
    }
    await known?.close(); // if it is closing, its files and lease are taken until that is done
    const closed = async (): Promise<void> => {
      if (opened.ok) byId.delete(opened.value.id);
    };
    const opened = await openSession({ ...own, closed }, which);
    if (opened.ok) byId.set(opened.value.id, opened.value);
    return opened;
  };
  const open: OpenSessions["open"] = async (which, own = setup) => {
    const { resume: id } = which;
    if (id === undefined) return openOne(which, own);
    // Serialised: two concurrent requests for one session must not both open it.
    const inTurn = () => openOne(which, own);
    const opened = (opening.get(id) ?? Promise.resolve()).then(inTurn, inTurn);
    opening.set(id, opened);
    try {
      return await opened;
    } finally {
      if (opening.get(id) === opened) opening.delete(id);
    }
  };
  const present = (id: string): LiveSession | undefined => {
    const session = byId.get(id);
    return session?.isOpen === true ? session : undefined;
  };
  return { open, present };
}

/** Returns the problem if one of them cannot be set. */
async function choose(
  session: LiveSession,
  { mode, model, reasoning, by }: ChosenSettings,
): Promise<string | undefined> {
  const whose = by === undefined ? {} : { by };
  const outcomes = [
    ...(model === undefined ? [] : [await session.command({ type: "set-model", model, ...whose })]),
    ...(reasoning === undefined
      ? []
      : [await session.command({ type: "set-reasoning", reasoning, ...whose })]),
    ...(mode === undefined ? [] : [await session.command({ type: "set-mode", mode, ...whose })]),
  ];
  return outcomes.flatMap((outcome) => (outcome.ok ? [] : [outcome.problem]))[0];
}
