/** Finds what a workspace brings that needs a person's trust, without starting or using any of it. */

import { realpath } from "node:fs/promises";
import { homedir } from "node:os";
import type { TrustItem, Trust } from "../../addons/trust.ts";
import type { EnvironmentVariables } from "../../base/environment-variables.ts";
import { refuse } from "../../base/expected.ts";
import { childEnvironment } from "../../base/process.ts";
import type { Config } from "../../configuration/config.ts";
import { openTrust, type WorkspaceTrust } from "../../trust/trust.ts";
import { fileCommandsOf } from "../messages/file-commands.ts";
import { withheldIn } from "../reading.ts";
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
  const workspace = await realpath(settings.workspace).catch(() => settings.workspace);
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
  const { stateDir, configDir } = settings;
  const { languageServers } = settings.addons.user;
  const home = env["HOME"] || homedir();
  const place = { workspace, home, stateDir, configDir, withheld: withheldIn(settings, { workspace, home }) };
  const addons = addonsOf({
    ...place,
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
  await fileCommandsOf(place, looking).list();
  return { workspace, trust, things: [...things.values()], problems };
}
