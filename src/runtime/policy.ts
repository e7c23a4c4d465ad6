/** Builds the policy that decides calls, from the settings and a person's grants. */

import { homedir } from "node:os";
import { join } from "node:path";
import { isWithin } from "../base/paths.ts";
import type { Grant, Mode, SandboxRecord } from "../protocol/facts.ts";
import type { SessionState } from "../protocol/session-state.ts";
import type { Policy, SandboxState } from "../safety/evaluate-policy.ts";
import { withOtherNames } from "../safety/other-names.ts";
import type { RuleLevel } from "../safety/rules.ts";
import { heldPlaces } from "../safety/sandbox/held-places.ts";
import { sensitiveFiles, type SensitiveFiles } from "../safety/sensitive-files.ts";
import { readFile } from "../tools/read-file.ts";

/** The parts of the policy that hold for a whole session. */
export type PolicySetup = {
  /** Absolute, with symbolic links resolved. */
  workspace: string;
  /** The user's home directory. Default: that of this process. */
  home?: string;
  rules: readonly RuleLevel[];
  /** Default: the general list. */
  sensitive?: SensitiveFiles;
  /** Default: off, so everything that is not harmless needs approval. */
  sandbox?: SandboxState;
  interactive: Policy["interactive"];
};

/** Whether a person can be asked: always, or per session at the moment of the decision. */
export type Presence = boolean | ((session: string) => Policy["interactive"]);

export const presenceIn = (presence: Presence, session: string): Policy["interactive"] =>
  typeof presence === "boolean" ? presence : presence(session);

export const defaultSensitive = sensitiveFiles();
const noSandbox: SandboxState = { isOn: false, because: "this session was started without one" };

const unused: SandboxState = { isOn: false, because: "the mode is trusted" };

/** Whether what a person calls trusted runs as they would run it themselves. */
export const isOfTrusted = ({ because }: Pick<SandboxRecord, "because">): boolean =>
  because === unused.because;

/** The same, and what a trusted item runs: changing that needs a yes of its own. `held`: absolute. */
export function withHeld(
  sensitive: SensitiveFiles,
  held: readonly string[],
  workspace: string,
): SensitiveFiles {
  if (held.length === 0) return sensitive;
  const places = heldPlaces(held).filter(({ as }) => as !== "way");
  const isHeld = (path: string): boolean =>
    places.some((place) => isWithin(place.path, path) || isWithin(path, place.path));
  return (path) =>
    sensitive(path) ?? (isHeld(join(workspace, path)) ? { pattern: path, edit: "ask" } : undefined);
}

export function policyFor(setup: PolicySetup, mode: Mode, grants: readonly Grant[]): Policy {
  const { workspace, home = homedir(), rules, sensitive = defaultSensitive } = setup;
  const { sandbox = noSandbox, interactive } = setup;
  return {
    mode,
    rules,
    reader: readFile.name,
    sensitive: withOtherNames(sensitive, workspace),
    grants,
    sandbox: mode === "trusted" ? unused : sandbox,
    around: { home, workspace },
    interactive,
  };
}

/** The session's grants that hold now: session-wide ones and, while it runs, those of the current turn. */
export const heldGrants = ({ grants, turn, status }: SessionState): SessionState["grants"] =>
  grants.filter((grant) => grant.scope === "session" || (status === "running" && grant.turn === turn));

/** What they cover. */
export const grantsNow = (state: SessionState): Grant[] => heldGrants(state).map(({ covers }) => covers);

/** What holds now, for a task given now: as long as it is not taken back. */
export function grantsHandedOn(state: SessionState): () => Grant[] {
  const handed = new Set(grantsNow(state));
  return () => grantsNow(state).filter((grant) => handed.has(grant));
}
