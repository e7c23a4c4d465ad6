/** The hooks of a session as its settings say, read again where one of their files has changed. */

import { join } from "node:path";
import type { Expected } from "../../base/expected.ts";
import { fileState } from "../../base/safe-fs/small-file.ts";
import type { AddonRoom } from "../part.ts";
import { foreignFiles, foreignHooks } from "./foreign-form.ts";
import type { Hook, HookEvent } from "./hook.ts";
import { hooksOf } from "./own-form.ts";
import type { HookSettings } from "./settings.ts";

/** `path`: the file of the workspace's own configuration that says its hooks. */
export type HooksSaid = {
  user?: readonly HookSettings[] | undefined;
  workspace?: readonly HookSettings[] | undefined;
  path?: string | undefined;
};

export type HooksConfigured = HooksSaid & {
  /** The files that say so, absolute, to be read again when one of them changes; it stays as it is by default. */
  from?: { files: readonly string[]; read(): Promise<Expected<HooksSaid>> } | undefined;
};

type ReadHooks = { hooks: readonly Hook[]; problems: readonly string[] };
/** `state` differs with each change of a file. */
type HooksAgain = ReadHooks & { state: string };

export type SettingsRead = {
  first: ReadHooks;
  /** Undefined: no file has changed since the last look. What cannot be read leaves its hooks as they were. */
  again(): Promise<HooksAgain | undefined>;
};

export const stateOfFiles = (paths: readonly string[]): string =>
  paths.map((path) => `${path} ${fileState(path)}`).join("\n");

/** `since`: the state of its own files when `configured` was read from them. */
export function readHookSettings(
  configured: HooksConfigured,
  since: string,
  { workspace, parent }: Pick<AddonRoom, "workspace" | "parent">,
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

/** Of a session that another one has given its task, these are none of a person's doing. */
const ofPersons: readonly HookEvent[] = ["session-start", "session-end", "prompt", "turn-end"];

/** Other agents' form says itself what is for subagents. */
function forSession(hook: Hook, isSubagent: boolean): Hook[] {
  if (!isSubagent || hook.foreign !== undefined) return hook.on.length === 0 ? [] : [hook];
  const on = hook.on.filter((event) => !ofPersons.includes(event));
  return on.length === 0 ? [] : [{ ...hook, on }];
}
