/** A session with terminals, in a separate process that the test kills; it reports when all of them run. */

import { terminal } from "../../src/tools/terminal.ts";
import { runTool, testContext, wordsOf } from "../../src/tools/testing/context.ts";

const context = testContext(process.cwd());
for (const command of process.argv.slice(2)) {
  const name = `t${context.terminals.all().length}`;
  const call = { action: "start", terminal: name, command, pattern: "^ready" };
  process.stdout.write(`${wordsOf(await runTool(terminal, call, context)).words}\n`);
}
process.stdout.write("all run\n");
