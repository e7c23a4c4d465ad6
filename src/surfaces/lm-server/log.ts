/** The log of the server: one JSON line a request. Never a header, a prompt or an answer. */

import type { Usage } from "../../protocol/model-events.ts";
import type { Account } from "./account.ts";

export type LogLine = {
  at: string;
  /** Stands in the headers of the reply, too. */
  id: string;
  method: string;
  /** Without its query, in which Gemini's clients put their key. */
  path: string;
  status: number;
  ms: number;
  /** Until the first text of a stream went out. */
  firstMs?: number;
  streamed?: boolean;
  /** As the client asked for it, and what it got. */
  asked?: string;
  model?: string;
  calls?: number;
  mended?: number;
  repairs?: string[];
  askedAgain?: true;
  unmended?: number;
  lost?: number;
  dropped?: number;
  noted?: string[];
  usage?: Usage;
  /** Why it failed: a kind of failure, or words of our own. */
  error?: string;
  /** The client went away before its end. */
  broken?: true;
};

export type Log = (line: LogLine) => void;

/** What an account adds to a line: what did not happen is left out. */
export function accounted(account: Account): Partial<LogLine> {
  const { calls, mended, codes, askedAgain, unmended, lost, dropped, noted, usage } = account;
  return {
    ...(calls > 0 ? { calls } : {}),
    ...(mended > 0 ? { mended, repairs: [...codes] } : {}),
    ...(askedAgain ? { askedAgain } : {}),
    ...(unmended > 0 ? { unmended } : {}),
    ...(lost > 0 ? { lost } : {}),
    ...(dropped > 0 ? { dropped } : {}),
    ...(noted.size > 0 ? { noted: [...noted] } : {}),
    ...(usage ? { usage } : {}),
  };
}
