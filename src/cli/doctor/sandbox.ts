/** Doctor's checks of the command sandbox and the reach of undo, by trying them and not only looking for them. */

import { access, realpath } from "node:fs/promises";
import type { Config } from "../../configuration/config.ts";
import { mayTrust } from "../../configuration/trusted-mode.ts";
import { findSandbox, type Sandbox } from "../../runtime/runtime.ts";
import type { DoctorFinding } from "./finding.ts";

export async function sandbox(settings: Config): Promise<DoctorFinding[]> {
  const check = "sandbox";
  const found = await findSandbox();
  if (found.kind === "none") {
    const words = `none: ${found.because}. Until then each command that does more than read asks first, and is denied where nobody can be asked, unless a rule of yours allows it. ${trustedInstead()}`;
    return [{ check, state: "warn", words }, undoInPart("there is no sandbox", "install one (see above)")];
  }
  const missing = [...found.lacks, ...(await socketsInReach(found, settings))];
  const lacks = missing.length === 0 ? "" : `, but ${missing.join(", ")}`;
  const words = `${found.kind} ${found.version}: commands run contained${lacks}`;
  return [{ check, state: lacks === "" ? "ok" : "warn", words }, await undo(found, settings)];
}

/** The way out that needs no sandbox, and what it costs. */
function trustedInstead(): string {
  const here = mayTrust({ knowing: false });
  const how = here.ok ? `(${here.value})` : "and --i-know-this-can-change-anything";
  return `--mode trusted ${how} runs everything as you, without asking`;
}

/** Creates no directory either. */
async function socketsInReach(
  found: Exclude<Sandbox, { kind: "none" }>,
  { stateDir }: Config,
): Promise<string[]> {
  const places = (await isThere(stateDir)) ? await found.openToSockets(stateDir) : [];
  if (places.length === 0) return [];
  return [
    `sockets that other programs open in ${places.join(", ")} while a command runs can be reached (no overlay is possible there)`,
  ];
}

/** Creates no directory: an attempt in one that cannot be created (below /proc, say) would not end. */
async function undo(
  found: Exclude<Sandbox, { kind: "none" }>,
  { workspace, stateDir }: Config,
): Promise<DoctorFinding> {
  if (!(await isThere(stateDir)))
    return undoInPart(`the state directory ${stateDir} is missing`, "make it usable (see above)");
  if (!(await isThere(workspace)))
    return { check: "undo", state: "ok", words: "will be checked once the workspace exists" };
  const overlays = await found.overlays({ workspace: await realpath(workspace), stateDir });
  return overlays.works
    ? { check: "undo", state: "ok", words: "covers what tools and commands change in the workspace" }
    : undoInPart(overlays.because);
}

const isThere = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

/** The warning that undo covers the changes of commands only partly. */
const undoInPart = (because: string, fix?: string): DoctorFinding => ({
  check: "undo",
  state: "warn",
  words: `covers all that tools change; of what commands change only files that they name, that git has or that are small: ${because}`,
  fix,
});
