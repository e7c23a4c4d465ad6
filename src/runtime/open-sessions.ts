/** The sessions that are open in this program: whoever opens one that is, gets the same one. */
import type { Parsed } from "../base/json.ts";
import type { Chosen } from "./kept-settings.ts";
import type { LiveSession, SessionSetup } from "./live-session.ts";
import { openSession, type Which } from "./open-session.ts";

export type OpenSessions = {
  /** A new one unless an id is given. One that is open has its settings, but for what is chosen now. */
  open(which: Which): Promise<Parsed<LiveSession>>;
};

export function openSessions(setup: SessionSetup): OpenSessions {
  const byId = new Map<string, LiveSession>();
  let earlier: Promise<unknown> = Promise.resolve();
  const openOne = async (which: Which): Promise<Parsed<LiveSession>> => {
    const known = which.resume === undefined ? undefined : byId.get(which.resume);
    if (known?.isOpen) {
      known.share();
      const problem = await choose(known, which);
      if (problem === undefined) return { ok: true, value: known };
      await known.close();
      return { ok: false, problem };
    }
    await known?.close(); // it is being closed: until that is over, its files and its lease are taken
    const closed = async (): Promise<void> => {
      if (opened.ok) byId.delete(opened.value.id);
    };
    const opened = await openSession({ ...setup, closed }, which);
    if (opened.ok) byId.set(opened.value.id, opened.value);
    return opened;
  };
  return {
    // One after the other: two that ask for the same one at once must not both open it.
    open(which) {
      const opening = earlier.then(() => openOne(which));
      earlier = opening.catch(() => undefined);
      return opening;
    },
  };
}

/** The problem, if one of them cannot be had. */
async function choose(session: LiveSession, { mode, model, by }: Chosen): Promise<string | undefined> {
  const whose = by === undefined ? {} : { by };
  const outcomes = [
    ...(model === undefined ? [] : [await session.command({ type: "set-model", model, ...whose })]),
    ...(mode === undefined ? [] : [await session.command({ type: "set-mode", mode, ...whose })]),
  ];
  return outcomes.flatMap((outcome) => (outcome.ok ? [] : [outcome.problem]))[0];
}
