/** The sessions that are followed over a core: the same for all features. */

import { SessionStates } from "../common/sessions/session-states.ts";
import type { Core, FeatureContext } from "./feature-context.ts";

const known = new WeakMap<Core, SessionStates>();

export function statesOf(core: Core, { log }: Pick<FeatureContext, "log">): SessionStates {
  const found = known.get(core) ?? new SessionStates(core.live, (error) => log.error(String(error)));
  known.set(core, found);
  return found;
}
