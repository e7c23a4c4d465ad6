/** The input of a decision: the call, and the policy. */

import type { Does, Grant, Mode, Profile, SandboxRefusal, SandboxRecord } from "../protocol/facts.ts";
import type { Judgement } from "./judgement.ts";
import type { RuleLevel } from "./rules.ts";
import type { SensitiveFiles } from "./sensitive-files.ts";

export type Subject = {
  tool: string;
  does: Does;
  /** The hash of a definition written by others; an approval covers only this one. */
  definition?: string;
  /** Workspace-relative paths that it reads or changes, as far as its arguments tell. */
  paths: readonly string[];
  command?: string;
  /** Another tool whose rules apply as well. */
  as?: string;
  /** Hosts it would reach, with their ports if those are unusual. */
  hosts?: readonly string[];
  /** What the command is to be given besides its sandbox profile, in the words of `outsideInWords`. */
  outside?: readonly string[];
  /** All that it may reach without a question. */
  reaches?: ChosenHosts;
  /** What became of it when it ran contained earlier: what that refused it, and how many files it changed. */
  tried?: { refused: readonly SandboxRefusal[]; changed: number };
  /** Where the command runs, workspace-relative; absent for the root. */
  directory?: string;
  /** The judgement of its command; a command without one always needs an approval. */
  judgement?: Judgement;
  /** It only shows its changes and stores them under a token. */
  stages?: boolean;
  /** It applies a change that was staged and shown, identified by its token (B13). */
  applies?: boolean;
  /** The changes it applies were staged by a command, so they may include places where packages are installed. */
  ofCommand?: boolean;
  /** Those of the changed files that are new, and copies of what anybody may read: as secrets they need no yes of their own. */
  copies?: readonly string[];
  /** Why a hook wants a person to be asked about this call. */
  watched?: string;
  /** Why the tool wants a person to be asked about each of its calls. */
  askedEachTime?: string;
  /** The process it starts outlives the call, on a terminal. */
  lasting?: boolean;
  /** It only delegates a task to another session, where each call is decided on separately. */
  delegates?: boolean;
  /** The sandbox of the running program that receives the typed input. */
  runsIn?: SandboxRecord;
  /** The program that receives the typed input. */
  into?: string;
  /** Read-only files that it changes. */
  readOnly?: readonly string[];
  /** Its arguments were repaired by a guess. */
  guessed?: boolean;
  /** Where its text stands word for word in what the model was shown, in words. */
  repeats?: string;
};

/** Hosts ("name:port") that the project's own settings name, and the profile in which nothing else is reached. */
export type ChosenHosts = { profile: "git" | "install"; hosts: readonly string[] };

export type Policy = {
  mode: Mode;
  rules: readonly RuleLevel[];
  /** The tool that reads files: its rules with a path object to others that read or change such files. */
  reader?: string;
  sensitive: SensitiveFiles;
  /** Earlier approvals that still hold. */
  grants: readonly Grant[];
  sandbox: SandboxState;
  /** Absolute, with symbolic links resolved. */
  around: Surroundings;
  /** Whether there is a person to ask. Without one, ask means deny; "later": nobody is there, but questions wait. */
  interactive: boolean | "later";
  /** A person wrote this command and allowed it: it need not be tried first. */
  answered?: boolean;
};

/**
 * `because`: why it is off. `overlays`: whether commands can run over an overlay of the workspace, and if not, why.
 * `profiles`: those that it has, if not all; for a command that needs another one it is off.
 */
export type SandboxState = {
  isOn: boolean;
  because?: string;
  overlays?: OverlaysState;
  profiles?: readonly Profile[];
  /** One works here, but does not have the profile that this command needs. */
  beyond?: true;
};
export type OverlaysState = { works: true } | { works: false; because: string };

export type Surroundings = { home: string; workspace: string };
