/** When there is no model yet: what to do, and the offer of the demo. */

import { complain, exitCodes, type CliRoom } from "../room.ts";
import { LineInput } from "./line-input.ts";
import { confirm } from "./questions.ts";

/** Exit code 1 when the demo is not wanted: what was asked for was not done. */
export async function offerDemo(
  { terminal }: CliRoom,
  advice: string,
  demo: () => Promise<number>,
): Promise<number> {
  complain(terminal, advice);
  const input = new LineInput(terminal, { interrupt: () => input.cancel(), terminate: () => input.cancel() });
  const wanted = await confirm(input, "Watch the demo meanwhile? It needs no model and no network.");
  input.close();
  if (wanted === undefined) terminal.print("\n"); // left at the question
  return wanted ? demo() : exitCodes.failed;
}
