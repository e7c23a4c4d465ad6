/** Judges one command and decides on it without running it: for `explain`, `inspect command` and the simulation. */

import { realpath } from "node:fs/promises";
import { homedir } from "node:os";
import { isWithin, realWorkspace } from "../../base/paths.ts";
import { childEnvironment } from "../../base/process.ts";
import { everyTool, sessionTools } from "../../configuration/addon-tools.ts";
import type { Config } from "../../configuration/config.ts";
import { namedRules } from "../../configuration/named-rules.ts";
import type { Mode } from "../../protocol/facts.ts";
import type { OwnPrograms } from "../../safety/dangers/data/row.ts";
import { evaluatePolicy, type Decision, type SandboxState } from "../../safety/evaluate-policy.ts";
import { judgeOnDisk } from "../../safety/judge-on-disk.ts";
import { judgeCommand } from "../../safety/judge.ts";
import type { Judgement } from "../../safety/judgement.ts";
import { sensitiveFiles } from "../../safety/sensitive-files.ts";
import { runCommand } from "../../tools/run-command.ts";
import { findSandbox, sandboxState, workspaceWarning } from "../containing.ts";
import { policyFor, type PolicySetup } from "../policy.ts";
import { readProjectGrants } from "../project-grants.ts";
import { withChosenHosts } from "../project-remotes.ts";

export type { Decision, Judgement, SandboxState };

/** Where a command would run. All paths are absolute. */
export type CommandLocation = {
  home: string;
  workspace: string;
  directory: string;
  own?: OwnPrograms;
};

export type JudgedCommand = {
  command: string;
  place: CommandLocation;
  judgement: Judgement;
  decision: Decision;
};

/** A place that is the same on every machine, so that results are comparable. */
export const fixedPlace: CommandLocation = {
  home: "/home/dev",
  workspace: "/home/dev/proj",
  directory: "/home/dev/proj",
};

/** Under the default policy, with no grants, and without consulting this machine. */
export function judgeByWords(
  command: string,
  { place, mode, sandbox }: { place: CommandLocation; mode: Mode; sandbox: SandboxState },
): JudgedCommand {
  const setup = { ...place, rules: [], sandbox, interactive: true };
  const subject = subjectOf(command, place);
  const decision = evaluatePolicy(subject, policyFor(setup, mode, []));
  return { command, place, judgement: subject.judgement, decision };
}

type ProcessSurroundings = { env: NodeJS.ProcessEnv; cwd: string };

/** As a conversation would decide here and now; `warnings` are for people. */
export async function judgeHere(
  command: string,
  settings: Config,
  surroundings: ProcessSurroundings,
): Promise<JudgedCommand & { warnings: string[] }> {
  const { setup, grants, warnings } = await policyHere(settings, surroundings.env);
  const { workspace, home } = setup;
  const here = await realWorkspace(surroundings.cwd);
  const directory = isWithin(workspace, here) ? here : workspace;
  const place = { home, workspace, directory, own: settings.programs };
  const environment = childEnvironment(surroundings.env);
  const about = subjectOf(command, place, environment["PATH"] ?? "");
  const policy = policyFor(setup, settings.mode, grants);
  const subject = await withChosenHosts(about, {
    policy,
    setup: { workspace, environment, registries: settings.registries },
    state: { turns: [{ startedAt: Date.now() }] },
  });
  return { command, place, judgement: about.judgement, decision: evaluatePolicy(subject, policy), warnings };
}

type PolicyHere = { setup: PolicySetup & { home: string }; grants: PolicyGrants; warnings: string[] };
type PolicyGrants = Parameters<typeof policyFor>[2];

/** The policy in effect for this workspace on this machine. */
export async function policyHere(settings: Config, env: NodeJS.ProcessEnv): Promise<PolicyHere> {
  const workspace = await realWorkspace(settings.workspace);
  const home = await realpath(env["HOME"] || homedir()).catch(() => homedir());
  const { rules, warnings } = namedRules(settings.rules, [...everyTool, ...sessionTools]);
  const kept = await readProjectGrants(settings.stateDir, workspace);
  const sandbox = await sandboxState({ sandbox: findSandbox, workspace });
  const sensitive = sensitiveFiles(...settings.autoApproveEdits);
  return {
    setup: { workspace, home, rules, sensitive, sandbox, interactive: true },
    grants: kept.grants,
    warnings: [
      ...settings.warnings,
      ...warnings,
      ...kept.warnings,
      ...(sandbox.isOn ? workspaceWarning(workspace, home) : []),
    ],
  };
}

/** `path`: where programs are looked for; without it only the words count. */
function subjectOf(command: string, place: CommandLocation, path?: string) {
  const words = judgeCommand(command, place);
  const judgement = path === undefined ? words : judgeOnDisk(words, { around: place, path });
  const { name: tool, does } = runCommand;
  const below = place.directory.slice(place.workspace.length + 1);
  const directory = below === "" ? {} : { directory: below };
  return { tool, does, paths: [], command, ...directory, judgement };
}
