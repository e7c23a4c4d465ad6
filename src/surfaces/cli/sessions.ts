/** `toolwright sessions`: what is kept here. */
import { openStore } from "../../runtime/runtime.ts";
import { complain, exitCodes, type CliRoom } from "./room.ts";
import { sessionLines } from "./session-table.ts";

export async function runSessions({ terminal, settings }: CliRoom): Promise<number> {
  const opened = await openStore(settings);
  if (!opened.ok) {
    complain(terminal, opened.problem);
    return exitCodes.failed;
  }
  const store = opened.value;
  try {
    const sessions = await store.list();
    if (settings.output === "text")
      terminal.print(`${sessionLines(sessions, { now: Date.now() }).join("\n")}\n`);
    else terminal.print(`${JSON.stringify(sessions)}\n`);
    return exitCodes.done;
  } finally {
    await store.close();
  }
}
