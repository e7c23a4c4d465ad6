/** A session that another program has open: there it goes on, here it can be read. */

import { visibleLine } from "../../view/visible.ts";
import type { Ask, SessionView } from "../contract.ts";
import type { Gateway } from "./gateway.ts";

/** `heldBy` as the gateway tells it: "toolwright (process 12)". */
export function heldWords(heldBy: string): string {
  const who = visibleLine(heldBy).replace(/ \(([^()]*)\)$/u, ", $1");
  return `Open in another program (${who}). Continue there; here it is read-only.`;
}

/** What is asked of a session; while another program has it open nothing is asked, because it would be refused. */
export function askUnlessHeld(
  gateway: Pick<Gateway, "askOf">,
  { id, row }: Pick<SessionView, "id" | "row">,
): Ask {
  const heldBy = row?.heldBy;
  if (heldBy === undefined) return gateway.askOf(id);
  return () => Promise.resolve({ ok: false, problem: heldWords(heldBy) });
}
