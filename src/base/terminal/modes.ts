/** Reads the modes of a terminal: whether it echoes input, and whether it delivers input line by line. */

import { spawn } from "node:child_process";

/** `echo`: input is echoed; `lines`: programs receive whole lines. */
export type TerminalModes = { echo: boolean; lines: boolean };

/** Query for a terminal's settings, in milliseconds. */
const longestMs = 2_000;

/** Runs `stty` on our side of the terminal, whose modes equal the program's. Returns `undefined` if there is none. */
export function terminalModes(descriptor: number | undefined): Promise<TerminalModes | undefined> {
  const { promise, resolve } = Promise.withResolvers<TerminalModes | undefined>();
  if (descriptor === undefined) return Promise.resolve(undefined);
  const child = spawn("stty", ["-a"], {
    stdio: [descriptor, "pipe", "ignore"],
    env: { PATH: "/usr/bin:/bin:/run/current-system/sw/bin", LC_ALL: "C" },
    timeout: longestMs,
  });
  let said = "";
  child.stdout?.setEncoding("utf8").on("data", (text: string) => void (said += text));
  child.once("error", () => resolve(undefined));
  child.once("close", () => resolve(modesIn(said)));
  return promise;
}

function modesIn(said: string): TerminalModes | undefined {
  const echo = /(?:^|\s)(-?)echo(?=[\s;]|$)/m.exec(said);
  const lines = /(?:^|\s)(-?)icanon(?=[\s;]|$)/m.exec(said);
  return echo && lines ? { echo: echo[1] === "", lines: lines[1] === "" } : undefined;
}
