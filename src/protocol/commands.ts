/** What a surface may ask of a session. */
import type { Delivery, Mode, PlanStep, Scope } from "./facts.ts";
import type { Part } from "./messages.ts";

export type Command =
  /** A request. While a turn runs it waits: for the turn's next safe point unless `when` is "next". */
  | { type: "send"; content: Part[]; when?: Delivery }
  /** Takes back a message that waits. */
  | { type: "withdraw"; id: string }
  | {
      type: "answer-approval";
      callId: string;
      answer: "allow" | "deny";
      scope: Scope;
      by: string;
      note?: string;
    }
  | AnswerQuestion
  /** `most`: what the turn may use from here on; what was offered unless told. */
  | { type: "answer-limit"; answer: "stop" | "extend"; most?: number; by: string }
  /** Goes on with a turn that a crash or a closed program left open. */
  | { type: "go-on" }
  | { type: "interrupt" }
  /** For the next turns, and for the one that runs. */
  | { type: "set-mode"; mode: Mode }
  /** For the next turns: a model as a person names it, "provider/model". */
  | { type: "set-model"; model: string }
  | { type: "rename"; title: string }
  /** Shortens what the model is told, by a summary; the log keeps all. What came of it is a fact. */
  | { type: "compact" }
  | UndoCommand
  /** Brings back what was taken back last: of this turn, of these paths. */
  | { type: "redo"; turn?: number; paths?: string[]; onConflict?: OnConflict }
  /** A turn's changes are there to stay, all or those of these paths: they cannot be taken back afterwards. */
  | { type: "keep"; turn?: number; paths?: string[] };

/**
 * Answers what the model asked: `chosen` counts its choices from 0, `text` is in own words. A plan is approved with
 * "given", in other words if `steps` are told, and carried out in `mode` ("ask" unless told); "declined" rejects it.
 */
export type AnswerQuestion = {
  type: "answer-question";
  callId: string;
  answer: "given" | "declined";
  by: string;
  text?: string;
  chosen?: number[];
  steps?: PlanStep[];
  mode?: Mode;
};

/**
 * Takes back a turn's file changes: the newest turn that has some when `turn` is absent; of these files and directories
 * only (workspace-relative); of a single file only these hunks, as its review numbers them. Where there was later work
 * nothing is done, unless `onConflict` says what to do with those files.
 */
export type UndoCommand = {
  type: "undo";
  turn?: number;
  paths?: string[];
  hunks?: number[];
  onConflict?: OnConflict;
};

/**
 * `skip`: they stay as they are. `restore`: the earlier content comes back all the same; the present one is kept, so that
 * `redo` brings it back. `merge`: only what the turn did is taken out, line by line, and later work stays.
 */
export type OnConflict = "skip" | "restore" | "merge";

/** A file with later work: taking it back would destroy what the turn did not write. */
export type UndoConflict = {
  path: string;
  /** Later turns whose changes are in force there, oldest first. */
  turns: number[];
  /** Whether something other than this session changed it. */
  outside: boolean;
  /** What stands in the way, for a person. */
  because: string;
  /** Lines added and removed since; absent where that is not known. */
  since?: { added: number; removed: number };
  /** What `onConflict` may say about it. */
  choices: OnConflict[];
};

/** What came of a command. A refused one changed nothing; `problem` is one line for a person. */
export type CommandOutcome = { ok: true } | { ok: false; problem: string; conflicts?: UndoConflict[] };
