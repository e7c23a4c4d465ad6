/** Conversations that outgrow their model's window: what is written in them, and the session they are had in. */

import { ModelError } from "../protocol/model-events.ts";
import type { Prompt } from "../providers/provider.ts";
import { testSession, type TestSession } from "./session.ts";

/** So many lines, each of which says where it is from. */
export const lines = (mark: string, count: number): string =>
  Array.from({ length: count }, (_, at) => `line ${at} of ${mark}: the quick brown fox`).join("\n");

/** Whether it asks for a summary: then no tools are offered. */
export const isSummary = ({ tools }: Prompt): boolean => tools.length === 0;

export const overflow = () =>
  new ModelError("context-overflow", "The conversation is too long for the model.");

/** A turn that nobody is asked about and that goes on for long. */
export const longTurn = { mode: "auto", maxRounds: 100 } as const;

/** Opens such a session, and closes it however the work ends. */
export async function withSession(
  model: Parameters<typeof testSession>[0],
  work: (session: TestSession) => Promise<void>,
  more: Parameters<typeof testSession>[1] = {},
): Promise<void> {
  const session = await testSession(model, { ...longTurn, ...more });
  try {
    await work(session);
  } finally {
    await session.close();
  }
}
