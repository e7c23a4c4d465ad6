/** The first run without a model: says what to do, takes a key, or offers the demo. */

import { askingAt } from "../../tui/line/asking.ts";
import { complain, exitCodes, type CliContext } from "../cli-context.ts";
import { offerLogin } from "../login.ts";
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
  const person = askingAt(terminal);
  const wanted = await confirm(person, "Watch the demo meanwhile? It needs no model and no network.");
  person.close();
  if (wanted === undefined) terminal.print("\n"); // the person left at the question
  return wanted ? demo() : exitCodes.failed;
}
