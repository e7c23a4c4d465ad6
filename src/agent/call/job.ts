/** An understood call at work in its step. */

import type { CallStep } from "./step.ts";
import type { UnderstoodCall } from "./understand.ts";

export type CallJob = UnderstoodCall & { step: CallStep };
