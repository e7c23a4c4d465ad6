/** What can only be used where the session is open: its buttons and fields are off while another program has it. */

import type { ComponentChildren } from "preact";
import type { SessionView } from "../contract.ts";

type Props = { view: Pick<SessionView, "row">; children: ComponentChildren };

export const OffWhileHeld = ({ view: { row }, children }: Props) => (
  <fieldset class="off-while-held" role="presentation" disabled={row?.heldBy !== undefined}>
    {children}
  </fieldset>
);
