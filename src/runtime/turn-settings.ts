/** Turn settings from the configuration: limits, and when a turn is done. */

import type { TurnLimits } from "../agent/turn-context.ts";
import type { Config } from "../configuration/config.ts";
import type { SessionSetup } from "./session-setup.ts";

const msPerMinute = 60_000;

export function turnSettings(settings: Config): Pick<SessionSetup, "limits" | "completion"> {
  const { completion, maxRounds, maxCost, maxTokens, maxMinutes, retryMs, onLimit } = settings;
  const limits: Partial<TurnLimits> = {
    onLimit,
    ...(maxRounds === undefined ? {} : { maxRounds }),
    ...(maxCost === undefined ? {} : { maxCost }),
    ...(maxTokens === undefined ? {} : { maxTokens }),
    ...(retryMs === 0 ? { maxBrokenAnswers: 0 } : {}),
    ...(maxMinutes === undefined ? {} : { maxMs: maxMinutes * msPerMinute }),
  };
  return { limits, ...(completion === "auto" ? {} : { completion }) };
}
