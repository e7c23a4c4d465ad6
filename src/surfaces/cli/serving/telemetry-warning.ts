/** Servers open sessions later: whether telemetry can be had is told when they start. */

import { openTelemetry } from "../../../runtime/observing/observers.ts";
import { complain, type CliRoom } from "../room.ts";

/** Nothing is loaded where it is off. The sessions are told to the same SDK. */
export async function tellOfTelemetry({ terminal, settings }: CliRoom): Promise<void> {
  const telemetry = await openTelemetry(settings, terminal.env);
  if (telemetry?.ok === false) complain(terminal, telemetry.problem);
}
