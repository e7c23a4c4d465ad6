/** The environment of a turn: everything its steps may access, and nothing else. */

import { httpBounds } from "../base/bounds.ts";
import type { Tree } from "../base/safe-fs/tree.ts";
import type { Fact, Mode, SandboxRecord } from "../protocol/facts.ts";
import type { Usage } from "../protocol/model-events.ts";
import type { Model } from "../providers/provider.ts";
import type { ShownSecrets } from "../safety/containment.ts";
import type { OwnPrograms } from "../safety/dangers/data/row.ts";
import type { Decision, Subject } from "../safety/evaluate-policy.ts";
import type { SessionLog } from "../session/log.ts";
import type { Terminals } from "../tools/terminal/terminals.ts";
import type { Contain, Delegate, Tool } from "../tools/tool.ts";
import type { Extensions } from "./extensions.ts";

export type TurnLimits = {
  /** Most answers in one turn (A11); unlimited by default. */
  maxRounds?: number;
  /** Most calls of any kind in one turn; unlimited by default. */
  maxCalls?: number;
  /** US dollars for one turn; unlimited by default. */
  maxCost?: number;
  /** Tokens of one turn, prompts and answers together; unlimited by default. */
  maxTokens?: number;
  /** Milliseconds of one turn, not counting waits for people; unlimited by default. */
  maxMs?: number;
  /**
   * At a limit the turn stops, asks a person whether to continue, or extends the limit by half. If no person can be
   * asked, "ask" stops.
   */
  onLimit: "stop" | "ask" | "extend";
  /** Milliseconds from the first of several broken answers in a row, in which the model is asked again; 0: never. */
  retryMs: number;
};

/** For programs that set none; those of the command line are options. */
export const defaultTurnLimits: TurnLimits = {
  onLimit: "stop",
  retryMs: httpBounds.retryTime.most,
};

/**
 * When an answer without calls ends the turn. `calls`: always. `writes`: unless the request asks for changes and
 * nothing was written (A12). `marker`: only when the model also says that the task is complete, or says nothing else
 * twice (A11).
 */
export type Completion = "calls" | "writes" | "marker";

/** `changed`: absolute paths the command clearly writes or deletes; `stages`: its changes are not to be made. */
export type Containing = { shown: ShownSecrets; changed: readonly string[]; stages: boolean };

export type TurnContext = {
  log: SessionLog;
  model: Model;
  /** Puts another model in the place of one that failed for this reason. Returns the facts of it, none if there is none. */
  substitute?: ((because: string) => Promise<Fact[]>) | undefined;
  tools: readonly Tool[];
  /** Extensions that observe or intervene in the turn. */
  extensions: Extensions;
  /** The workspace root, absolute and real. */
  workspace: string;
  /** The files of the workspace. */
  files: Tree;
  /** The terminals of the session. */
  terminals: Terminals;
  /** The home of the user, absolute and real. */
  home: string;
  /** What the configuration says of programs. */
  programs?: OwnPrograms | undefined;
  /** The system prompt, without what differs between workspaces. */
  system: string;
  /** Its end: where the agent works; absent if a person's own prompt takes its place. */
  directory?: string | undefined;
  limits: TurnLimits;
  completion: Completion;
  signal: AbortSignal;
  /** Queued messages that are being withdrawn right now. */
  withdrawing: ReadonlySet<string>;
  /** Whether a person can be asked now: they may come and go while the turn runs. */
  interactive(): boolean;
  /**
   * Loads and tries in the background what the first command needs: called when the model begins to think, which it must
   * not delay. Absent if there is nothing to load.
   */
  readyCommands?: ReadyCommands | undefined;
  /** Facts to record before files may change: the branch created for the changes, or why there is none. */
  beforeChange(): Promise<Fact[]>;
  /** The environment of programs that tools start. */
  environment: Readonly<Record<string, string>>;
  /** Whether the rules deny the tool whatever its arguments: the reason, or undefined. */
  deniedOutright(tool: string): string | undefined;
  /** `answered`: a person approved the call, so a person is available. */
  evaluate(subject: Subject, how: { mode: Mode; answered?: boolean }): Promise<Decision>;
  /** The same for places that a call would show, of which there may be many: prepared once, as if a person were there. */
  evaluateReading(mode: Mode): Promise<(subject: Subject) => Decision>;
  /** Whether a command's changes of these paths, workspace-relative, may be kept. */
  evaluateHeld(subject: Subject, paths: readonly string[], mode: Mode): Promise<Decision>;
  /** Those of the workspace-relative paths that git ignores. */
  ignored(paths: readonly string[]): Promise<ReadonlySet<string>>;
  /** How to run a command in the sandbox: with the decided profile, and these secret places visible to it. */
  contain(sandbox: SandboxRecord, how: Containing): Contain;
  /** The command that would check the whole project, if it says so itself. */
  usualCheck?(): Promise<string | undefined>;
  /** Gives a task to a session of its own; undefined if this session cannot delegate. */
  delegate: ((callId: string) => Delegate) | undefined;
  putBlob(bytes: Uint8Array): Promise<string>;
  /** Stores a file's content for undo (`owner`: the checkpoint) or for a staged change (`owner`: its token). */
  keepImage(owner: string, bytes: Uint8Array): Promise<string>;
  image(hash: string): Promise<Uint8Array | undefined>;
  /** Reads content stored by `putBlob`. */
  blob(hash: string): Promise<Uint8Array | undefined>;
  /** The price of a model's answer in US dollars, undefined if unknown; `by`: the provider's name for the model. */
  costOf(by: string, usage: Usage | undefined): number | undefined;
  /** Milliseconds since 1970. */
  now(): number;
  /** Waits before retrying a broken answer; replaced in tests. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
};

/** How much of an answer has come. `isOver`: it is over, or a call of it is complete, so that there is other work. */
export type AnswerProgress = { heard: number; isOver: boolean };

export type ReadyCommands = (mode: Mode, progress: Readonly<AnswerProgress>) => void;
