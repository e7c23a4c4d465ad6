/** Warns at a server's start if telemetry cannot be loaded, because its sessions open only later. */

import { openTelemetry } from "../../runtime/observing/observers.ts";
import { complain, type CliContext } from "../cli-context.ts";

/** Loads nothing if telemetry is off. The sessions use the same SDK instance. */
export async function tellOfTelemetry({ terminal, settings }: CliContext): Promise<void> {
  const telemetry = await openTelemetry(settings, terminal.env);
  if (telemetry?.ok === false) complain(terminal, telemetry.problem);
}
