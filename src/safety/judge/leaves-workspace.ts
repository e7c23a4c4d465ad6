/** What counts as leaving the workspace (B12). */

import type { Around } from "../dangers/program.ts";
import type { TouchedPath } from "../judgement.ts";
import { placeOf, type PlaceKind } from "./place.ts";

/** Everything outside counts, except temporary files and system files that anybody may read. */
export function leavesWorkspace({ path, access }: TouchedPath, around: Around): boolean {
  const { kind, secret } = placeOf(path, around);
  const when = leaving[kind];
  return when === "always" || (when === "unless-read" && (access !== "read" || secret !== undefined));
}

const leaving: Readonly<Record<PlaceKind, "never" | "unless-read" | "always">> = {
  "in-workspace": "never",
  workspace: "never",
  git: "never",
  temporary: "never",
  nothing: "never",
  network: "unless-read",
  kernel: "unless-read",
  root: "unless-read",
  system: "unless-read",
  unknown: "unless-read",
  device: "always",
  home: "always",
  "at-home": "always",
  "in-home": "always",
  "above-workspace": "always",
  elsewhere: "always",
};
