/** The signals that stop a server: the first lets what runs end, the second does not. */

import type { ProcessTerminal } from "../../tui/process-terminal.ts";

/** One Ctrl-C may arrive twice: from the terminal and from our parent process. So may SIGHUP. Milliseconds. */
const sameSignalMs = 100;

/** `asked` and `askedAgain` resolve with the first and the second request to stop. */
type StopSignals = { asked: Promise<void>; askedAgain: Promise<"at once">; release: () => void };

export function stopSignals(terminal: ProcessTerminal): StopSignals {
  const asked = Promise.withResolvers<void>();
  const askedAgain = Promise.withResolvers<"at once">();
  let askedAt: number | undefined;
  const release = terminal.onSignal((signal) => {
    asked.resolve();
    askedAt ??= Date.now();
    if (signal !== "SIGHUP" && Date.now() - askedAt > sameSignalMs) askedAgain.resolve("at once");
  });
  return { asked: asked.promise, askedAgain: askedAgain.promise, release };
}
