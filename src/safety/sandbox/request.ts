/** The request to run a command in the sandbox, and the checks that can refuse it. */

import { existsSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import { type Expected, refuse } from "../../base/expected.ts";
import { isWithin } from "../../base/paths.ts";
import type { Profile } from "../../protocol/fact-words.ts";
import { realPath } from "../on-disk.ts";

export type ContainRequest = {
  profile: Profile;
  command: readonly string[];
  /** The working directory: absolute and resolved, inside the workspace in every profile but `open`. */
  directory: string;
  env: Readonly<Record<string, string>>;
  /** Absolute and resolved. It comes from where the user started the session, never from a model's words. */
  workspace: string;
  /** Toolwright's own state: hidden from every command. */
  stateDir: string;
  home: string;
  /**
   * Additional hosts that `install` may reach: "host", "host:port", "*.domain". A host named exactly may have a private
   * address.
   */
  hosts?: readonly string[];
  /**
   * What else it is given: hosts ("name:port") that it may reach, in `install` in place of the registries and in `git`, absolute
   * paths of directories that it may write, and of sockets. `open` has all of it.
   */
  outside?: readonly string[];
  /** Secret places that the user unlocked for this one command; `open` only. "~/" is the home directory. */
  unmasked?: readonly string[];
  /** Files that the approved command itself names, possibly by pattern: visible, but nothing below them is. */
  named?: readonly string[];
  /**
   * Locations of a program that the session itself starts, and of its dependencies: visible even inside an emptied
   * tree.
   */
  programs?: readonly string[];
  /**
   * Runs over an overlay: the workspace stays unchanged and the command's changes are returned. `whole`: all of them or
   * none; otherwise those that are too large are put into the workspace by themselves. `read` needs no overlay.
   */
  overlay?: boolean | "whole";
  /**
   * Absolute paths that this command may neither change nor move, because something trusted runs them outside the
   * sandbox; one that ends in "/" is a directory with everything in it.
   */
  held?: readonly string[];
  /** Absolute paths of directories elsewhere of which it sees nothing, as other sessions work there. */
  others?: readonly string[] | undefined;
  /** Never run, only prepared: the next command then finds everything loaded, tried and looked at. */
  rehearsed?: true;
  /** Runs on its own pseudo-terminal and receives no file descriptors. */
  terminal?: true;
};

/** The request with every path resolved. */
export type CheckedRequest = ContainRequest & {
  unmasked: readonly string[];
  named: readonly string[];
  hosts: readonly string[];
};

/** Whether its way out is the proxy: to the registries, or to the hosts that it is given. */
export const usesProxy = ({ profile, outside = [] }: Pick<ContainRequest, "profile" | "outside">): boolean =>
  profile === "install" || (profile === "git" && outside.some((words) => !isAbsolute(words)));

export function checkRequest(request: ContainRequest): Expected<CheckedRequest> {
  const { profile, workspace, directory } = request;
  if (request.command.length === 0) return cannotContain("there is no command");
  if ([...request.command, directory, workspace].some((word) => word.includes("\0")))
    return cannotContain("it holds a NUL character");
  for (const place of [workspace, directory]) {
    if (!isAbsolute(place) || realPath(place) !== place || !statSync(place).isDirectory())
      return cannotContain(`${place} is not the real path of a directory`);
  }
  if (profile !== "open" && !isWithin(workspace, directory))
    return cannotContain(`the directory ${directory} is outside the workspace ${workspace}`);
  const home = realPath(request.home) ?? realPath(homedir()) ?? request.home;
  const stateDir = realPath(request.stateDir) ?? request.stateDir;
  const { unmasked = [], named = [], hosts = [] } = request;
  if (unmasked.length > 0 && profile !== "open")
    return cannotContain(
      `the profile ${profile} never shows secrets; only an approved command may have them`,
    );
  const tooWide = profile === "read" || profile === "open" ? undefined : workspaceProblem(workspace, home);
  if (tooWide !== undefined) return cannotContain(tooWide);
  const free = unmasked.flatMap(
    (path) => realPath(path.startsWith("~/") ? join(home, path.slice(2)) : path) ?? [],
  );
  if (free.some((path) => isWithin(path, stateDir) || isWithin(stateDir, path)))
    return cannotContain("Toolwright's own state is never shown to a command");
  // A contained command may see what lies in the workspace, and no more.
  const shown = named.filter(
    (path) => !isWithin(stateDir, path) && (profile === "open" || isWithin(workspace, path)),
  );
  return { ok: true, value: { ...request, home, stateDir, unmasked: free, named: shown, hosts } };
}

/**
 * Why contained commands may only read this workspace: files written there would be executed later. Both paths must be
 * resolved.
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

export const cannotContain = (because: string): Expected<never> =>
  refuse(`The command was not run, because the sandbox cannot contain it: ${because}.`);
