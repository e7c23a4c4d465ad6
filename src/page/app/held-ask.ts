/** Handles sessions that another program has open: the page can only read them. */

import { refuse } from "../../base/expected.ts";
import { visibleLine } from "../../base/visible-text.ts";
import type { CommandSender, SessionView } from "../contract.ts";
import type { PageGateway } from "./gateway.ts";

/** `heldBy` as the gateway reports it: "toolwright (process 12)". */
export function heldWords(heldBy: string): string {
  const who = visibleLine(heldBy).replace(/ \(([^()]*)\)$/u, ", $1");
  return `Open in another program (${who}). Continue there; here it is read-only.`;
}

/** Sends commands, unless another program has the session open: the gateway would refuse them. */
export function askUnlessHeld(
  gateway: Pick<PageGateway, "askOf">,
  { id, row }: Pick<SessionView, "id" | "row">,
): CommandSender {
  const heldBy = row?.heldBy;
  if (heldBy === undefined) return gateway.askOf(id);
  return () => Promise.resolve(refuse(heldWords(heldBy)));
}
