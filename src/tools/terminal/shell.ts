/** The shell that commands run in, and their working directory. */

import { existsSync } from "node:fs";
import { type Expected, refuse } from "../../base/expected.ts";
import { insideWorkspace, isDirectoryAt, type PlaceInside } from "../../base/paths.ts";

const bashes = [
  "/bin/bash",
  "/usr/bin/bash",
  "/usr/local/bin/bash",
  "/opt/homebrew/bin/bash",
  "/run/current-system/sw/bin/bash",
];
let found: string | undefined;

function shell(): string {
  found ??= bashes.find((path) => existsSync(path)) ?? "/bin/sh";
  return found;
}

/** Never a login shell: its startup files cost a quarter of a second, and change what a command means. */
export function shellCommand(line: string): string[] {
  return shell() === "/bin/sh" ? [shell(), "-c", line] : [shell(), "--noprofile", "--norc", "-c", line];
}

/** An interactive shell, with `!` expansion off: expanded commands would differ from those that were judged. */
export function interactiveShell(): string[] {
  return shell() === "/bin/sh" ? [shell(), "-i"] : [shell(), "--noprofile", "--norc", "+H", "-i"];
}

type WorkingDirectory = PlaceInside & { isClamped: boolean };

/** A30: a path outside the workspace is clamped to the root. */
export async function directoryFor(workspace: string, cwd = "."): Promise<Expected<WorkingDirectory>> {
  const place = await insideWorkspace(workspace, cwd);
  const directory: WorkingDirectory = place.ok
    ? { ...place.value, isClamped: false }
    : { absolute: workspace, relative: ".", isClamped: true };
  if (!(await isDirectoryAt(directory.absolute)))
    return refuse(`There is no directory ${directory.relative} to run it in.`);
  return { ok: true, value: directory };
}

export const clampedNote =
  "[The directory asked for is outside the workspace; it ran in the workspace's root.]";
