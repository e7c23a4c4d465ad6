/** Decides about files that reach a model without a call: instructions, skills, commands, files that people name. */

import { isAbsolute, relative } from "node:path";
import type { AddonDirectories } from "../addons/part.ts";
import type { EnvironmentVariables } from "../base/environment-variables.ts";
import { homeDirectory, isWithin, realWorkspace } from "../base/paths.ts";
import type { Config } from "../configuration/config.ts";
import { evaluatePolicy } from "../safety/evaluate-policy.ts";
import { sensitiveFiles } from "../safety/sensitive-files.ts";
import { readFile } from "../tools/read-file.ts";
import { type PolicySetup, policyFor } from "./policy.ts";

/** Why a file is not read without a question. `isDenied`: not even with one. `isSecret`: by its name. */
export type ReadingObjection = { because: string; isDenied: boolean; isSecret: boolean };

/** What objects to reading the file at an absolute path. */
export type FileObjection = (path: string) => ReadingObjection | undefined;

type ReadingSetup = Pick<PolicySetup, "workspace" | "home" | "rules" | "sensitive">;

type ReadingSettings = Pick<Config, "rules" | "autoApproveEdits">;
type ReadingPlace = Pick<ReadingSetup, "workspace" | "home">;

/** From the settings of a workspace. */
export function objectionsIn(
  { rules, autoApproveEdits }: ReadingSettings,
  place: ReadingPlace,
): FileObjection {
  const setup = { ...place, rules, sensitive: sensitiveFiles(...autoApproveEdits) };
  return (path) => objectionToReading(path, setup);
}

/** The same for what no person has named. */
function withheldIn(settings: ReadingSettings, place: ReadingPlace): (path: string) => string | undefined {
  const objection = objectionsIn(settings, place);
  return (path) => objection(path)?.because;
}

/** Where the addons of a workspace lie, where no runtime has been started. */
export async function addonDirectoriesIn(
  settings: ReadingSettings & Pick<Config, "workspace" | "configDir">,
  env: EnvironmentVariables,
): Promise<AddonDirectories> {
  const place = { workspace: await realWorkspace(settings.workspace), home: homeDirectory(env) };
  return { ...place, configDir: settings.configDir, withheld: withheldIn(settings, place) };
}

/** The decision that a call to read the file would get, without anybody's earlier approvals. */
export function objectionToReading(path: string, setup: ReadingSetup): ReadingObjection | undefined {
  const { workspace } = setup;
  const shown = isAbsolute(path) && isWithin(workspace, path) ? relative(workspace, path) || "." : path;
  const policy = policyFor({ ...setup, sandbox: { isOn: false }, interactive: true }, "ask", []);
  const decision = evaluatePolicy({ tool: readFile.name, does: "read", paths: [shown] }, policy);
  if (decision.verdict === "allow") return undefined;
  const isSecret = policy.sensitive(shown)?.holds === "secret";
  return { because: decision.because, isDenied: decision.verdict === "deny", isSecret };
}
