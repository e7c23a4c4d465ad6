/** `toolwright doctor`: checks everything that a session needs, and says how to fix problems. */

import { realpath } from "node:fs/promises";
import { type BoundSection, figureOf } from "../../base/bound.ts";
import { mayAccess } from "../../base/paths.ts";
import { stateProblem, type Config } from "../../configuration/config.ts";
import type { Values } from "../../configuration/options/options.ts";
import { mayTrust } from "../../configuration/trusted-mode.ts";
import { addonFindings } from "../../runtime/addons/addon-findings.ts";
import { redactorFor } from "../../runtime/observing/known-secrets.ts";
import { findSandbox, type Sandbox } from "../../runtime/runtime.ts";
import { styleFor, type Style } from "../../view/plain.ts";
import { exitCodes, printAnswer, type CliContext, columns } from "../cli-context.ts";
import { toldWhile } from "../told-while.ts";
import { boundRows } from "./bound-rows.gen.ts";
import { runCheck, type DoctorFinding } from "./finding.ts";
import { gatewayFindings } from "./gateway.ts";
import { type FindingGroup, findingLines, foldGroups } from "./lines.ts";
import { clock, network, nodeVersion, program, ripgrep, screen, system, terminals } from "./machine.ts";
import { models } from "./models.ts";
import { configuration, logFile, telemetry } from "./settings.ts";
import { database, freeDisk, integrity, stateDirectory, workspace } from "./state.ts";

/** Check by `doctor` of the model servers, in milliseconds. */
const modelsCheckMs = 20_000;
/** Check by `doctor` of what users add, in milliseconds. */
const addonsCheckMs = 20_000;

/** `problem`: the reason the settings could not be read. */
export type DoctorGiven = { problem?: string; flags: Values };

/** Exit code 1 if any check fails. */
export async function runDoctor(context: CliContext, { problem, flags }: DoctorGiven): Promise<number> {
  const { terminal, settings } = context;
  const redact = redactorFor(settings, terminal.env);
  const examined = await toldWhile(terminal, "Examining this machine", () => examine(context, problem));
  const groups = examined.map(({ name, findings: found }) => ({
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
    terminal.print(await reportText(context, { findings, redact }));
    return code;
  }
  const table = settings.verbose ? boundLines(style) : [];
  const shown = settings.verbose ? findings : foldGroups(groups);
  printAnswer(context, findings, () => [...findingLines(findings, style, shown), ...table]);
  return code;
}

/** Runs all checks concurrently, each with a timeout, and reports them in this order. */
async function examine(context: CliContext, problem: string | undefined): Promise<FindingGroup[]> {
  const { settings, terminal } = context;
  const { stateDir } = settings;
  // Runs first, because it creates the state directory.
  const misplaced = stateProblem(settings);
  const [opens, ...kept] =
    misplaced === undefined ? await runCheck("database", () => database(settings)) : [];
  const bash = "install it; commands that need bash will fail without it";
  const git = "install it; without it, changes are only kept by Toolwright's own undo";
  return Promise.all([
    group("machine", [
      runCheck("Node", () => [nodeVersion(process.versions.node)]),
      runCheck("git", async () => [await program("git", "git", git)]),
      runCheck("bash", async () => [await program("bash", "bash", bash)]),
      runCheck("ripgrep", async () => [await ripgrep()]),
      runCheck("terminals", async () => [await terminals()]),
      runCheck("screen", () => [screen(context)]),
      runCheck("system", () => [system(), clock()]),
      runCheck("network", () => network(terminal.env)),
    ]),
    group("state", [
      Promise.resolve(opens === undefined ? [] : [opens]),
      runCheck("state directory", async () => [await stateDirectory(stateDir, misplaced)]),
      runCheck("free disk", async () => [await freeDisk(settings)]),
      runCheck("workspace", async () => [await workspace(settings.workspace)]),
      runCheck("integrity", () => integrity(settings)),
      Promise.resolve(kept),
    ]),
    group("settings", [
      runCheck("configuration", () => configuration(context, problem)),
      runCheck("log", () => logFile(context)),
      runCheck("telemetry", () => telemetry(context)),
      runCheck("limits", () => [limits()]),
    ]),
    group("providers", [runCheck("models", () => models(context), modelsCheckMs)]),
    group("containment", [runCheck("sandbox", () => sandbox(settings))]),
    group("addons", [runCheck("addons", () => addonFindings(settings, terminal.env), addonsCheckMs)]),
    group("servers", [runCheck("gateway", () => gatewayFindings(settings))]),
  ]);
}

const group = async (name: string, checks: readonly Promise<DoctorFinding[]>[]): Promise<FindingGroup> => ({
  name,
  findings: (await Promise.all(checks)).flat(),
});

function limits(): DoctorFinding {
  const rows = everyBound();
  const words = `${rows.length}, for everything that can grow: \`toolwright doctor --verbose\` lists them`;
  return { check: "limits", state: "ok", words, rows };
}

export const everyBound = (): BoundSection["rows"] => boundRows.flatMap(({ rows }) => rows);

/** One section per area: the figure, what it bounds, and what happens beyond it. */
export const boundLines = (style: Style): string[] =>
  boundRows.flatMap(({ title, rows }) => [
    "",
    style.bold(title),
    ...columns(rows.map((row) => [figureOf(row), `${row.of}: ${row.beyond}`])),
  ]);

/** Doctor's checks of the command sandbox and the reach of undo, by trying them and not only looking for them. */
async function sandbox(settings: Config): Promise<DoctorFinding[]> {
  const check = "sandbox";
  const found = await findSandbox();
  if (found.kind === "none") {
    const words = `none: ${found.because}. Until then each command that does more than read asks first, and is denied where nobody can be asked, unless a rule of yours allows it. ${trustedInstead()}`;
    return [{ check, state: "warn", words }, undoInPart("there is no sandbox", "install one (see above)")];
  }
  const missing = [...found.lacks, ...(await socketsInReach(found, settings))];
  const lacks = missing.length === 0 ? "" : `, but ${missing.join(", ")}`;
  const words = `${found.kind} ${found.version}: commands run contained${lacks}`;
  return [{ check, state: lacks === "" ? "ok" : "warn", words }, await undo(found, settings)];
}

/** The way out that needs no sandbox, and what it costs. */
function trustedInstead(): string {
  const here = mayTrust({ knowing: false });
  const how = here.ok ? `(${here.value})` : "and --i-know-this-can-change-anything";
  return `--mode trusted ${how} runs everything as you, without asking`;
}

/** Creates no directory either. */
async function socketsInReach(
  found: Exclude<Sandbox, { kind: "none" }>,
  { stateDir }: Config,
): Promise<string[]> {
  const places = (await mayAccess(stateDir)) ? await found.openToSockets(stateDir) : [];
  if (places.length === 0) return [];
  return [
    `sockets that other programs open in ${places.join(", ")} while a command runs can be reached (no overlay is possible there)`,
  ];
}

/** Creates no directory: an attempt in one that cannot be created (below /proc, say) would not end. */
async function undo(
  found: Exclude<Sandbox, { kind: "none" }>,
  { workspace, stateDir }: Config,
): Promise<DoctorFinding> {
  if (!(await mayAccess(stateDir)))
    return undoInPart(`the state directory ${stateDir} is missing`, "make it usable (see above)");
  if (!(await mayAccess(workspace)))
    return { check: "undo", state: "ok", words: "will be checked once the workspace exists" };
  const overlays = await found.overlays({ workspace: await realpath(workspace), stateDir });
  return overlays.works
    ? { check: "undo", state: "ok", words: "covers what tools and commands change in the workspace" }
    : undoInPart(overlays.because);
}

/** The warning that undo covers the changes of commands only partly. */
const undoInPart = (because: string, fix?: string): DoctorFinding => ({
  check: "undo",
  state: "warn",
  words: `covers all that tools change; of what commands change only files that they name, that git has or that are small: ${because}`,
  fix,
});
