/** In words: what a command may do in its profile of the sandbox. */
import type { Profile, Sandboxed } from "../../protocol/facts.ts";
import { visibleLine } from "./visible.ts";

const whatItMay: Readonly<Record<Profile, string>> = {
  read: "contained: it changes nothing and reaches no network",
  git: "contained: it changes the workspace and its repository, without hooks and network",
  build: "contained: it changes the workspace only, without network",
  install: "contained: it changes the workspace and reaches package registries only",
  open: "open: with the network, and it may change your other files",
};

/** "It runs contained: …". Why there is no sandbox is not told again where that `said` it. */
export function containmentWords({ profile, isOn, because }: Sandboxed, said = ""): string {
  if (isOn) return `runs ${whatItMay[profile]}`;
  const why = because === undefined || said.includes(because) ? "" : ` (${visibleLine(because)})`;
  return `runs without a sandbox${why}: it may do whatever you may do`;
}
