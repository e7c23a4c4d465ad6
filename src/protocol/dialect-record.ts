/** Record of how well a model writes calls in each dialect: measured with small tasks, and counted in real sessions. */

/** A model on a server. `template` is the hash of its chat template, "" if the server does not expose one. */
export type ModelKey = { server: string; model: string; template: string };

/** A model's results on the standard tasks in one dialect. */
export type DialectMeasurement = {
  /** "native", or the name of a dialect. */
  dialect: string;
  /** Milliseconds since 1970. */
  at: number;
  tasks: number;
  /** How many of the tasks were solved. */
  right: number;
  /** Calls that had to be repaired before they could be read. */
  repaired: number;
  /** Calls that could not be read. */
  unreadable: number;
  /** Sum over all tasks; 0 if the server does not report it. */
  inputTokens: number;
  outputTokens: number;
  /** Median time of one answer, in milliseconds. */
  medianMs: number;
};

/** Counted in sessions: calls that were read, how many of those were repaired, and calls that could not be read. */
export type CallCounts = { calls: number; repairs: number; refusals: number };

/** Everything known about a model in one dialect. A new measurement resets the counts. */
export type DialectRecord = { dialect: string; counts: CallCounts; measured?: DialectMeasurement };

/** All records of one model. */
export type ModelRecord = ModelKey & { dialects: DialectRecord[] };
