/** Describes in words what a command may do under its sandbox profile. */

import { visibleLine } from "../base/visible-text.ts";
import type { Coverage, Profile, SandboxRecord } from "../protocol/facts.ts";

const whatItMay: Readonly<Record<Profile, string>> = {
  read: "contained: it changes nothing and reaches no network",
  git: "contained: it changes the workspace and its repository, without hooks and network",
  build: "contained: it changes the workspace only, without network",
  install: "contained: it changes the workspace and reaches package registries only",
  open: "unrestricted: it may use the network and change files outside the workspace",
};

/** "It runs contained: …". Leaves out why there is no sandbox if `said` has already explained it. */
export function containmentWords({ profile, isOn, because, outside = [] }: SandboxRecord, said = ""): string {
  if (isOn && outside.length > 0)
    return `runs contained: it changes the workspace, and of all else it is given ${visibleLine(outside.join(", "))} only`;
  if (isOn) return `runs ${whatItMay[profile]}`;
  const why = because === undefined || said.includes(because) ? "" : ` (${visibleLine(because)})`;
  return `runs without a sandbox${why}: it may do whatever you may do`;
}

const whatUndoCovers: Readonly<Record<Coverage, string>> = {
  workspace: "Undo covers what it changes in the workspace, but not what lies in node_modules and the like.",
  partly:
    "Undo covers what it changes in the workspace as far as git has it, the command names it or it is small.",
  nothing: "Undo does not cover what it changes.",
};

/** How far a command's effects can be undone; undefined where there is nothing to report. */
export function undoWords({ undo, outside = [] }: SandboxRecord): string | undefined {
  const places = outside.filter((words) => words.startsWith("/"));
  const beyond = places.length === 0 ? "" : ` It does not cover ${visibleLine(places.join(", "))}.`;
  return undo && `${whatUndoCovers[undo]}${undo === "nothing" ? "" : beyond}`;
}
