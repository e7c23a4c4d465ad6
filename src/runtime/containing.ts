/** The sandbox as sessions use it: its state for decisions, and how a command gets into it. */

import { homedir } from "node:os";
import { join, relative } from "node:path";
import type { Containing } from "../agent/room.ts";
import type { Expected } from "../base/expected.ts";
import { isWithin, stateDirectory } from "../base/paths.ts";
import type { Tree } from "../base/safe-fs/tree.ts";
import type { Profile, Sandboxed } from "../protocol/facts.ts";
import type { SandboxState } from "../safety/decide.ts";
import { gitVariables } from "../safety/sandbox/environment.ts";
import { failureHint } from "../safety/sandbox/failure-hint.ts";
import { workspaceProblem } from "../safety/sandbox/request.ts";
import type { Contained, Sandbox } from "../safety/sandbox/sandbox.ts";
import type { Captured } from "../session/workspace-record/capture.ts";
import type { Recorded } from "../session/workspace-record/record.ts";
import { type Contain, type ContainedCommand, type Finished, uncontained } from "../tools/tool.ts";

type SandboxSetup = {
  sandbox?: () => Promise<Sandbox>;
  workspace: string;
  home?: string;
  stateDir?: string;
  /** Hosts that installs may reach besides the public registries. */
  registries?: readonly string[];
};

/** `remembered`: what was read for undo before earlier commands of the session. */
export type ContainSetup = SandboxSetup & { files: Tree; remembered: Captured; signal: AbortSignal };

/** Looks for what this machine can contain commands with. Loaded when there is a command. */
export const findSandbox = async (): Promise<Sandbox> =>
  (await import("../safety/sandbox/sandbox.ts")).findSandbox();

export async function sandboxState(setup: SandboxSetup): Promise<SandboxState> {
  const found = await setup.sandbox?.();
  if (!found) return { isOn: false, because: "this session was started without one" };
  if (found.kind === "none") return { isOn: false, because: found.because };
  const { workspace, stateDir = stateDirectory(process.env) } = setup;
  return { isOn: true, layers: await found.layers({ workspace, stateDir }) };
}

/** For people, before they start work in a place where contained commands can only look. */
export function workspaceWarning(workspace: string, home = homedir()): string[] {
  const problem = workspaceProblem(workspace, home);
  return problem === undefined ? [] : [`In the sandbox commands can only read here: ${problem}.`];
}

/**
 * Where there is no sandbox, or none can hold it, the command runs as it is: the decision has said so. One that was to
 * be contained never runs otherwise, even if the sandbox has gone since. What undo is to cover runs over a layer of
 * the workspace; where that cannot be, the workspace is looked at before and after.
 */
export function containIn(setup: ContainSetup, decided: Sandboxed, how: Containing): Contain {
  const { profile, isOn, undo } = decided;
  return async (request) => {
    const lasting = request.lasting ?? false;
    const recorded = undo === "partly" && !lasting ? await record(setup, how, request.env) : undefined;
    if (!isOn) {
      const free = await uncontained(profile === "read" ? hardened(request) : request);
      return free.ok ? { ok: true, value: { ...withRecord(free.value, recorded), runsIn: decided } } : free;
    }
    const layer = layerFor(decided, how, lasting);
    const contained = await containAs(setup, { decided, how }, { ...request, layer });
    if (!contained.ok) return contained;
    const { home = homedir(), workspace } = setup;
    const command = request.command.at(-1);
    const whyFailed = (output: string): string | undefined =>
      failureHint(profile, output, { places: [workspace, home], command });
    const value = { ...withRecord(contained.value, recorded), whyFailed, runsIn: decided };
    return { ok: true, value };
  };
}

/**
 * A program that goes on beside the session, in this profile: without a layer and without the network. The problem is
 * why it cannot be; where there is no sandbox, it is not started.
 */
export async function containLasting(
  setup: SandboxSetup,
  profile: Profile,
  request: Pick<Parameters<Contain>[0], "command" | "directory" | "env"> & { programs?: readonly string[] },
): Promise<Expected<ContainedCommand>> {
  const how: Containing = { shown: { needs: [], named: [] }, changed: [], stages: false };
  const decided: Sandboxed = { profile, isOn: true };
  return containAs(setup, { decided, how }, { ...request, lasting: true, layer: false });
}

/** What only reads needs none, and on a terminal there is no end at which its changes could be made. */
function layerFor({ profile, undo }: Sandboxed, { stages }: Containing, lasting: boolean): boolean | "whole" {
  if (profile === "read" || lasting) return false;
  return stages ? "whole" : undo === "workspace";
}

type Request = Parameters<Contain>[0] & { layer: boolean | "whole"; programs?: readonly string[] };

async function containAs(
  setup: SandboxSetup,
  { decided: { profile }, how }: { decided: Sandboxed; how: Containing },
  { lasting, layer, ...request }: Request,
): Promise<Expected<Contained>> {
  const { workspace, home = homedir(), stateDir = stateDirectory(process.env), registries = [] } = setup;
  const sandbox = await setup.sandbox?.();
  if (!sandbox || sandbox.kind === "none")
    return { ok: false, problem: "The sandbox in which it was to run is gone, so it was not run." };
  const { needs, named } = how.shown;
  const unmasked =
    profile === "open" ? needs.map((place) => join(place.startsWith("./") ? workspace : home, place)) : [];
  const places = { workspace, home, stateDir, unmasked, named, hosts: registries };
  return sandbox.contain({
    ...request,
    ...places,
    profile,
    ...(layer ? { layer } : {}),
    ...(lasting ? { terminal: true } : {}),
  });
}

/** What stands in the workspace now, as far as it is needed to take back what the command changes. */
async function record(
  { files, workspace, remembered, signal }: ContainSetup,
  { changed }: Containing,
  env: Readonly<Record<string, string>>,
): Promise<Recorded> {
  const [{ recordWorkspace }, { gitReader }] = await Promise.all([
    import("../session/workspace-record/record.ts"),
    import("../session/workspace-record/git-reader.ts"),
  ]);
  const named = changed.filter((path) => isWithin(workspace, path)).map((path) => relative(workspace, path));
  return recordWorkspace(files, { named, git: gitReader({ workspace, env }), remembered, signal });
}

function withRecord(command: ContainedCommand, recorded: Recorded | undefined): ContainedCommand {
  if (recorded === undefined) return command;
  const finished = async (): Promise<Finished> => {
    const ended = await command.finished();
    const { changes, uncovered, truncated } = await recorded.changes();
    const unseen = truncated ? ["what lies beyond the files that are looked at: there are too many"] : [];
    return { ...ended, changes, uncovered: [...uncovered, ...unseen], made: true };
  };
  return { ...command, finished };
}

/** Looking with git runs programs that the repository names, unless git is told not to. */
const hardened = <Request extends { env: Readonly<Record<string, string>> }>(request: Request): Request => ({
  ...request,
  env: { ...request.env, ...gitVariables() },
});
