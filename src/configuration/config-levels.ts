/** Reads the configuration files of a run: the user's, theirs for this workspace, and the workspace's own. */

import { resolve } from "node:path";
import { type Expected, refuse } from "../base/expected.ts";
import type { ConfigFile } from "./config-file.ts";
import { placesOf } from "./config-places.ts";
import { readConfigText } from "./config-text.ts";
import { configDirectory } from "./directories.ts";
import type { Values } from "./options/options.ts";
import { pathOf } from "./setting-values.ts";

/** The files that are there, by scope. */
export type ConfigLevels = { user?: ConfigFile; local?: ConfigFile; project?: ConfigFile };

export type LevelSources = {
  arguments: { flags: Values };
  env: NodeJS.ProcessEnv;
  cwd: string;
  /** Ignore all files, and a wrong variable: for commands that report what is wrong with them, or mend it. */
  withoutFiles?: true;
};

export const workspaceOf = ({ arguments: { flags }, cwd }: LevelSources): string =>
  resolve(cwd, typeof flags.cwd === "string" ? flags.cwd : ".");

/** The problem is one line with file and line number. */
export async function readLevels(sources: LevelSources): Promise<Expected<ConfigLevels>> {
  if (sources.withoutFiles) return { ok: true, value: {} };
  const { env, cwd, arguments: given } = sources;
  const configFile = pathOf(given.flags.configFile, cwd, env);
  const directories = { configDir: configDirectory(env), configFile, workspace: workspaceOf(sources) };
  const user = await readFirst(placesOf("user", directories));
  if (!user.ok) return user;
  if (configFile !== undefined && user.value === undefined)
    return refuse(`There is no file ${configFile}: give the option "configFile" a configuration file`);
  const local = await readFirst(placesOf("local", directories));
  if (!local.ok) return local;
  const project = await readFirst(placesOf("project", directories), { ofWorkspace: true });
  if (!project.ok) return project;
  return {
    ok: true,
    value: {
      ...(user.value ? { user: user.value } : {}),
      ...(local.value ? { local: ofOneWorkspace(local.value) } : {}),
      ...(project.value ? { project: project.value } : {}),
    },
  };
}

/** `ofWorkspace`: mistakes are told in `warnings`, instead of making the file unusable. */
export async function readFirst(
  places: readonly string[],
  how: { ofWorkspace?: true } = {},
): Promise<Expected<ConfigFile | undefined>> {
  for (const path of places) {
    const text = readConfigText(path);
    if (text.ok && text.value === undefined) continue;
    if (how.ofWorkspace) {
      const { readWorkspaceFile, unreadWorkspaceFile } = await import("./workspace-file.ts");
      const read = text.ok
        ? readWorkspaceFile(path, text.value ?? "")
        : unreadWorkspaceFile(path, text.problem);
      return { ok: true, value: await read };
    }
    if (!text.ok) return text;
    const { readConfigFile } = await import("./config-file.ts");
    return readConfigFile(path, text.value ?? "");
  }
  return { ok: true, value: undefined };
}

/** Keys and programs are the user's everywhere; what differs from workspace to workspace are options and rules. */
export function ofOneWorkspace({
  path,
  values,
  rules,
  autoApproveEdits,
  warnings,
  ...file
}: ConfigFile): ConfigFile {
  const { addons, leastMode: _, ...sections } = file;
  const others = Object.keys({ ...sections, ...addons });
  return {
    path,
    values,
    rules,
    autoApproveEdits,
    addons: {},
    warnings: [
      ...warnings,
      ...others.map(
        (key) => `${path}: "${key}" is for your own file, not for one of a workspace; it is ignored`,
      ),
    ],
  };
}
