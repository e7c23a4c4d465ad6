/** How sessions use the sandbox: its state, for policy decisions, and how commands are run inside it. */

import { homedir } from "node:os";
import { join, relative } from "node:path";
import type { Containing } from "../agent/turn-context.ts";
import { once } from "../base/async.ts";
import { type Expected, refuse } from "../base/expected.ts";
import { isWithin, stateDirectory } from "../base/paths.ts";
import type { Change } from "../base/safe-fs/image.ts";
import type { Tree } from "../base/safe-fs/tree.ts";
import type { Profile, SandboxRefusal, SandboxRecord } from "../protocol/facts.ts";
import type { SandboxState } from "../safety/evaluate-policy.ts";
import { refusedHint } from "../safety/refusals.ts";
import { gitVariables } from "../safety/sandbox/environment.ts";
import { failureHint } from "../safety/sandbox/failure-hint.ts";
import { directoryProblem } from "../safety/sandbox/given-outside.ts";
import { workspaceProblem } from "../safety/sandbox/request.ts";
import type { ContainedRun, Sandbox } from "../safety/sandbox/sandbox.ts";
import type { ReferencesRecord } from "../session/git-references/record-references.ts";
import type { CapturedImages } from "../session/workspace-record/capture.ts";
import type { CommandRecord } from "../session/workspace-record/record.ts";
import { type Contain, type ContainedCommand, type ContainedOutcome, withoutSandbox } from "../tools/tool.ts";
import { heldByTrust } from "../trust/held-files.ts";
import { recordWriter } from "../trust/writers.ts";
import { repositoryWatch } from "./made-repository.ts";
import { isOfTrusted } from "./policy.ts";

type SandboxSetup = {
  sandbox?: () => Promise<Sandbox>;
  workspace: string;
  home?: string;
  stateDir?: string;
  /** Hosts that installs may reach in addition to the public registries. */
  registries?: readonly string[];
  /** Directories elsewhere that commands see nothing of. */
  others?: () => Promise<readonly string[]>;
};

export type ContainSetup = SandboxSetup & {
  files: Tree;
  /** File contents read for undo before the session's earlier commands. */
  remembered: CapturedImages;
  signal: AbortSignal;
  /** What no result waits for, but the session's end does. */
  afterwards: Set<() => Promise<void>>;
};

/** Detects this machine's sandbox. The detection code is loaded on first use. */
export const findSandbox = async (options: SearchOptions = {}): Promise<Sandbox> =>
  (await import("../safety/sandbox/sandbox.ts")).findSandbox(options);

/** `stateDir`: where what works here is remembered. */
type SearchOptions = { closing?: AbortSignal; stateDir?: string };

export async function sandboxState(setup: SandboxSetup): Promise<SandboxState> {
  const found = await setup.sandbox?.();
  if (!found) return { isOn: false, because: "this session was started without one" };
  if (found.kind === "none") return { isOn: false, because: found.because };
  const { workspace, stateDir = stateDirectory(process.env) } = setup;
  const overlays = await found.overlays({ workspace, stateDir });
  return { isOn: true, overlays, profiles: found.profiles };
}

/** Warns people up front that contained commands can only read in this workspace. */
export function workspaceWarning(workspace: string, home = homedir()): string[] {
  const problem = workspaceProblem(workspace, home);
  return problem === undefined ? [] : [`In the sandbox commands can only read here: ${problem}.`];
}

/**
 * A command whose decision says "no sandbox" runs unconfined; one decided as contained never does, even if the sandbox
 * has disappeared since. Changes that undo must cover go to an overlay over the workspace; without an overlay, the workspace
 * is recorded before and after.
 */
export function containIn(setup: ContainSetup, decided: SandboxRecord, how: Containing): Contain {
  const { profile, isOn, undo } = decided;
  return async (request) => {
    const { home = homedir(), workspace, stateDir = stateDirectory(process.env) } = setup;
    const isMade = profile === "read" ? undefined : repositoryWatch({ workspace, stateDir });
    const lasting = request.lasting ?? false;
    const recorded = undo === "partly" && !lasting ? await record(setup, how, request.env) : undefined;
    const moving = writesRepository(decided) && !lasting && !how.stages ? await movedReferences() : undefined;
    if (!isOn) {
      const isGuarded = profile === "read" && !isOfTrusted(decided);
      const read = isGuarded ? await withGitVariables(request, workspace) : undefined;
      if (read && !read.ok) return read;
      const free = await withoutSandbox(read?.value ?? request);
      if (!free.ok) return free;
      const references = await moving?.recordRepositories(workspace, request);
      return {
        ok: true,
        value: { ...withRecord(free.value, { recorded, references, isMade, setup }), runsIn: decided },
      };
    }
    const overlay = overlayFor(decided, how, lasting);
    const contained = await containAs(setup, { decided, how }, { ...request, overlay });
    if (!contained.ok) return contained;
    const references = await moving?.recordRepositories(workspace, request, contained.value.repositories);
    const command = request.command.at(-1);
    const found = await setup.sandbox?.();
    const sandbox = found?.kind;
    const places = [workspace, home];
    const inside = { git: [], protected: [] };
    const mayGive = (directory: string): boolean =>
      directoryProblem(directory, { home, stateDir, workspace, profile }, inside) === undefined;
    let refused: readonly SandboxRefusal[] | undefined;
    let hidden: readonly string[] | undefined;
    const whyFailed = (output: string): string | undefined => {
      const isObserved = refused !== undefined;
      if (found && found.kind !== "none" && isNotMade(output)) found.forgetTryOuts?.();
      const held = heldByTrust(stateDir);
      const hint = failureHint(profile, output, { places, held, hidden, command, sandbox, isObserved });
      const told = [refused?.length ? refusedHint(refused, mayGive) : undefined, hint];
      return told.filter((one) => one !== undefined).join(" ") || undefined;
    };
    const recording = withRecord(
      profile === "git" && overlay && references && moving
        ? moving.wholeOrNothing(contained.value, { references, workspace })
        : contained.value,
      { recorded, references, isMade, setup },
    );
    const finished = async (): Promise<ContainedOutcome> => {
      const ended = await recording.finished();
      ({ refused, hidden } = ended);
      return ended;
    };
    return { ok: true, value: { ...recording, finished, whyFailed, runsIn: decided } };
  };
}

/** What the programs that make the sandbox say; if the command itself says so, something is tried once more. */
const isNotMade = (output: string): boolean =>
  /^(?:bwrap: |The command was not run, because its sandbox could not|The sandbox could not mount)/m.test(
    output,
  );

/**
 * Runs a long-lived program beside the session, in `profile`, without an overlay or network. Without a sandbox it is
 * refused rather than started unconfined.
 */
export async function containLasting(
  setup: SandboxSetup,
  profile: Profile,
  request: Pick<Parameters<Contain>[0], "command" | "directory" | "env"> & { programs?: readonly string[] },
): Promise<Expected<ContainedCommand>> {
  const how: Containing = { shown: { needs: [], named: [] }, changed: [], stages: false };
  const decided: SandboxRecord = { profile, isOn: true };
  return containAs(setup, { decided, how }, { ...request, lasting: true, overlay: false });
}

/** Read-only commands need no overlay; terminal programs have no end at which an overlay could be applied. */
function overlayFor(
  { profile, undo }: SandboxRecord,
  { stages }: Containing,
  lasting: boolean,
): boolean | "whole" {
  if (profile === "read" || lasting) return false;
  return stages ? "whole" : undo === "workspace";
}

type ToolContainRequest = Parameters<Contain>[0] & {
  overlay: boolean | "whole";
  programs?: readonly string[];
};

async function containAs(
  setup: SandboxSetup,
  { decided: { profile, outside }, how }: { decided: SandboxRecord; how: Containing },
  { lasting, overlay, ...request }: ToolContainRequest,
): Promise<Expected<ContainedRun>> {
  const { workspace, home = homedir(), stateDir = stateDirectory(process.env), registries = [] } = setup;
  const sandbox = await setup.sandbox?.();
  if (!sandbox || sandbox.kind === "none")
    return refuse("The sandbox in which it was to run is gone, so it was not run.");
  const { needs, named } = how.shown;
  const unmasked =
    profile === "open" ? needs.map((place) => join(place.startsWith("./") ? workspace : home, place)) : [];
  const command = request.command.at(-1) ?? "";
  const writer = profile === "read" ? undefined : recordWriter(stateDir, { workspace, profile, command });
  if (writer && !writer.ok) return writer;
  const others = await setup.others?.();
  const places = { workspace, home, stateDir, unmasked, named, hosts: registries, others };
  const contained = await sandbox.contain({
    ...request,
    ...places,
    profile,
    held: writer?.value.held,
    ...(overlay ? { overlay } : {}),
    outside,
    ...(lasting ? { terminal: true } : {}),
  });
  if (!contained.ok) writer?.value.ended();
  return contained.ok && writer
    ? { ok: true, value: untilEnded(contained.value, writer.value, setup) }
    : contained;
}

/** What was approved while the command ran over its overlay could not be held there, so those changes are dropped. */
function untilEnded(
  command: ContainedRun,
  { held, ended }: { held: readonly string[]; ended: () => void },
  { workspace, stateDir = stateDirectory(process.env) }: SandboxSetup,
): ContainedRun {
  const finish = async (): ReturnType<ContainedRun["finished"]> => {
    try {
      const { changes, warnings, ...rest } = await command.finished();
      const since = changes.length === 0 ? [] : heldByTrust(stateDir).filter((path) => !held.includes(path));
      const isHeld = ({ path }: Change): boolean =>
        since.some((one) => isWithin(one, join(workspace, path)) || isWithin(join(workspace, path), one));
      const dropped = changes.filter(isHeld).map(({ path }) => heldWarning(path));
      return { ...rest, changes: changes.filter((one) => !isHeld(one)), warnings: [...warnings, ...dropped] };
    } finally {
      ended();
    }
  };
  const { drop } = command;
  const dropped = drop && { drop: () => drop().finally(ended) };
  return { ...command, ...dropped, finished: once(finish) };
}

const heldWarning = (path: string): string =>
  `${path} was changed by the command, but not in the workspace: while the command ran, something that runs this file was approved.`;

/** Records as much of the workspace as is needed to undo the command's changes. */
async function record(
  { files, workspace, remembered, signal }: ContainSetup,
  { changed }: Containing,
  env: Readonly<Record<string, string>>,
): Promise<CommandRecord> {
  const [{ recordWorkspace }, { gitReader }] = await Promise.all([
    import("../session/workspace-record/record.ts"),
    import("../session/workspace-record/git-reader.ts"),
  ]);
  const named = changed.filter((path) => isWithin(workspace, path)).map((path) => relative(workspace, path));
  return recordWorkspace(files, { named, git: gitReader({ workspace, env }), remembered, signal });
}

/** Whether a command may move branches and the like: nothing else that is contained can. */
const writesRepository = ({ profile, isOn }: SandboxRecord): boolean =>
  profile === "git" || profile === "open" || (!isOn && profile !== "read");

/** Loaded on demand: most commands touch no repository. */
const movedReferences = () => import("./moved-references.ts");

type CommandRecords = {
  recorded: CommandRecord | undefined;
  references: ReferencesRecord | undefined;
  isMade: (() => Promise<void>) | undefined;
  setup: Pick<ContainSetup, "afterwards">;
};

function withRecord(
  command: ContainedCommand,
  { recorded, references, isMade, setup }: CommandRecords,
): ContainedCommand {
  if (recorded === undefined && references === undefined) return command;
  const finished = async (): Promise<ContainedOutcome> => {
    const ended = await command.finished();
    const moved = await references?.changes();
    for (const settle of references?.settling ?? []) setup.afterwards.add(settle);
    const beyond = [...(ended.uncovered ?? []), ...(moved?.uncovered ?? [])];
    // What is new and beyond undo is put into the workspace only then.
    const settled = async (): Promise<void> => {
      await ended.settled?.();
      await isMade?.();
    };
    const told = {
      ...ended,
      settled,
      ...(beyond.length > 0 ? { uncovered: beyond } : {}),
      ...(moved ? { references: moved.changes } : {}),
    };
    if (recorded === undefined) return told;
    const { changes, uncovered, truncated } = await recorded.changes();
    const unseen = truncated ? ["what lies beyond the files that are looked at: there are too many"] : [];
    return { ...told, changes, uncovered: [...beyond, ...uncovered, ...unseen], made: true };
  };
  return { ...command, finished };
}

/** Even read-only git commands run programs that the repository configures, unless git is told not to. */
async function withGitVariables<Request extends Parameters<Contain>[0]>(
  request: Request,
  workspace: string,
): Promise<Expected<Request>> {
  const { gitSettingsToRead } = await import("../safety/sandbox/known-repositories.ts");
  const { env, command } = request;
  const answered = await gitSettingsToRead({ workspace, env, command });
  if (!answered.ok) return refuse(`The command was not run: ${answered.problem}.`);
  return { ok: true, value: { ...request, env: { ...env, ...gitVariables(answered.value) } } };
}
