/** A call as parsed by a dialect. The source is added later, and the id too if the text has none. */

import type { ToolCall, CallFault } from "../../protocol/messages.ts";

/** A call as parsed by a dialect: its source, and any missing id, are added later. @experimental */
export type ReadCall = Omit<ToolCall, "id" | "source" | "fault"> & { id?: string; fault?: CallFault };
