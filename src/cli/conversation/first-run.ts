/** The first run without a model: says what to do, takes a key, or offers the demo. */

import { complain, exitCodes, type CliContext } from "../cli-context.ts";
import { offerLogin } from "../login.ts";
import { LineInput } from "./line-input.ts";
import { confirm } from "./questions.ts";

type FirstRunChoices = { begin: () => Promise<number>; demo: () => Promise<number> };

/** Exit code 1 if both are declined, because the request was not carried out. */
export async function firstRun(
  context: CliContext,
  advice: string,
  { begin, demo }: FirstRunChoices,
): Promise<number> {
  const { terminal } = context;
  complain(terminal, advice);
  const hasKey = await offerLogin(context);
  if (hasKey === undefined) return exitCodes.failed;
  if (hasKey) return begin();
  const input = new LineInput(terminal, { interrupt: () => input.cancel(), terminate: () => input.cancel() });
  const wanted = await confirm(input, "Watch the demo meanwhile? It needs no model and no network.");
  input.close();
  if (wanted === undefined) terminal.print("\n"); // the person left at the question
  return wanted ? demo() : exitCodes.failed;
}
