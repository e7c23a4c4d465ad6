/** The sandbox as sessions use it: its state for decisions, and how a command gets into it. */
import { homedir } from "node:os";
import { join } from "node:path";
import { stateDirectory } from "../base/paths.ts";
import type { Sandboxed } from "../protocol/facts.ts";
import type { Shown } from "../safety/containment.ts";
import type { SandboxState } from "../safety/decide.ts";
import { gitVariables } from "../safety/sandbox/environment.ts";
import { failureHint } from "../safety/sandbox/failure-hint.ts";
import { workspaceProblem } from "../safety/sandbox/request.ts";
import type { Sandbox } from "../safety/sandbox/sandbox.ts";
import { type Contain, uncontained } from "../tools/tool.ts";

export type SandboxSetup = {
  sandbox?: () => Promise<Sandbox>;
  workspace: string;
  home?: string;
  stateDir?: string;
  /** Hosts that installs may reach besides the public registries. */
  registries?: readonly string[];
};

export async function sandboxState({ sandbox }: SandboxSetup): Promise<SandboxState> {
  const found = await sandbox?.();
  if (!found) return { isOn: false, because: "this session was started without one" };
  return found.kind === "none" ? { isOn: false, because: found.because } : { isOn: true };
}

/** For people, before they start work in a place where contained commands can only look. */
export function workspaceWarning(workspace: string, home = homedir()): string[] {
  const problem = workspaceProblem(workspace, home);
  return problem === undefined ? [] : [`In the sandbox commands can only read here: ${problem}.`];
}

/**
 * Where there is no sandbox, or none can hold it, the command runs as it is: the decision has said so. One that was to
 * be contained never runs otherwise, even if the sandbox has gone since.
 */
export function containIn(setup: SandboxSetup, decided: Sandboxed, { needs, named }: Shown): Contain {
  const { workspace, home = homedir(), stateDir = stateDirectory(process.env), registries = [] } = setup;
  const { profile, isOn } = decided;
  return async (request) => {
    if (!isOn) return uncontained(profile === "read" ? hardened(request) : request);
    const sandbox = await setup.sandbox?.();
    if (!sandbox || sandbox.kind === "none")
      return { ok: false, problem: "The sandbox in which it was to run is gone, so it was not run." };
    const unmasked =
      profile === "open" ? needs.map((place) => join(place.startsWith("./") ? workspace : home, place)) : [];
    const places = { workspace, home, stateDir, unmasked, named, hosts: registries };
    const contained = await sandbox.contain({ ...request, ...places, profile });
    if (!contained.ok) return contained;
    return {
      ok: true,
      value: { ...contained.value, whyFailed: (output) => failureHint(profile, output, [workspace, home]) },
    };
  };
}

/** Looking with git runs programs that the repository names, unless git is told not to (SAFETY.md 2.4). */
const hardened = <Request extends { env: Readonly<Record<string, string>> }>(request: Request): Request => ({
  ...request,
  env: { ...request.env, ...gitVariables() },
});
