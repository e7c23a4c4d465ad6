/** What a turn is given: everything its steps may reach, and nothing else. */

import type { Tree } from "../base/safe-fs/tree.ts";
import type { Fact, Mode, Sandboxed } from "../protocol/facts.ts";
import type { Usage } from "../protocol/model-events.ts";
import type { Model } from "../providers/provider.ts";
import type { ShownSecrets } from "../safety/containment.ts";
import type { Decision, Subject } from "../safety/decide.ts";
import type { SessionLog } from "../session/log.ts";
import type { Terminals } from "../tools/terminals.ts";
import type { Contain, Delegate, Tool } from "../tools/tool.ts";
import type { Extensions } from "./extensions.ts";

export type Limits = {
  /** Answers in one turn (A11). */
  maxRounds: number;
  /** Calls in one turn, whatever they are. */
  maxCalls: number;
  /** Calls in one turn, once the same one has been made again and again with the same result (D11). */
  softCalls: number;
  /** US dollars for one turn; there is no such limit by default. */
  maxCost?: number;
  /** Tokens of one turn, prompts and answers together; there is no such limit by default. */
  maxTokens?: number;
  /** Milliseconds of one turn, without waiting for people; there is no such limit by default. */
  maxMs?: number;
  /**
   * The turn stops, asks a person whether it may go on, or goes on by itself with half as much again. Where nobody can
   * be asked, it stops.
   */
  onLimit: "stop" | "ask" | "extend";
  /** Times in a row that a broken answer is asked for again. */
  maxBrokenAnswers: number;
};

export const defaultLimits: Limits = {
  maxRounds: 25,
  maxCalls: 300,
  softCalls: 100,
  onLimit: "stop",
  maxBrokenAnswers: 3,
};

/**
 * When an answer without calls ends the turn. `calls`: always. `writes`: unless the request asks for changes and
 * nothing was written (A12). `marker`: only when the model also says that the task is complete, or says nothing else
 * twice (A11).
 */
export type Completion = "calls" | "writes" | "marker";

/** `changed`: absolute paths that the command plainly writes or deletes; `stages`: nothing of it is made. */
export type Containing = { shown: ShownSecrets; changed: readonly string[]; stages: boolean };

export type TurnRoom = {
  log: SessionLog;
  model: Model;
  tools: readonly Tool[];
  /** Who else has a word in it. */
  extensions: Extensions;
  /** The workspace root, absolute and real. */
  workspace: string;
  /** The files of the workspace. */
  files: Tree;
  /** The terminals of the session. */
  terminals: Terminals;
  /** The home of the user, absolute and real. */
  home: string;
  /** The system prompt. */
  system: string;
  limits: Limits;
  completion: Completion;
  signal: AbortSignal;
  /** Messages that wait and are being taken back right now. */
  withdrawing: ReadonlySet<string>;
  /** Whether a person can be asked now: they may come and go while the turn runs. */
  interactive(): boolean;
  /** What has to be noted before files may change: the branch that was made for that, or why there is none. */
  beforeChange(): Promise<Fact[]>;
  /** The environment of programs that tools start. */
  environment: Readonly<Record<string, string>>;
  /** Whether the rules deny the tool whatever its arguments: the reason, or undefined. */
  deniedOutright(tool: string): string | undefined;
  /** `answered`: a person has said yes to it, so there is one. */
  decide(subject: Subject, how: { mode: Mode; answered?: boolean }): Promise<Decision>;
  /** How a command gets into the sandbox: as it was decided, with these secret places shown to it. */
  contain(sandbox: Sandboxed, how: Containing): Contain;
  /** Gives a task to a session of its own; undefined where that cannot be. */
  delegate: ((callId: string) => Delegate) | undefined;
  putBlob(bytes: Uint8Array): Promise<string>;
  /** Keeps a file's content for undo (`owner`: the checkpoint) or a staged change (its token). */
  keepImage(owner: string, bytes: Uint8Array): Promise<string>;
  image(hash: string): Promise<Uint8Array | undefined>;
  /** What `putBlob` kept. */
  blob(hash: string): Promise<Uint8Array | undefined>;
  /** What an answer of the model cost, in US dollars; `by`: as the provider names it. Undefined where nobody knows. */
  costOf(by: string, usage: Usage | undefined): number | undefined;
  /** Milliseconds since 1970. */
  now(): number;
  /** Waits between broken answers; replaced in tests. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
};
