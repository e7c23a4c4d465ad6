/** What a turn is given: everything its steps may reach, and nothing else. */
import type { Tree } from "../base/safe-fs/tree.ts";
import type { Mode, Sandboxed } from "../protocol/facts.ts";
import type { Model } from "../providers/provider.ts";
import type { Shown } from "../safety/containment.ts";
import type { Decision, Subject } from "../safety/decide.ts";
import type { SessionLog } from "../session/log.ts";
import type { Terminals } from "../tools/terminals.ts";
import type { Contain, Tool } from "../tools/tool.ts";

export type Limits = {
  /** Answers in one turn (A11). */
  maxRounds: number;
  /** Calls in one turn. */
  maxCalls: number;
  /** Times in a row that a broken answer is asked for again. */
  maxBrokenAnswers: number;
};

export const defaultLimits: Limits = { maxRounds: 25, maxCalls: 300, maxBrokenAnswers: 3 };

/** `changed`: absolute paths that the command plainly writes or deletes; `stages`: nothing of it is made. */
export type Containing = { shown: Shown; changed: readonly string[]; stages: boolean };

export type TurnRoom = {
  log: SessionLog;
  model: Model;
  tools: readonly Tool[];
  /** The workspace root, absolute and real. */
  workspace: string;
  /** The files of the workspace. */
  files: Tree;
  /** The terminals of the session. */
  terminals: Terminals;
  /** The home of the user, absolute and real. */
  home: string;
  /** The system prompt without what the mode adds. */
  system: string;
  limits: Limits;
  signal: AbortSignal;
  /** The environment of programs that tools start. */
  environment: Readonly<Record<string, string>>;
  /** Whether the rules deny the tool whatever its arguments: the reason, or undefined. */
  deniedOutright(tool: string): string | undefined;
  decide(subject: Subject, mode: Mode): Promise<Decision>;
  /** How a command gets into the sandbox: as it was decided, with these secret places shown to it. */
  contain(sandbox: Sandboxed, how: Containing): Contain;
  putBlob(bytes: Uint8Array): Promise<string>;
  /** Keeps a file's content for undo (`owner`: the checkpoint) or a staged change (its token). */
  keepImage(owner: string, bytes: Uint8Array): Promise<string>;
  image(hash: string): Promise<Uint8Array | undefined>;
  /** Milliseconds since 1970. */
  now(): number;
  /** Waits between broken answers; replaced in tests. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
};
