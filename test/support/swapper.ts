/** Swaps two names in a directory as fast as possible, so that any two lookups may see different ones. */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { onTestFinished } from "vitest";

/** renameat2 with RENAME_EXCHANGE: neither name is ever missing. */
const script = `
  my ($number, $one, $other) = @ARGV;
  my $parent = getppid;
  $| = 1;
  print "swapping\\n";
  while (getppid == $parent) {
    for (1 .. 1000) { syscall($number + 0, -100, $one, -100, $other, 2) == 0 or die "renameat2: $!" }
  }`;

const numbers: Readonly<Record<string, number>> = { x64: 316, arm64: 276, riscv64: 276, ia32: 353, arm: 382 };

/** A line for a shell that says "ready" and swaps each pair of names in turn for ever, also where that fails. */
export function swapLine(...pairs: readonly (readonly [one: string, other: string])[]): string {
  const swap = `$| = 1; print "ready\\n"; for (;;) { for (my $i = 1; $i < @ARGV; $i += 2) { syscall($ARGV[0] + 0, -100, $ARGV[$i], -100, $ARGV[$i + 1], 2) } }`;
  return `exec perl -e '${swap}' ${numberHere()} ${pairs.flat().join(" ")}`;
}

function numberHere(): number {
  const number = numbers[process.arch];
  if (number === undefined) throw new Error(`the number of renameat2 is not known on ${process.arch}`);
  return number;
}

/** Swaps until stopped or the test is over. */
export async function startSwapper(one: string, other: string): Promise<{ stop: () => Promise<void> }> {
  const number = numberHere();
  const child = spawn("perl", ["-e", script, String(number), one, other], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(child, "exit");
  const stop = async (): Promise<void> => {
    child.kill("SIGKILL");
    await ended;
  };
  onTestFinished(stop);
  await once(child.stdout, "data");
  return { stop };
}
