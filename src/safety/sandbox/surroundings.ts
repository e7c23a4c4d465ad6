/** What is looked at before a command that no layer keeps from the workspace. */

import type { Expected } from "../../base/expected.ts";
import { cacheFor } from "./caches.ts";
import type { FilledLook } from "./filled-directories.ts";
import { repositoriesOf } from "./git-places.ts";
import type { GitSetting } from "./git-programs.ts";
import { type Guard, guardWorkspace } from "./guard.ts";
import { knownHome } from "./home-index.ts";
import { gitSettings } from "./known-repositories.ts";
import { maskSecrets } from "./masks.ts";
import type { SandboxMount } from "./mounts.ts";
import type { CheckedRequest } from "./request.ts";
import { type IndexedPlaces, knownWorkspace, withSecrets } from "./workspace-index.ts";

export type CommandSurroundings = {
  found: IndexedPlaces;
  filled: FilledLook;
  /** Git directories that the command may write, and what its git is told. */
  git: readonly string[];
  settings: readonly GitSetting[];
  masks: readonly SandboxMount[];
  cache: string | undefined;
  guard: Guard;
};

export async function surroundingsOf(request: CheckedRequest): Promise<Expected<CommandSurroundings>> {
  const { home, workspace } = request;
  const index = knownWorkspace(workspace);
  const indexed = index.look();
  const filled = await index.lookIntoFilled(indexed);
  const found = withSecrets(indexed, filled);
  const git = repositoriesOf(request, found);
  if (!git.ok) return git;
  const settings = await gitSettings(request, found, git.value);
  if (!settings.ok) return settings;
  const { environmentFiles } = found;
  const byRule = knownHome(home, workspace).look();
  const masks = maskSecrets({ ...request, environmentFiles, byRule, emptied: [], sockets: [] });
  if (!masks.ok) return masks;
  const known = { found, filled, git: git.value, settings: settings.value, masks: masks.value };
  const guard = guardWorkspace(request, { found, index, git: git.value });
  return { ok: true, value: { ...known, cache: cacheFor(request), guard } };
}
