/** Lets a command reach what the project's own remotes name, and nothing else: with git's word for where they lead. */

import { existsSync, lstatSync } from "node:fs";
import { join } from "node:path";
import { stateDirectory } from "../base/paths.ts";
import { childEnvironment } from "../base/process.ts";
import type { SessionState } from "../protocol/session-state.ts";
import { chosenHosts, mayReachChosen } from "../safety/chosen-hosts.ts";
import { convertsFiles, plainRemotes } from "../safety/fetch-settings.ts";
import { namesIn } from "../safety/on-disk.ts";
import type { Policy, Subject } from "../safety/subject.ts";
import { isMadeByCommand } from "./made-repository.ts";
import type { SessionSetup } from "./session-setup.ts";

type RemotesContext = {
  policy: Policy;
  setup: Pick<SessionSetup, "workspace" | "environment" | "registries" | "stateDir">;
  state: Pick<SessionState, "parent"> & BegunTurns;
};

type BegunTurns = { turns: readonly { startedAt: number }[] };

/** In the mode `auto` only, and not for a subagent: its session begins after what the one above it has done. */
export async function withChosenHosts(
  subject: Subject,
  { policy: { mode, around, sandbox }, setup, state }: RemotesContext,
): Promise<Subject> {
  const { workspace, environment, registries: added = [] } = setup;
  const isOpen = mode === "auto" && !state.parent && mayReachChosen(subject, around, sandbox);
  if (!isOpen || !isOlder(workspace, state)) return subject;
  const { stateDir = stateDirectory(process.env) } = setup;
  if (await isMadeByCommand({ workspace, stateDir })) return subject;
  const { gitReader } = await import("../session/workspace-record/git-reader.ts");
  const env = environment ?? childEnvironment(process.env);
  const reader = gitReader({ workspace, env });
  const settings = await reader.settings(workspace, "own");
  const remotes = settings && plainRemotes(settings, await reader.remotes(workspace));
  if (!remotes) return subject;
  if (/\bpull\b/u.test(subject.command ?? "")) {
    const all = await reader.settings(workspace, "all");
    if (!all || convertsFiles(all)) return subject;
  }
  const reaches = chosenHosts(subject.judgement?.requests ?? [], { remotes, added });
  return reaches ? { ...subject, reaches } : subject;
}

/**
 * No contained command changes the settings of the workspace's own repository, but one may make a repository where none
 * was: then its settings are younger than the session, and nothing can set that time back; later sessions are told of it
 * by `isMadeByCommand`. Settings elsewhere
 * (`commondir`, a work tree's own) are nobody's word.
 */
function isOlder(workspace: string, { turns: [first] }: BegunTurns): boolean {
  const repository = join(workspace, ".git");
  const isDirectory = lstatSync(repository, { throwIfNoEntry: false })?.isDirectory() === true;
  const isWhole = isDirectory && !existsSync(join(repository, "commondir"));
  const settings = isWhole && lstatSync(join(repository, "config"), { throwIfNoEntry: false });
  const isOld =
    settings !== false && settings?.isFile() === true && settings.ctimeMs < (first?.startedAt ?? 0);
  // Where git looked for remotes before it had settings.
  return isOld && ["remotes", "branches"].every((name) => namesIn(join(repository, name)).length === 0);
}
