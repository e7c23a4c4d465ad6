/** What a surface may ask of a session. */
import type { Mode, Scope } from "./facts.ts";
import type { Part } from "./messages.ts";

export type Command =
  | { type: "send"; content: Part[] }
  | {
      type: "answer-approval";
      callId: string;
      answer: "allow" | "deny";
      scope: Scope;
      by: string;
      note?: string;
    }
  /** Goes on with a turn that a crash or a closed program left open. */
  | { type: "go-on" }
  | { type: "interrupt" }
  | { type: "set-mode"; mode: Mode }
  /** Takes back a turn's file changes; the newest turn that has some when `turn` is absent. */
  | { type: "undo"; turn?: number };

/** What came of a command. A refused one changed nothing; `problem` is one line for a person. */
export type CommandOutcome = { ok: true } | { ok: false; problem: string };
