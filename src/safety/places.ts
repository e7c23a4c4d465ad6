/** Places in a workspace that no tool may change, whatever the mode or rule says. */

import { posix } from "node:path";
import { canonicalName } from "./judge/names.ts";
import type { TouchedPath } from "./judgement.ts";
import { relativeTo } from "./path-pattern.ts";

const installed = "node_modules";

/** Directories whose contents decide what runs later (C2). Reading them is allowed. */
const protectedDirectories = new Set([".git", ".husky", installed]);

/**
 * The protected directory that a path lies in, or undefined. `path` is workspace-relative. `byCommand`: commands may
 * install packages.
 */
export function protectedPlace(path: string, byCommand = false): string | undefined {
  const parts = posix.normalize(path.replaceAll("\\", "/")).split("/").map(canonicalName);
  return parts.find((part) => protectedDirectories.has(part) && !(byCommand && part === installed));
}

/** Whether a program lies there that was installed: not what tools keep beside those (`node_modules/.cache`). */
export function isInstalled(path: string): boolean {
  const parts = posix.normalize(path).split("/").map(canonicalName);
  return parts.some((part, at) => {
    const next = parts[at + 1] ?? "";
    if (part === installed) return !next.startsWith(".") || next === ".bin";
    return environments.has(part) && !parts.includes("__pycache__");
  });
}

const environments = new Set([".venv", "venv", ".direnv", "bower_components", "site-packages"]);

/**
 * The protected directory that a command plainly writes to or removes. Installed packages may be removed, since they
 * can be installed again.
 */
export function protectedFromCommand({ path, access }: TouchedPath, workspace: string): string | undefined {
  if (access === "read") return undefined;
  const place = protectedPlace(relativeTo(workspace, path));
  return access === "delete" && place === installed ? undefined : place;
}
