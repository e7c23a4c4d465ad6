/** `toolwright doctor`: checks what a session needs, one line each, and says what to mend. */
import { execFile } from "node:child_process";
import { constants } from "node:fs";
import { access, realpath, stat, statfs } from "node:fs/promises";
import { dirname } from "node:path";
import { bounds } from "../../base/bounds.ts";
import { type OpenPty, openPty } from "../../base/terminal/pty.ts";
import { sizeInWords } from "../../base/text.ts";
import type { ModelRecord } from "../../protocol/dialect-record.ts";
import { workspaceWarning } from "../../runtime/containing.ts";
import { findSandbox, modelsWithinReach, openStore, type Reach } from "../../runtime/runtime.ts";
import { styleFor, type Style } from "../view/plain.ts";
import { visibleLine } from "../view/visible.ts";
import { boundLines, boundRows } from "./doctor-bounds.ts";
import type { Finding } from "./doctor-finding.ts";
import { gatewayFindings } from "./doctor-gateway.ts";
import { hasModel, missingModel } from "./model-table.ts";
import { columns, exitCodes, type CliRoom } from "./room.ts";

const oldestNode = 24;
const littleDisk = 500 * 1024 * 1024;
const tooLittleDisk = 50 * 1024 * 1024;

/** Exit code 1 when anything fails. */
export async function runDoctor(room: CliRoom): Promise<number> {
  const { terminal, settings } = room;
  const findings = await examine(room);
  const style = styleFor(terminal.env, terminal.outputIsTerminal);
  const table = settings.verbose ? boundLines(style) : [];
  if (settings.output === "text")
    terminal.print(`${[...findingLines(findings, style), ...table].join("\n")}\n`);
  else terminal.print(`${JSON.stringify(findings)}\n`);
  return findings.some(({ state }) => state === "fail") ? exitCodes.failed : exitCodes.done;
}

async function examine(room: CliRoom): Promise<Finding[]> {
  const { settings, terminal } = room;
  const reach = modelsWithinReach(settings, terminal.env);
  const findings = [
    nodeVersion(process.versions.node),
    ...(await database(room)), // first: it makes the state directory
    await stateDirectory(settings.stateDir),
    await freeDisk(settings.stateDir),
    await workspace(settings.workspace),
    await program("git", "git", "install it; without it, changes are only kept by Toolwright's own undo"),
    await program("bash", "bash", "install it; commands that need bash will fail without it"),
    await ripgrep(),
    ...settings.warnings.map((words): Finding => ({ check: "configuration", state: "warn", words })),
    ...modelFindings(await reach, await missingModel(room)),
    ...(await dialects(room)),
    ...(await sandbox(room)),
    await terminals(),
    ...(await gatewayFindings(settings.stateDir)),
    limits(),
  ];
  return findings;
}

function limits(): Finding {
  const rows = boundRows();
  const words = `${rows.length}, for everything that can grow: \`toolwright doctor --verbose\` lists them`;
  return { check: "limits", state: "ok", words, rows };
}

export function findingLines(findings: readonly Finding[], style: Style): string[] {
  const paint = { ok: style.green, warn: style.yellow, fail: style.red };
  const lines = columns(
    findings.map(({ check, state, words }) => [state.padEnd(4), check, visibleLine(words)]),
  );
  return lines.map((line, at) => {
    const state = findings[at]?.state ?? "ok";
    return paint[state](line.slice(0, 4)) + line.slice(4);
  });
}

export function nodeVersion(version: string): Finding {
  const found = Number.parseInt(version, 10);
  if (found >= oldestNode) return { check: "Node", state: "ok", words: version };
  return { check: "Node", state: "fail", words: `${version}: install Node ${oldestNode} or newer` };
}

async function database({ settings }: CliRoom): Promise<Finding[]> {
  const check = "database";
  try {
    const opened = await openStore(settings);
    if (!opened.ok) return [{ check, state: "fail", words: opened.problem }];
    try {
      const sessions = await opened.value.list();
      return [
        {
          check,
          state: "ok",
          words: `opens; it keeps ${sessions.length === 1 ? "1 session" : `${sessions.length} sessions`}`,
        },
      ];
    } finally {
      await opened.value.close();
    }
  } catch (error) {
    return [{ check, state: "fail", words: wordsOf(error) }];
  }
}

/** Nothing where the database does not open: that was told. */
async function dialects({ settings }: CliRoom): Promise<Finding[]> {
  const opened = await openStore(settings).catch(() => undefined);
  if (!opened?.ok) return [];
  try {
    return [dialectFinding(await opened.value.measuredModels())];
  } finally {
    await opened.value.close();
  }
}

/** In which dialect each model did best that was measured. */
export function dialectFinding(models: readonly ModelRecord[]): Finding {
  const told = models.map(({ model, dialects }) => {
    const measured = dialects.flatMap((one) => one.measured ?? []);
    const best = measured.toSorted((one, other) => other.right / other.tasks - one.right / one.tasks)[0];
    return `${model} (best: ${best?.dialect ?? "none"}, ${best?.right ?? 0}/${best?.tasks ?? 0} tasks)`;
  });
  const words =
    told.length > 0 ? `measured: ${told.join(", ")}` : "no model was measured: see `toolwright probe MODEL`";
  return { check: "dialects", state: "ok", words };
}

/** Others on this machine must not read what was said and done. */
async function stateDirectory(path: string): Promise<Finding> {
  const check = "state directory";
  try {
    const { mode } = await stat(path);
    await access(path, constants.R_OK | constants.W_OK | constants.X_OK);
    const open = process.platform !== "win32" && (mode & 0o077) !== 0;
    if (!open) return { check, state: "ok", words: path };
    return { check, state: "warn", words: `${path} can be read by others: run \`chmod 700 ${path}\`` };
  } catch (error) {
    return {
      check,
      state: "fail",
      words: `${path} cannot be used (${wordsOf(error)}): choose another with --state-dir`,
    };
  }
}

async function freeDisk(path: string): Promise<Finding> {
  const check = "free disk";
  try {
    const { bavail, bsize } = await statfs(await nearestExisting(path));
    const free = bavail * bsize;
    const words = `${sizeInWords(free)} where sessions are kept`;
    if (free >= littleDisk) return { check, state: "ok", words };
    return { check, state: free < tooLittleDisk ? "fail" : "warn", words: `only ${words}: make room` };
  } catch (error) {
    return { check, state: "warn", words: `cannot be told (${wordsOf(error)})` };
  }
}

async function workspace(path: string): Promise<Finding> {
  const check = "workspace";
  const place = await nearestExisting(path);
  try {
    await access(place, constants.R_OK | constants.W_OK);
    const [warning] = workspaceWarning(await realpath(place));
    if (warning !== undefined) return { check, state: "warn", words: `${path}. ${warning}` };
    return { check, state: "ok", words: place === path ? path : `${path} will be made` };
  } catch {
    return {
      check,
      state: "warn",
      words: `${place} is read-only for you: files can be read there, not changed`,
    };
  }
}

async function nearestExisting(path: string): Promise<string> {
  for (let place = path; ; place = dirname(place)) {
    const found = await stat(place).then(
      () => true,
      () => false,
    );
    if (found || dirname(place) === place) return place;
  }
}

async function program(check: string, path: string, remedy: string): Promise<Finding> {
  const version = await versionOf(path);
  if (version === undefined) return { check, state: "warn", words: `not found: ${remedy}` };
  return { check, state: "ok", words: version };
}

async function ripgrep(): Promise<Finding> {
  const bundled = await import("@vscode/ripgrep").then(
    ({ rgPath }) => rgPath,
    () => undefined,
  );
  const brought = bundled === undefined ? undefined : await versionOf(bundled);
  if (brought !== undefined) return { check: "ripgrep", state: "ok", words: brought };
  return program("ripgrep", "rg", "searches use a slower way of our own; install it to speed them up");
}

/** The first line of `--version`. */
function versionOf(path: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    execFile(
      path,
      ["--version"],
      { timeout: bounds.screen.versionTime.most, encoding: "utf8" },
      (error, output) => {
        resolve(error ? undefined : output.split("\n")[0]?.trim());
      },
    );
  });
}

/** One line for what there is, and one for each place that was tried in vain. */
export function modelFindings(reach: readonly Reach[], missing: string | undefined): Finding[] {
  const found = reach.reduce((sum, { models }) => sum + models.length, 0);
  const names = reach.filter(({ models }) => models.length > 0).map(({ provider }) => provider);
  const summary: Finding = hasModel(reach)
    ? { check: "models", state: "ok", words: `${found} within reach (${names.join(", ")})` }
    : {
        check: "models",
        state: "warn",
        words: missing ?? "the one that is configured lists no models: `toolwright models` says why",
      };
  const others = reach
    .filter(({ problem }) => problem !== undefined)
    .map(({ provider, models, problem = "" }): Finding => ({
      check: provider,
      state: models.length > 0 ? "warn" : "ok",
      words: models.length > 0 ? problem : `not in use: ${problem}`,
    }));
  return [summary, ...others];
}

/** Tried, not only looked for. */
async function sandbox({ settings }: CliRoom): Promise<Finding[]> {
  const check = "sandbox";
  const found = await findSandbox();
  if (found.kind === "none") {
    const words = `none: ${found.because}. Until then each command that does more than read asks first`;
    return [{ check, state: "warn", words }, undoInPart("there is no sandbox")];
  }
  const lacks = found.lacks.length === 0 ? "" : `, but ${found.lacks.join(", ")}`;
  const words = `${found.kind} ${found.version}: commands run contained${lacks}`;
  const place = await nearestExisting(settings.workspace);
  const layers = await found.layers({ workspace: await realpath(place), stateDir: settings.stateDir });
  return [
    { check, state: lacks === "" ? "ok" : "warn", words },
    layers.works
      ? { check: "undo", state: "ok", words: "covers what tools and commands change in the workspace" }
      : undoInPart(layers.because),
  ];
}

/** Of what commands change. */
export const undoInPart = (because: string): Finding => ({
  check: "undo",
  state: "warn",
  words: `covers all that tools change; of what commands change only files that they name, that git has or that are small: ${because}`,
});

/** Tried as well: the package may be there without what it needs. */
export async function terminals(open: OpenPty = openPty, waitMs = 5_000): Promise<Finding> {
  const check = "terminals";
  const ended = Promise.withResolvers<string | undefined>();
  const opened = await open({
    command: [process.execPath, "--version"],
    cwd: "/",
    env: {},
    columns: 80,
    rows: 24,
    onOutput: () => undefined,
    onEnd: ({ exit }) => ended.resolve(exit === 0 ? undefined : "none: a program on one failed"),
  });
  if (!opened.ok) return { check, state: "warn", words: opened.problem };
  const timer = setTimeout(() => ended.resolve("none: a program on one does not end"), waitMs);
  const problem = await ended.promise;
  clearTimeout(timer);
  return problem === undefined
    ? { check, state: "ok", words: "work" }
    : { check, state: "warn", words: problem };
}

const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
