/** `toolwright doctor`: checks everything that a session needs, and says how to fix problems. */

import { addonFindings } from "../../../runtime/addons/addon-findings.ts";
import { redactorFor } from "../../../runtime/observing/known-secrets.ts";
import type { Values } from "../../../runtime/options/options.ts";
import { styleFor } from "../../view/plain.ts";
import { exitCodes, printLines, type CliRoom } from "../room.ts";
import { checked, type Finding } from "./finding.ts";
import { gatewayFindings } from "./gateway.ts";
import { boundLines, boundRows } from "./limits.ts";
import { type FindingGroup, findingLines, folded } from "./lines.ts";
import { clock, network, nodeVersion, program, ripgrep, screen, system, terminals } from "./machine.ts";
import { models } from "./models.ts";
import { sandbox } from "./sandbox.ts";
import { configuration, logFile, telemetry } from "./settings.ts";
import { database, freeDisk, integrity, stateDirectory, workspace } from "./state.ts";

/** Check by `doctor` of the model servers, in milliseconds. */
const modelsCheckMs = 20_000;
/** Check by `doctor` of what users add, in milliseconds. */
const addonsCheckMs = 20_000;

/** `problem`: the reason the settings could not be read. */
export type DoctorGiven = { problem?: string; flags: Values };

/** Exit code 1 if any check fails. */
export async function runDoctor(room: CliRoom, { problem, flags }: DoctorGiven): Promise<number> {
  const { terminal, settings } = room;
  const redact = redactorFor(settings, terminal.env);
  const groups = (await examine(room, problem)).map(({ name, findings: found }) => ({
    name,
    findings: found.map((finding) => ({
      ...finding,
      words: redact(finding.words),
      ...(finding.fix === undefined ? {} : { fix: redact(finding.fix) }),
    })),
  }));
  const findings = groups.flatMap((group) => group.findings);
  const code = findings.some(({ state }) => state === "fail") ? exitCodes.failed : exitCodes.done;
  const style = styleFor(terminal.env, terminal.outputIsTerminal);
  if (flags.report === true) {
    const { reportText } = await import("./report.ts");
    terminal.print(await reportText(room, { findings, redact }));
    return code;
  }
  const table = settings.verbose ? boundLines(style) : [];
  const shown = settings.verbose ? findings : folded(groups);
  if (settings.output === "text") printLines(terminal, [...findingLines(findings, style, shown), ...table]);
  else terminal.print(`${JSON.stringify(findings)}\n`);
  return code;
}

/** Runs all checks concurrently, each with a timeout, and reports them in this order. */
async function examine(room: CliRoom, problem: string | undefined): Promise<FindingGroup[]> {
  const { settings, terminal } = room;
  const { stateDir } = settings;
  // Runs first, because it creates the state directory.
  const [opens, ...kept] = await checked("database", () => database(settings));
  const bash = "install it; commands that need bash will fail without it";
  const git = "install it; without it, changes are only kept by Toolwright's own undo";
  return Promise.all([
    group("machine", [
      checked("Node", () => [nodeVersion(process.versions.node)]),
      checked("git", async () => [await program("git", "git", git)]),
      checked("bash", async () => [await program("bash", "bash", bash)]),
      checked("ripgrep", async () => [await ripgrep()]),
      checked("terminals", async () => [await terminals()]),
      checked("screen", () => [screen(room)]),
      checked("system", () => [system(), clock()]),
      checked("network", () => network(terminal.env)),
    ]),
    group("state", [
      Promise.resolve(opens === undefined ? [] : [opens]),
      checked("state directory", async () => [await stateDirectory(stateDir)]),
      checked("free disk", async () => [await freeDisk(stateDir)]),
      checked("workspace", async () => [await workspace(settings.workspace)]),
      checked("integrity", () => integrity(stateDir)),
      Promise.resolve(kept),
    ]),
    group("settings", [
      checked("configuration", () => configuration(room, problem)),
      checked("log", () => logFile(room)),
      checked("telemetry", () => telemetry(room)),
      checked("limits", () => [limits()]),
    ]),
    group("providers", [checked("models", () => models(room), modelsCheckMs)]),
    group("containment", [checked("sandbox", () => sandbox(settings))]),
    group("addons", [checked("addons", () => addonFindings(settings, terminal.env), addonsCheckMs)]),
    group("servers", [checked("gateway", () => gatewayFindings(settings))]),
  ]);
}

const group = async (name: string, checks: readonly Promise<Finding[]>[]): Promise<FindingGroup> => ({
  name,
  findings: (await Promise.all(checks)).flat(),
});

function limits(): Finding {
  const rows = boundRows();
  const words = `${rows.length}, for everything that can grow: \`toolwright doctor --verbose\` lists them`;
  return { check: "limits", state: "ok", words, rows };
}
