/** A session with terminals, in a process of its own that is to be killed: it says when all of them run. */

import { terminal } from "../../src/tools/terminal.ts";
import { runTool, testingRoom, wordsOf } from "../../src/tools/testing-room.ts";

const room = testingRoom(process.cwd());
for (const command of process.argv.slice(2)) {
  const name = `t${room.terminals.all().length}`;
  const call = { action: "start", terminal: name, command, pattern: "^ready" };
  process.stdout.write(`${wordsOf(await runTool(terminal, call, room)).words}\n`);
}
process.stdout.write("all run\n");
