/** The changes of each request of a stored session, as far as they can still be told. */

import type { Config } from "../../configuration/config.ts";
import { readSession, type ReadSession } from "../../runtime/read-session.ts";
import type { ReviewedChanges } from "../../view/review.ts";

type ReviewsByRequest = Map<number, ReviewedChanges>;

/** By request number; empty if the workspace is missing here. */
export async function reviewsOf(settings: Config, id: string): Promise<ReviewsByRequest> {
  const reviews = await readSession({ ...settings, resume: id }, reviewsIn);
  return reviews.ok ? reviews.value : new Map();
}

/** Without those whose contents are no longer kept. */
export async function reviewsIn(session: ReadSession): Promise<ReviewsByRequest> {
  const reviews: ReviewsByRequest = new Map();
  for (const { turn } of session.state.turns) {
    if (!session.state.changes.trails.has(turn)) continue;
    const reviewed = await session.review(turn);
    if (reviewed.ok) reviews.set(turn, reviewed.value);
  }
  return reviews;
}
