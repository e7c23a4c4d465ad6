/** `toolwright models`: lists the models for --model, and why others are out of reach. */

import { keyTakers } from "../runtime/models/logging-in.ts";
import { modelsWithinReach } from "../runtime/runtime.ts";
import { styleFor } from "../view/plain.ts";
import { complain, exitCodes, printAnswer, type CliContext } from "./cli-context.ts";
import { hasModel, keyLines, missingModel, modelLines } from "./model-table.ts";
import { toldWhile } from "./told-while.ts";

/** Exit code 1 if there are none at all. */
export async function runModels(context: CliContext): Promise<number> {
  const { terminal, settings } = context;
  const reach = await toldWhile(terminal, "Asking the providers for their models", () =>
    modelsWithinReach(settings, terminal.env),
  );
  const style = styleFor(terminal.env, terminal.outputIsTerminal);
  printAnswer(context, reach, () => [
    ...modelLines(reach, style),
    ...(hasModel(reach) ? [] : keyLines(keyTakers(settings), style)),
  ]);
  const missing = hasModel(reach) ? undefined : await missingModel(context);
  if (missing !== undefined) complain(terminal, missing);
  return hasModel(reach) ? exitCodes.done : exitCodes.failed;
}
