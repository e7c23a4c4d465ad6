/** What a program that embeds Toolwright sees of an open session. */

import type { ContextReport } from "../agent/context/report.ts";
import type { Expected } from "../base/expected.ts";
import type { Command, CommandOutcome } from "../protocol/commands.ts";
import type { Entry, Mode, Signal } from "../protocol/facts.ts";
import type { Reasoning } from "../protocol/messages.ts";
import type { SessionState } from "../protocol/session-state.ts";
import type { Model } from "../providers/provider.ts";
import type { Review } from "../session/checkpoints/review.ts";

/** An open session: commands go in, facts and signals come out. @public */
export interface AgentSession {
  readonly id: string;
  /** What the facts so far add up to. */
  readonly state: SessionState;
  /** The newest facts, in order; of a short session all of them. */
  readonly facts: readonly Entry[];
  /** The model for the next turn. */
  readonly model: Model;
  /** The mode that the next turn starts in. */
  readonly mode: Mode;
  /** How much the model thinks in the next turn. */
  readonly reasoning: Reasoning;
  /** Whether something runs, so that the session advances without anyone's input. */
  readonly isWorking: boolean;
  readonly isOpen: boolean;
  /** Carries out commands one at a time, in order. */
  command(command: Command): Promise<CommandOutcome>;
  /** Yields the facts after `after`, then the blocks still open, then facts and signals as they happen. */
  follow(after: number, signal: AbortSignal): AsyncIterable<Entry | Signal>;
  /** Resolves when nothing runs: the turn is over, or it waits for a person. Rejects when the log failed. */
  idle(): Promise<void>;
  /** What fills the context of the next request, not counting a message yet to be sent. */
  context(): Promise<ContextReport>;
  /** The changes of a turn, by default of the newest turn that has any. Changes nothing. */
  review(turn?: number): Promise<Expected<Review>>;
  /**
   * Stops what runs once everybody who opened the session has closed it, and keeps its log whole. Followers end by
   * their own signals.
   */
  close(): Promise<void>;
}
