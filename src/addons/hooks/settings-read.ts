/** Reads the hooks of a session from its settings, again whenever one of the files changes. */

import { join } from "node:path";
import type { Expected } from "../../base/expected.ts";
import { stateOfFiles } from "../../base/safe-fs/small-file.ts";
import type { AddonContext } from "../part.ts";
import { foreignFiles, foreignHooks } from "./foreign-form.ts";
import type { ReadHooks } from "./foreign-form.ts";
import type { Hook, HookEvent } from "./hook.ts";
import { hooksOf } from "./own-form.ts";
import type { HookSettings } from "./settings.ts";

/** `path`: the workspace's own configuration file that lists hooks. */
export type HooksSaid = {
  user?: readonly HookSettings[] | undefined;
  workspace?: readonly HookSettings[] | undefined;
  path?: string | undefined;
};

export type HooksConfigured = HooksSaid & {
  /** The absolute paths to watch, and how to reread them; without it the settings are fixed. */
  from?: { files: readonly string[]; read(): Promise<Expected<HooksSaid>> } | undefined;
};

/** `state` differs after every change of a file. */
type HooksAgain = ReadHooks & { state: string };

export type SettingsRead = {
  first: ReadHooks;
  /** Undefined: no file has changed since the last check. A file that cannot be read keeps its previous hooks. */
  again(): Promise<HooksAgain | undefined>;
};

/** `since`: the state of the configuration files when `configured` was read. */
export function readHookSettings(
  configured: HooksConfigured,
  since: string,
  { workspace, parent }: Pick<AddonContext, "workspace" | "parent">,
): SettingsRead {
  const isSubagent = parent !== undefined;
  const others = foreignFiles.map((path) => join(workspace, path));
  let seen = { own: since, others: stateOfFiles(others) };
  let own = ownHooks(configured, workspace);
  let foreign = foreignHooks(workspace);
  const all = (): Hook[] => [...own, ...foreign.hooks].flatMap((hook) => forSession(hook, isSubagent));
  return {
    first: { hooks: all(), problems: foreign.problems },
    async again() {
      const now = { own: stateOfFiles(configured.from?.files ?? []), others: stateOfFiles(others) };
      const problems: string[] = [];
      const isOther = { own: now.own !== seen.own, others: now.others !== seen.others };
      if (!isOther.own && !isOther.others) return undefined;
      seen = now;
      if (isOther.own && configured.from) {
        const read = await configured.from.read();
        if (read.ok) own = ownHooks(read.value, workspace);
        else problems.push(`${read.problem}. The hooks stay as they were until that is fixed.`);
      }
      if (isOther.others) {
        foreign = foreignHooks(workspace, foreign.hooks);
        problems.push(...foreign.problems);
      }
      return { hooks: all(), problems, state: `${now.own}\n${now.others}` };
    },
  };
}

const ownHooks = (
  { user = [], workspace: brought = [], path = "" }: HooksSaid,
  workspace: string,
): Hook[] => [
  ...hooksOf(user),
  ...hooksOf(brought, path.startsWith(`${workspace}/`) ? path.slice(workspace.length + 1) : path),
];

/** Events that no person causes in a subagent's session, so a person's hooks do not run at them there. */
const ofPersons: readonly HookEvent[] = ["session-start", "session-end", "prompt", "turn-end"];

/** The other agents' format marks hooks for subagents itself. */
function forSession(hook: Hook, isSubagent: boolean): Hook[] {
  if (!isSubagent || hook.foreign !== undefined) return hook.on.length === 0 ? [] : [hook];
  const on = hook.on.filter((event) => !ofPersons.includes(event));
  return on.length === 0 ? [] : [{ ...hook, on }];
}
