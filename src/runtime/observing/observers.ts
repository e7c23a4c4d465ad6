/** Opens the observers that the settings ask for: log file and telemetry. Loads nothing for those that are off. */

import type { Observer } from "../../addons/observer.ts";
import type { Telemetry } from "../../addons/telemetry/open.ts";
import type { EnvironmentVariables } from "../../base/environment-variables.ts";
import type { Expected } from "../../base/expected.ts";
import type { Config } from "../../configuration/config.ts";
import { version } from "../../configuration/options/version.ts";
import type { LogSink } from "./log-file.ts";

export type Observers = { all: Observer[]; warnings: string[] };

export async function openObservers(
  settings: Config,
  env: EnvironmentVariables,
): Promise<Expected<Observers>> {
  const observers: Observers = { all: [], warnings: [] };
  if (settings.log !== undefined) {
    const log = await openLog(settings, env);
    if (!log.ok) return log;
    const { logObserver } = await import("./log-lines.ts");
    observers.all.push(logObserver(log.value));
  }
  const telemetry = await openTelemetry(settings, env);
  if (telemetry?.ok) observers.all.push(telemetry.value);
  else if (telemetry) observers.warnings.push(telemetry.problem);
  return { ok: true, value: observers };
}

/** Undefined if telemetry is off; nothing is loaded then. The problem is one line. */
export async function openTelemetry(
  settings: Config,
  env: EnvironmentVariables,
): Promise<Expected<Telemetry> | undefined> {
  if (settings.telemetry === "off") return undefined;
  const telemetry = await import("../../addons/telemetry/open.ts");
  const { redactorFor } = await import("./known-secrets.ts");
  const { catalog } = await import("../../providers/catalog.ts");
  return telemetry.openTelemetry({
    module: settings.telemetry === "on" ? undefined : settings.telemetry,
    redact: redactorFor(settings, env),
    env,
    version,
    providerName: (name) => catalog.find((row) => row.name === name)?.telemetryName ?? name,
  });
}

export async function closeObservers({ all }: Observers): Promise<void> {
  await Promise.all(all.map(async (observer) => observer.close?.()));
}

/** Opens the file of `settings.log`; every text written there is redacted. */
export async function openLog(
  settings: Config,
  env: EnvironmentVariables,
  told?: (problem: string) => void,
): Promise<Expected<LogSink>> {
  const { openLogFile } = await import("./log-file.ts");
  const { redactorFor } = await import("./known-secrets.ts");
  return openLogFile(settings.log ?? "", redactorFor(settings, env), told);
}
