/** What is happening in a session right now: told to who follows it, and never stored. */

/**
 * What is happening right now. Dropping any or all of these changes no final view. `offset` is where `text` starts in
 * its block, in UTF-16 units. @public
 */
export type Signal =
  | { type: "text-delta"; block: number; offset: number; text: string }
  | { type: "reasoning-delta"; block: number; offset: number; text: string }
  /**
   * The model is writing a call: its name, and how many characters of arguments have arrived. Without `callId`: text
   * held back because it may be a call; its name may not be known yet.
   */
  | { type: "call-delta"; callId: string; name: string; characters: number }
  | { type: "output-delta"; callId: string; offset: number; text: string }
  | { type: "retrying"; because: string; waitMs: number; attempt: number }
  /** The conversation, of this many tokens, is being summarised, until the compaction fact or until that fails. */
  | {
      type: "compacting";
      state: "begun" | "given-up";
      because: "budget" | "overflow" | "person";
      tokens: number;
    };
