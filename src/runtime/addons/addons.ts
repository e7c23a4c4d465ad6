/** The table of addon kinds, one line each. Absent addons cost next to nothing. */

import { homedir } from "node:os";
import { join } from "node:path";
import { openChecks } from "../../addons/checks/part.ts";
import { openHooks } from "../../addons/hooks/part.ts";
import type { HooksConfigured } from "../../addons/hooks/settings-read.ts";
import { openInstructions } from "../../addons/instructions/part.ts";
import { openLanguageServers } from "../../addons/languages/part.ts";
import type { McpServersOfRuntime } from "../../addons/mcp/part.ts";
import type { AddonOpener, AddonDirectories } from "../../addons/part.ts";
import { openAgents } from "../../addons/skills/agents-part.ts";
import { openSkills } from "../../addons/skills/part.ts";
import type { Trust } from "../../addons/trust.ts";
import { openWeb } from "../../addons/web/part.ts";
import type { AddonsConfigured } from "../../configuration/addon-settings.ts";
import { configNames } from "../../configuration/config-places.ts";
import type { OpenAddons } from "../session-setup.ts";
import { openParts } from "./session-addons.ts";
import { toolServersOf } from "./tool-servers.ts";

type AddonsSetup = {
  configured: AddonsConfigured;
  /** Absolute, with symbolic links resolved. */
  workspace: string;
  home?: string;
  stateDir: string;
  configDir: string;
  environment: Readonly<Record<string, string>>;
  withheld: AddonDirectories["withheld"];
  trust: Trust;
  /** Default: built from the other settings. */
  servers?: McpServersOfRuntime;
  /** Addons of the program that starts the runtime: before language servers, which leave to them what they check. */
  own?: readonly AddonOpener[];
  /** The tool servers that programs lend to sessions. */
  lent?: AddonOpener | undefined;
};

export function addonsOf(setup: AddonsSetup): OpenAddons {
  const { workspace, home = homedir(), stateDir, configDir, environment, withheld, trust } = setup;
  const place = { workspace, home, stateDir, configDir, environment, withheld, trust };
  return (session) => openParts(partsOf(setup), { ...place, ...session }, setup.own);
}

/** In the order in which the parts are called. */
function partsOf(setup: AddonsSetup): readonly AddonOpener[] {
  const { user, workspace, directories } = setup.configured;
  const servers = setup.servers ?? toolServersOf(setup);
  const said = { user: user.hooks, workspace: workspace.hooks, path: workspace.path };
  const hooks = openHooks({ ...said, from: directories && hookFiles(directories) });
  return [
    hooks,
    openInstructions,
    openSkills,
    openAgents,
    openWeb(user),
    openChecks,
    ...(setup.own ?? []),
    ...(setup.lent ? [setup.lent] : []),
    openLanguageServers(user.languageServers),
    servers.part,
  ];
}

type Directories = NonNullable<AddonsConfigured["directories"]>;

/** Re-reads configuration files that define hooks when they change during a session. */
const hookFiles = ({ user, workspace }: Directories): NonNullable<HooksConfigured["from"]> => ({
  files: [user, workspace].flatMap(namesIn),
  async read() {
    const { readFirst } = await import("../../configuration/config-levels.ts");
    const own = await readFirst(namesIn(user));
    if (!own.ok) return own;
    const brought = await readFirst(namesIn(workspace));
    if (!brought.ok) return brought;
    const { path, addons } = brought.value ?? {};
    return { ok: true, value: { user: own.value?.addons.hooks, workspace: addons?.hooks, path } };
  },
});

const namesIn = (directory: string): string[] => configNames.map((name) => join(directory, name));
