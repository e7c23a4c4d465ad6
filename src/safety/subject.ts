/** What is decided about, and what it is decided by. */

import type { Does, Grant, Mode, Sandboxed } from "../protocol/facts.ts";
import type { Judgement } from "./judgement.ts";
import type { RuleLayer } from "./rules.ts";
import type { SensitiveFiles } from "./sensitive-files.ts";

export type Subject = {
  tool: string;
  does: Does;
  /** The hash of what others say that the tool is: a yes holds for that alone. */
  definition?: string;
  /** Workspace-relative paths that it reads or changes, as far as its arguments tell. */
  paths: readonly string[];
  command?: string;
  /** It goes by the rules of this tool, too. */
  as?: string;
  /** Hosts that it would reach, with their ports where those are none of the usual ones. */
  hosts?: readonly string[];
  /** Where the command runs, workspace-relative; absent for the root. */
  directory?: string;
  /** What was understood of the command; one without it is not allowed without a question. */
  judgement?: Judgement;
  /** It only shows its changes and keeps them under a token. */
  stages?: boolean;
  /** It makes a change that was staged and shown, by its token (B13). */
  applies?: boolean;
  /** What it applies was staged by a command: where packages are installed, commands may write. */
  ofCommand?: boolean;
  /** Why somebody who watches over calls wants a person to be asked about this one. */
  watched?: string;
  /** It goes on after the call, on a terminal. */
  lasting?: boolean;
  /** It only gives a task to a session of its own, where each call is decided on by itself. */
  delegates?: boolean;
  /** It is typed into what runs there already. */
  runsIn?: Sandboxed;
  /** The program that takes what is typed. */
  into?: string;
  /** Files that it changes although nobody may write them. */
  readOnly?: readonly string[];
  /** Its arguments were repaired by a guess. */
  guessed?: boolean;
};

export type Policy = {
  mode: Mode;
  rules: readonly RuleLayer[];
  sensitive: SensitiveFiles;
  /** What a person has allowed that holds now. */
  grants: readonly Grant[];
  sandbox: SandboxState;
  /** Absolute and without links. */
  around: Surroundings;
  /** Whether there is a person to ask. Without one, ask means deny. */
  interactive: boolean;
};

/** `because`: why it is off. `layers`: whether commands can run over a layer of the workspace, and if not, why. */
export type SandboxState = { isOn: boolean; because?: string; layers?: Layers };
export type Layers = { works: true } | { works: false; because: string };

export type Surroundings = { home: string; workspace: string };
