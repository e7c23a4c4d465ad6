/** The addon tools that a session of this workspace would have, found without opening one. */

import type { EnvironmentVariables } from "../../base/environment-variables.ts";
import { refuse } from "../../base/expected.ts";
import { homeDirectory } from "../../base/paths.ts";
import { childEnvironment } from "../../base/process.ts";
import { partTools } from "../../configuration/addon-tools.ts";
import type { Config } from "../../configuration/config.ts";
import type { Tool } from "../../tools/tool.ts";
import { openTrust } from "../../trust/trust.ts";
import { addonsOf } from "./addons.ts";

/** Checked on each call, since project contents and approvals may change. Starts nothing. */
export async function partToolsHere(
  { workspace, stateDir, configDir, addons }: Pick<Config, "workspace" | "stateDir" | "configDir" | "addons">,
  env: EnvironmentVariables,
): Promise<readonly Tool[]> {
  const { fetch, webSearch, languageServers } = addons.user;
  const opened = addonsOf({
    configured: {
      user: {
        fetch,
        webSearch,
        languageServers,
      },
      workspace: {},
    },
    workspace,
    home: homeDirectory(env),
    stateDir,
    configDir,
    environment: childEnvironment(env),
    withheld: () => undefined, // nothing is read here
    trust: openTrust(stateDir, workspace),
  })({
    session: "",
    isResumed: false,
    contain: async () => refuse("nothing is started here"),
    warn: () => undefined,
  });
  try {
    const names = new Set(partTools.map(({ name }) => name));
    return opened.tools().filter(({ name }) => names.has(name));
  } finally {
    await opened.close();
  }
}
