/** A call as a dialect reads it. Its id and source are given later, the id only where the text has none. */

import type { Call, CallFault } from "../../protocol/messages.ts";

/** A call as a dialect reads it: its id and source are given later. */
export type ReadCall = Omit<Call, "id" | "source" | "fault"> & { id?: string; fault?: CallFault };
