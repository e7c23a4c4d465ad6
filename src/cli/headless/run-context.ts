/** What the work on the requests of a headless run has at hand, and what comes of it. */

import type { ContentPart } from "../../protocol/messages.ts";
import type { AnswerCheck, CheckedAnswer } from "../../runtime/checked-answer.ts";
import type { Runtime } from "../../runtime/runtime.ts";
import { type CliContext } from "../cli-context.ts";
import type { Deadline } from "./deadline.ts";
import type { SessionHearing } from "./hearing.ts";
import type { OpenedSession } from "./opening.ts";
import type { HeadlessOutput } from "./output.ts";
import type { TurnTally } from "./result.ts";

/** What a headless run begins with. */
export type HeadlessWork = {
  /** The first request; absent if all come by standard input. */
  content?: ContentPart[] | undefined;
  check?: AnswerCheck | undefined;
  /** Whether anybody, a person or a program, answers questions. */
  presence: { isThere: boolean };
};

export type HeadlessTask = OpenedSession & HeadlessWork & { runtime: Runtime; deadline: Deadline };

export type HeadlessRun = HeadlessTask & {
  context: CliContext;
  output: HeadlessOutput;
  hearing: SessionHearing;
  /** Of all requests together. */
  total: TurnTally;
  /** Aborted when the run is to end: by a signal, the time limit, or a reader that went away. */
  stop: AbortController;
};

/**
 * What came of the requests; a problem if there was none to speak of. `answer`: what a schema was asked for, `null` if
 * nothing fits it. `exit`: if it is not as the last request ended.
 */
export type RequestsEnd =
  | { ok: true; answer?: CheckedAnswer | null; problem?: string; exit?: number }
  | { ok: false; problem: string; code: number };
