/** Our problems as the protocol's errors. */

import { RequestError } from "@agentclientprotocol/sdk";
import type { Expected } from "../base/expected.ts";
import { NoSuchSession } from "../hosting/session-host.ts";
import type { CommandOutcome } from "../protocol/commands.ts";

/** With a sentence for people, which editors show. */
export const failure = (problem: string): RequestError => new RequestError(-32603, problem);
export const invalid = (problem: string): RequestError => new RequestError(-32602, problem);

export function valueOf<T>(expected: Expected<T>): T {
  if (!expected.ok) throw failure(expected.problem);
  return expected.value;
}

export function accept(outcome: CommandOutcome): void {
  if (!outcome.ok) throw failure(outcome.problem);
}

/** A session that was deleted meanwhile is told as the protocol tells it. */
export async function answering<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof NoSuchSession) throw new RequestError(-32002, error.message);
    throw error;
  }
}
