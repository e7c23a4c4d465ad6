/** Approves whatever the sessions of the fault tests ask. */

import { pendingApprovals } from "../../src/protocol/session-state.ts";
import type { LiveSession } from "../../src/runtime/live-session.ts";

/** Approves until the turn is over. */
export async function answerAll(session: LiveSession): Promise<void> {
  for (;;) {
    await session.idle();
    const [asked] = pendingApprovals(session.state);
    if (!asked) return;
    const { callId } = asked;
    await session.command({ type: "answer-approval", callId, answer: "allow", scope: "once", by: "test" });
  }
}

/** Continues a turn that was left open. */
export async function goOn(session: LiveSession): Promise<void> {
  if (session.state.status === "idle") return;
  await session.command({ type: "go-on" });
  await answerAll(session);
}
