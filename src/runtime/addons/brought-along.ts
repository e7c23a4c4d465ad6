/** Finds what a workspace brings that needs a person's trust, without starting or using any of it. */

import type { TrustItem, Trust } from "../../addons/trust.ts";
import type { EnvironmentVariables } from "../../base/environment-variables.ts";
import { refuse } from "../../base/expected.ts";
import { childEnvironment } from "../../base/process.ts";
import type { Config } from "../../configuration/config.ts";
import { openTrust, type WorkspaceTrust } from "../../trust/trust.ts";
import { fileCommandsOf } from "../messages/file-commands.ts";
import { addonDirectoriesIn } from "../reading.ts";
import { addonsOf } from "./addons.ts";

export type BroughtAlong = {
  /** Absolute, with symbolic links resolved. */
  workspace: string;
  trust: WorkspaceTrust;
  /** Everything found now, including what has been approved. */
  things: readonly TrustItem[];
  /** One line each, for people. */
  problems: string[];
};

export async function broughtAlong(
  settings: Pick<Config, "workspace" | "stateDir" | "configDir" | "addons" | "autoApproveEdits" | "rules">,
  env: EnvironmentVariables,
): Promise<BroughtAlong> {
  const directories = await addonDirectoriesIn(settings, env);
  const { workspace } = directories;
  const trust = openTrust(settings.stateDir, workspace);
  const things = new Map<string, TrustItem>();
  const problems = [...trust.warnings()];
  const looking: Trust = {
    allows(thing) {
      things.set(JSON.stringify([thing.kind, thing.name, thing.where]), thing);
      return false;
    },
    waiting: () => [],
    filesRun: () => trust.filesRun(),
  };
  const { languageServers } = settings.addons.user;
  const addons = addonsOf({
    ...directories,
    stateDir: settings.stateDir,
    // The user's language servers may load workspace content, so they count; the user's other addons are not opened.
    configured: {
      user: languageServers === undefined ? {} : { languageServers },
      workspace: settings.addons.workspace,
    },
    environment: childEnvironment(env),
    trust: looking,
  })({
    session: "",
    isResumed: false,
    contain: async () => refuse("nothing is started here"),
    warn: (_, text) => void problems.push(text),
  });
  await addons.ready();
  await addons.close();
  await fileCommandsOf(directories, looking).list();
  return { workspace, trust, things: [...things.values()], problems };
}
