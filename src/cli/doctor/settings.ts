/** Doctor's checks of the settings: the files in effect, their errors, the log, telemetry. */

import { lstat, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { configFiles, placesOf } from "../../configuration/config-places.ts";
import type { Config } from "../../configuration/config.ts";
import { didYouMean } from "../../configuration/options/nearest.ts";
import { options } from "../../configuration/options/options.ts";
import { connectProblem } from "../../runtime/inspecting/reachable-address.ts";
import { closeObservers, openLog, openObservers } from "../../runtime/observing/observers.ts";
import type { CliContext } from "../cli-context.ts";
import type { DoctorFinding } from "./finding.ts";
import { withoutLogin } from "./machine.ts";

/** `problem`: the reason the settings could not be read; `settings` then ignores all files. */
export async function configuration(
  { settings, terminal }: CliContext,
  problem?: string,
): Promise<DoctorFinding[]> {
  const check = "configuration";
  const files = await configFiles(settings);
  const words = files.length === 0 ? "no file: the defaults are used" : files.join(", ");
  const warnings = settings.warnings.map((warning): DoctorFinding => ({
    check,
    state: "warn",
    words: warning,
  }));
  const fix = "correct it: until then nothing in it counts, and nothing starts";
  const whole: DoctorFinding =
    problem === undefined ? { check, state: "ok", words } : { check, state: "fail", words: problem, fix };
  const own = await ownFileFindings(settings);
  return [whole, ...own, ...warnings, ...unknownVariables(terminal.env)];
}

/** Variables of ours that are not options. */
const others = ["TOOLWRIGHT_LM_TOKEN", "TOOLWRIGHT_RUN"];
const isOfHook = /^TOOLWRIGHT_HOOK_/u;

/** A misspelt variable has no effect and would otherwise go unnoticed. */
export function unknownVariables(env: CliContext["terminal"]["env"]): DoctorFinding[] {
  const known = [...options.flatMap(({ variable }) => variable ?? []), ...others];
  const unknown = Object.keys(env).filter(
    (name) => name.startsWith("TOOLWRIGHT_") && !known.includes(name) && !isOfHook.test(name),
  );
  return unknown.map((name) => ({
    check: "environment",
    state: "warn",
    words: `${name} is not a variable of Toolwright${didYouMean(name, known)}`,
    fix: "unset it, or correct its name: it has no effect",
  }));
}

/** Opens the log file, as a run would. */
export async function logFile({ settings, terminal }: CliContext): Promise<DoctorFinding[]> {
  const check = "log";
  if (settings.log === undefined) return [{ check, state: "ok", words: "none: --log FILE writes one" }];
  const log = await openLog(settings, terminal.env);
  if (log.ok) return [{ check, state: "ok", words: settings.log }];
  return [{ check, state: "fail", words: log.problem }];
}

/** Loads the telemetry module, as a run would. */
export async function telemetry({ settings, terminal }: CliContext): Promise<DoctorFinding[]> {
  const check = "telemetry";
  if (settings.telemetry === "off") return [{ check, state: "ok", words: "off" }];
  const opened = await openObservers({ ...settings, log: undefined }, terminal.env);
  const [problem] = opened.ok ? opened.value.warnings : [opened.problem];
  if (opened.ok) await closeObservers(opened.value);
  if (problem !== undefined)
    return [
      { check, state: "warn", words: problem, fix: "correct the module's name, or set telemetry to off" },
    ];
  const on: DoctorFinding = { check, state: "ok", words: `on (${settings.telemetry})` };
  return [on, ...(await collectors(terminal.env))];
}

const collectorNames = ["ENDPOINT", "TRACES_ENDPOINT", "METRICS_ENDPOINT"].map(
  (name) => `OTEL_EXPORTER_OTLP_${name}`,
);

/** Collectors named by the environment; a telemetry module may know others. */
async function collectors(env: CliContext["terminal"]["env"]): Promise<DoctorFinding[]> {
  const named = collectorNames.flatMap((name) => (env[name] ? [{ name, address: env[name] }] : []));
  const found = await Promise.all(
    named.map(async ({ name, address }): Promise<DoctorFinding[]> => {
      const problem = await connectProblem(address);
      if (problem === undefined) return [];
      const fix = "start the collector, or correct the address: until then telemetry is lost";
      const words = `${withoutLogin(address)} (${name}) cannot be reached: ${problem}`;
      return [{ check: "telemetry", state: "warn", words, fix }];
    }),
  );
  return found.flat();
}

const check = "configuration";

/** Checks the configuration directory and its files. */
async function ownFileFindings({
  configDir,
  workspace,
  providers,
}: Pick<Config, "configDir" | "workspace" | "providers">): Promise<DoctorFinding[]> {
  if (process.platform === "win32") return [];
  const holds = Object.values(providers).some(({ key }) => key !== undefined) ? "keys" : "settings";
  const own = { configDir, workspace };
  const files = [...placesOf("user", own), ...placesOf("local", own)];
  const found = await Promise.all([
    ...[configDir, ...placesOf("local", own).map(dirname)].map((path) => rightsOf(path, "settings")),
    ...files.map((path) => rightsOf(path, holds)),
    ...files.map(leadsNowhere),
  ]);
  return found.flat();
}

/** A dangling link counts as a missing file, which is hardly intended. */
async function leadsNowhere(path: string): Promise<DoctorFinding[]> {
  const link = await lstat(path).catch(() => undefined);
  const target = await stat(path).catch(() => undefined);
  if (!link?.isSymbolicLink() || target !== undefined) return [];
  const words = `${path} is a link that leads nowhere: nothing of it holds`;
  return [{ check, state: "warn", words, fix: "make its target, or remove the link" }];
}

async function rightsOf(path: string, holds: "keys" | "settings"): Promise<DoctorFinding[]> {
  const found = await stat(path).catch(() => undefined);
  if (!found) return [];
  const { uid, gid, mode } = found;
  const isOwn = uid === process.getuid?.() || uid === 0;
  // On many systems each user has a private group, so group write access is harmless there.
  const ownGroup = gid === process.getgid?.();
  if (!isOwn)
    return [
      finding(
        `${path} belongs to another user (${uid}), who decides by it what runs here`,
        `make it yours (\`sudo chown "$USER" ${path}\`), or remove it`,
      ),
    ];
  if ((mode & 0o002) !== 0 || (!ownGroup && (mode & 0o020) !== 0))
    return [
      finding(`others may write ${path}, and decide by it what runs here`, `run \`chmod go-w ${path}\``),
    ];
  if (holds === "keys" && (mode & 0o044) !== 0)
    return [finding(`others may read ${path}, which holds a key`, `run \`chmod 600 ${path}\``)];
  return [];
}

const finding = (words: string, fix: string): DoctorFinding => ({ check, state: "warn", words, fix });
