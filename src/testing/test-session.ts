/** `testSession` as users have it: ours, without the parts of a session that no user needs. */

import type { Model } from "../providers/provider.ts";
import type { SessionUnderTest, SessionUnderTestOptions } from "./session-under-test.ts";
import { testSession as openWhole } from "./session.ts";

/** Opens a session on a memory store and a temporary workspace unless others are given. @public */
export const testSession = (model: Model, options: SessionUnderTestOptions = {}): Promise<SessionUnderTest> =>
  openWhole(model, options);
