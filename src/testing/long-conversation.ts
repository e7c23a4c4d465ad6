/** Conversations that outgrow their model's context window: their texts, and a session to run them in. */

import { ModelError } from "../protocol/model-events.ts";
import type { Prompt } from "../providers/provider.ts";
import { testSession, type TestSession } from "./session.ts";

/** `count` lines, each labelled with its origin. */
export const lines = (mark: string, count: number): string =>
  Array.from({ length: count }, (_, at) => `line ${at} of ${mark}: the quick brown fox`).join("\n");

/** Whether the prompt requests a summary: only those offer no tools. */
export const isSummary = ({ tools }: Prompt): boolean => tools.length === 0;

export const overflow = () =>
  new ModelError("context-overflow", "The conversation is too long for the model.");

/** A long turn that needs no approval. */
export const longTurn = { mode: "auto", maxRounds: 100 } as const;

/** Opens a session with `longTurn` and closes it however `work` ends. */
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
