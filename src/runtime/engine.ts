/** The in-process engine: takes steps until the turn is done or waits for a person. */
import { advance } from "../agent/loop.ts";
import type { TurnRoom } from "../agent/room.ts";

/** "wait": every call that could run has run, and a person has been asked. */
export async function drive(room: TurnRoom): Promise<"wait" | "done"> {
  for (;;) {
    const next = await advance(room);
    if (next !== "continue") return next;
  }
}
