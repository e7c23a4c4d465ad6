/** A call as parsed by a dialect. The source is added later, and the id too if the text has none. */

import type { Call, CallFault } from "../../protocol/messages.ts";

/** A call as parsed by a dialect: its source, and any missing id, are added later. */
export type ReadCall = Omit<Call, "id" | "source" | "fault"> & { id?: string; fault?: CallFault };
