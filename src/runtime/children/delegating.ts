/** Lets calls delegate tasks to child sessions. The implementation is loaded with the first task. */

import type { SessionLog } from "../../session/log.ts";
import type { SessionSetup } from "../session-setup.ts";
import type { ChildrenContext } from "./children.ts";
import { ChildrenPlaces } from "./places.ts";

export function delegating(context: () => ChildrenContext): NonNullable<SessionSetup["delegate"]> {
  const placesOf = new WeakMap<SessionLog, ChildrenPlaces>();
  return (parent, callId) => async (delegation, how) => {
    const { delegateTo } = await import("./children.ts");
    const places = placesOf.get(parent.log) ?? new ChildrenPlaces();
    placesOf.set(parent.log, places);
    return delegateTo({ parent, callId, places, delegation, how }, context());
  };
}
