/** The policy that calls are decided by, from the settings and from what a person has allowed. */

import { homedir } from "node:os";
import type { Grant, Mode } from "../protocol/facts.ts";
import type { SessionState } from "../protocol/session-state.ts";
import type { Policy, SandboxState } from "../safety/decide.ts";
import type { RuleLayer } from "../safety/rules.ts";
import { sensitiveFiles, type SensitiveFiles } from "../safety/sensitive-files.ts";

/** What holds for a whole session. */
export type PolicySetup = {
  /** Absolute and real. */
  workspace: string;
  /** The home of whoever started it; this process's own by default. */
  home?: string;
  rules: readonly RuleLayer[];
  /** Default: the general ones. */
  sensitive?: SensitiveFiles;
  /** Off by default: then what is not harmless is asked about. */
  sandbox?: SandboxState;
  /** Whether a person can be asked now. */
  interactive: boolean;
};

/** Whether a person can be asked: always, or about a session at the moment when something is decided there. */
export type Presence = boolean | ((session: string) => boolean);

export const isPresent = (presence: Presence, session: string): boolean =>
  typeof presence === "boolean" ? presence : presence(session);

const defaultSensitive = sensitiveFiles();
const noSandbox: SandboxState = { isOn: false, because: "this session was started without one" };

export function policyFor(setup: PolicySetup, mode: Mode, grants: readonly Grant[]): Policy {
  const { workspace, home = homedir(), rules, sensitive = defaultSensitive } = setup;
  const { sandbox = noSandbox, interactive } = setup;
  return { mode, rules, sensitive, grants, sandbox, around: { home, workspace }, interactive };
}

/** What a person allowed in this session and holds now. */
export const grantsNow = ({ grants, turn }: SessionState): Grant[] =>
  grants.filter((grant) => grant.scope === "session" || grant.turn === turn).map(({ covers }) => covers);
