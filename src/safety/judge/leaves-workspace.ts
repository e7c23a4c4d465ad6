/** What counts as leaving the workspace (B12). */

import { unknown } from "../command-line/word.ts";
import type { Around } from "../dangers/program.ts";
import type { TouchedPath } from "../judgement.ts";
import { type PathPlace, placeOf, type PlaceKind } from "./place.ts";

/** Everything outside counts, except temporary files, and for reading what anybody may have: system files and packages. */
export function leavesWorkspace({ path, access }: TouchedPath, around: Around): boolean {
  const place = placeOf(path, around);
  const { kind, secret } = place;
  const when = kind === "in-home" && isFetched(place, around) ? "unless-read" : leaving[kind];
  return when === "always" || (when === "unless-read" && (access !== "read" || secret !== undefined));
}

/** Sources that a package manager has put there; its own copies of repositories may hold keys. `…` may lead anywhere. */
const isFetched = ({ path }: PathPlace, { home }: Around): boolean =>
  path?.startsWith(`${home}/`) === true && fetched.test(path.slice(home.length).replaceAll(unknown, "…"));

const fetched =
  /^\/(?:\.cargo\/registry\/src|go\/pkg\/mod(?!\/cache(?:\/|$))|\.(?:nvm|pyenv)\/versions|\.rustup\/toolchains)\/[^*?[…][^…]*$/u;

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
