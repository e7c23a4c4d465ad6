/** Disables the buttons and fields inside it while another program has the session open. */

import type { ComponentChildren } from "preact";
import type { SessionView } from "../contract.ts";

type OffWhileHeldProps = { view: Pick<SessionView, "row">; children: ComponentChildren };

export const OffWhileHeld = ({ view: { row }, children }: OffWhileHeldProps) => (
  <fieldset class="off-while-held" role="presentation" disabled={row?.heldBy !== undefined}>
    {children}
  </fieldset>
);
