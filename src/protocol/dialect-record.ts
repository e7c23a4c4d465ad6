/** How well a model writes its calls, by dialect: measured with small tasks, and counted while sessions run. */

/** A model at a server. `template` is the hash of its chat template, "" where the server shows none. */
export type ModelKey = { server: string; model: string; template: string };

/** What a model did with the same tasks in one dialect. */
export type Measured = {
  /** "native", or a dialect's name. */
  dialect: string;
  /** Milliseconds since 1970. */
  at: number;
  tasks: number;
  /** How many of the tasks came out right. */
  right: number;
  /** Calls that had to be mended before they could be read. */
  repaired: number;
  /** Calls that could not be read. */
  unreadable: number;
  /** Of all tasks together; 0 where the server does not tell. */
  inputTokens: number;
  outputTokens: number;
  /** Of one answer, in milliseconds. */
  medianMs: number;
};

/** What sessions saw: calls that were read, those of them that were mended, and those that could not be read. */
export type CallCounts = { calls: number; repairs: number; refusals: number };

/** What is known of a model in one dialect. The counts begin anew when it is measured. */
export type DialectRecord = { dialect: string; counts: CallCounts; measured?: Measured };

/** What was measured of one model. */
export type ModelRecord = ModelKey & { dialects: DialectRecord[] };
