/** The first run without a model: says what to do, and offers the demo. */

import { complain, exitCodes, type CliRoom } from "../room.ts";
import { LineInput } from "./line-input.ts";
import { confirm } from "./questions.ts";

/** Exit code 1 if the demo is declined, because the request was not carried out. */
export async function offerDemo(
  { terminal }: CliRoom,
  advice: string,
  demo: () => Promise<number>,
): Promise<number> {
  complain(terminal, advice);
  const input = new LineInput(terminal, { interrupt: () => input.cancel(), terminate: () => input.cancel() });
  const wanted = await confirm(input, "Watch the demo meanwhile? It needs no model and no network.");
  input.close();
  if (wanted === undefined) terminal.print("\n"); // the person left at the question
  return wanted ? demo() : exitCodes.failed;
}
