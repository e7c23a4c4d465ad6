/**
 * Runs a command on a busy machine: beside processes of others, half of them zombies, and loops that use its cores.
 * `node bench/busy.ts [PROCESSES [LOOPS]] -- npm test`; 1,500 and 10 by default. Ends with the command's exit code.
 */

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { loadavg } from "node:os";

const words = process.argv.slice(2);
const split = words.indexOf("--");
const [program, ...rest] = split === -1 ? [] : words.slice(split + 1);
const [processes = 1_500, loops = 10] = words.slice(0, Math.max(split, 0)).map(Number);
if (program === undefined || !(processes >= 0) || !(loops >= 0)) {
  console.error("usage: node bench/busy.ts [PROCESSES [LOOPS]] -- COMMAND...");
  process.exit(2);
}

/** A shell that becomes a program which waits for no child: those that have ended stay zombies. */
const crowd = (count: number, child: string): string =>
  `exec 3<&0; i=0; while [ $i -lt ${count} ]; do ${child} & i=$((i+1)); done; echo there; exec sleep 86400`;

const half = Math.floor(processes / 2);
const crowds = [
  crowd(half, "sleep 86400"),
  crowd(processes - half, "cat <&3"),
  crowd(loops, "while :; do :; done"),
].map((line) => spawn("sh", ["-c", line], { detached: true, stdio: ["pipe", "pipe", "inherit"] }));

const end = (): void => {
  for (const { pid } of crowds)
    if (pid !== undefined)
      try {
        process.kill(-pid, "SIGKILL");
      } catch {
        // already gone
      }
};
process.once("exit", end);
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1));

const ready = async ({ stdout }: ChildProcess): Promise<void> => {
  if (stdout) await once(stdout, "data");
};
await Promise.all(crowds.map(ready));
for (const { stdin } of crowds) stdin?.end();
const began = performance.now();
const command = spawn(program, rest, { stdio: "inherit" });
command.once("error", ({ message }) => {
  console.error(message);
  process.exit(127);
});
const [code] = await once(command, "close");
const seconds = Math.round((performance.now() - began) / 1_000);
console.log(
  `beside ${processes} processes and ${loops} loops: exit ${String(code)} after ${seconds} s, load ${loadavg()[0]?.toFixed(1)}`,
);
process.exit(typeof code === "number" ? code : 1);
