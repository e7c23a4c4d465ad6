/** What a command asks of the sandbox, and whether it may be asked at all. */

import { existsSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import type { Expected } from "../../base/expected.ts";
import { isWithin } from "../../base/paths.ts";
import { realPath } from "../on-disk.ts";

export const profiles = ["read", "build", "git", "install", "open"] as const;
export type Profile = (typeof profiles)[number];

export type ContainRequest = {
  profile: Profile;
  command: readonly string[];
  /** Where it runs: absolute and real, inside the workspace in every profile but `open`. */
  directory: string;
  env: Readonly<Record<string, string>>;
  /** Absolute and real; from where the user started the session, never from a model's words. */
  workspace: string;
  /** Toolwright's own state: hidden from every command. */
  stateDir: string;
  home: string;
  /**
   * Further hosts that `install` may reach: "host", "host:port", "*.domain". Named exactly, one may have a private
   * address.
   */
  hosts?: readonly string[];
  /** Secret places that a person let this one command have; `open` only. "~/" is the home. */
  unmasked?: readonly string[];
  /** Files that the approved command names itself, maybe with a pattern: shown, but not what lies below them. */
  named?: readonly string[];
  /**
   * Where the program lies that the session itself starts, with what it needs: shown also in a place that is emptied.
   */
  programs?: readonly string[];
  /**
   * Over a layer: the workspace stays as it is, and what the command changed comes back as changes. `whole`: all of it,
   * or nothing; else what is too much to be kept is in the workspace when `finished` has answered. `read` needs none.
   */
  layer?: boolean | "whole";
  /** It runs on a pseudo terminal of its own, and is given no descriptors. */
  terminal?: true;
};

/** The request with every place real. */
export type Checked = ContainRequest & {
  unmasked: readonly string[];
  named: readonly string[];
  hosts: readonly string[];
};

export function checkRequest(request: ContainRequest): Expected<Checked> {
  const { profile, workspace, directory } = request;
  if (request.command.length === 0) return refuse("there is no command");
  if ([...request.command, directory, workspace].some((word) => word.includes("\0")))
    return refuse("it holds a NUL character");
  for (const place of [workspace, directory]) {
    if (!isAbsolute(place) || realPath(place) !== place || !statSync(place).isDirectory())
      return refuse(`${place} is not the real path of a directory`);
  }
  if (profile !== "open" && !isWithin(workspace, directory))
    return refuse(`the directory ${directory} is outside the workspace ${workspace}`);
  const home = realPath(request.home) ?? realPath(homedir()) ?? request.home;
  const stateDir = realPath(request.stateDir) ?? request.stateDir;
  const { unmasked = [], named = [], hosts = [] } = request;
  if (unmasked.length > 0 && profile !== "open")
    return refuse(`the profile ${profile} never shows secrets; only an approved command may have them`);
  const tooWide = profile === "read" || profile === "open" ? undefined : workspaceProblem(workspace, home);
  if (tooWide !== undefined) return refuse(tooWide);
  const free = unmasked.flatMap(
    (path) => realPath(path.startsWith("~/") ? join(home, path.slice(2)) : path) ?? [],
  );
  if (free.some((path) => isWithin(path, stateDir) || isWithin(stateDir, path)))
    return refuse("Toolwright's own state is never shown to a command");
  // Contained, it may have what lies in the workspace and no more.
  const shown = named.filter(
    (path) => !isWithin(stateDir, path) && (profile === "open" || isWithin(workspace, path)),
  );
  return { ok: true, value: { ...request, home, stateDir, unmasked: free, named: shown, hosts } };
}

/**
 * Why contained commands only read in this workspace: what they wrote there would be what runs later. Both real paths.
 */
export function workspaceProblem(workspace: string, home: string): string | undefined {
  if (isWithin(workspace, home))
    return `the workspace ${workspace} holds the home directory, so a command that writes could change what runs at the next login; start Toolwright in a project's directory`;
  const system = systemTrees.find((tree) => isWithin(tree, workspace));
  if (workspace === "/" || system !== undefined)
    return `the workspace ${workspace} belongs to the system; start Toolwright in a project's directory`;
  if (workspace.split("/").includes(".git") || isGitDirectory(workspace))
    return `the workspace ${workspace} is where git keeps a repository, so a command that writes could change what git runs; start Toolwright in a working tree`;
  return undefined;
}

const isGitDirectory = (path: string): boolean =>
  ["HEAD", "objects", "refs"].every((name) => existsSync(join(path, name)));

const systemTrees = ["/bin", "/boot", "/dev", "/etc", "/lib", "/lib64", "/proc", "/sbin", "/sys", "/usr/bin"];

function refuse(because: string): Expected<never> {
  return {
    ok: false,
    problem: `The command was not run, because the sandbox cannot contain it: ${because}.`,
  };
}
