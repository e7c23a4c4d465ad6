/** The server's log: one JSON line per request. Never a header, a prompt or an answer. */

import type { Usage } from "../protocol/model-events.ts";
import type { AnswerAccount } from "./account.ts";

export type LogLine = {
  at: string;
  /** Also sent in the reply's headers. */
  id: string;
  method: string;
  /** Without the query, in which Gemini's clients put their key. */
  path: string;
  /** Whose key it was. */
  client?: string;
  status: number;
  ms: number;
  /** Time until the first text of a stream was sent. */
  firstMs?: number;
  streamed?: boolean;
  /** The model that the client requested, and the one that answered. */
  asked?: string;
  model?: string;
  /** The models that failed before it, and how: "ollama/a: network". */
  left?: string[];
  calls?: number;
  mended?: number;
  repairs?: string[];
  askedAgain?: true;
  unmended?: number;
  lost?: number;
  dropped?: number;
  noted?: string[];
  usage?: Usage;
  /** The failure's kind, or a message of our own. */
  error?: string;
  /** The client disconnected before the end. */
  broken?: true;
};

export type Log = (line: LogLine) => void;

/** The log fields for an account, leaving out what did not occur. */
export function accountFields(account: AnswerAccount): Partial<LogLine> {
  const { calls, mended, codes, askedAgain, unmended, lost, dropped, noted, usage } = account;
  return {
    ...(calls > 0 ? { calls } : {}),
    ...(mended > 0 ? { mended, repairs: [...codes] } : {}),
    ...(askedAgain ? { askedAgain } : {}),
    ...(unmended > 0 ? { unmended } : {}),
    ...(lost > 0 ? { lost } : {}),
    ...(dropped > 0 ? { dropped } : {}),
    ...(noted.size > 0 ? { noted: [...noted] } : {}),
    usage,
  };
}
