/** What scripts are made with: randomness, a depth, and removals that can be told apart. */

import type { Random } from "./random.ts";

export type Making = {
  readonly random: Random;
  /** Makes a whole script: words hold scripts, and scripts hold words. */
  readonly script: Maker;
  depth: number;
  next: number;
};

export type Maker = (making: Making) => string;

export function deeper(making: Making, make: Maker): string {
  making.depth += 1;
  const made = make(making);
  making.depth -= 1;
  return made;
}

/** `rm` with the next number, however its name may be written. */
export function removal(making: Making): string {
  const { random } = making;
  making.next += 1;
  const name = random.pick(names);
  return `${name}${random.pick([" ", " ", " ", "\t", " \\\n"])}${making.next}`;
}

const names = [
  "rm",
  "rm",
  "rm",
  "rm",
  "r\\m",
  "\\rm",
  "'rm'",
  '"rm"',
  "r''m",
  'r"m"',
  "$'rm'",
  "$'\\x72m'",
  "$'\\162m'",
  '$"rm"',
  "r\\\nm",
  "command rm",

  "env rm",
  "env A=1 rm",
  "nice rm",
  "nohup rm",
  "timeout 5 rm",
  "xargs rm",
  "exec rm",
  "builtin command rm",
  "$none rm",
  "A=1 rm",
  "A=1 B+=x rm",
  ">f rm",
  "2>&1 rm",
  "! rm",
  "time rm",
  "time -p rm",
  "time -- rm",
  "coproc rm",
  "${none:-rm}",
  "${none-rm}",
  "$(echo rm)",
  "`echo rm`",
  "{rm,x}",
  "{rm,-f}",
  "setsid rm",
  "env -u A rm",
  "env -- rm",
  "stdbuf -o0 rm",
  "{fd}>f rm",
  "<<<x rm",
  "rm >f",
  "rm<<<x",
  "rm 2>&1",
  "a[1]=2 rm",
  "env -S 'rm -f'",
  "find . -maxdepth 0 -exec rm",
  "eval rm",
  "eval 'rm x;' rm",
  "x=rm; $x",
  'x=rm; "$x"',
  'x=(rm -f); "${x[@]}"',
];
