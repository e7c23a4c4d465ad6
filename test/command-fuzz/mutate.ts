/** Changes scripts blindly: most results mean something else, and some of them are what a parser never saw. */

import type { Random } from "./random.ts";

const pieces = [
  "'",
  '"',
  "`",
  "\\",
  "$",
  "#",
  " ",
  "\n",
  "(",
  ")",
  "{",
  "}",
  "[",
  "]",
  "<",
  ">",
  "<<",
  "<<<",
  "=",
  ";",
  "|",
  "&",
  "&&",
  "\\\n",
  "\r",

  "$(",
  "${",
  "$((",
  "))",
  "<(",
  ">(",
  "a[",
  "]=",
  "a=(",
  "in ",
  "esac ",
  "fi ",
  "then ",
  "case x in ",
  " # ",
  ";;",
  "<<E\n",
  "\nE\n",
  "<<-'E'\n",
  "$'",
  "\\`",
  '\\"',
  "!",
  "! ",
  "time ",
  "coproc ",
  "{a,",
  "x=",
  "rm 1",
  "$(rm 1)",
  "`rm 1`",
  "; rm 1;",
  "\nrm 1\n",
  "eval ",
  "&>",
  "2>",
  "~",
  "f() ",
  "function f ",
  "[[ ",
  " ]]",
  " =~ ",
];

export function mutated(script: string, other: string, random: Random): string {
  let text = script;
  for (let left = 1 + random.below(3); left > 0; left -= 1) text = changeOnce(text, other, random);
  return text.replaceAll("\0", "");
}

function changeOnce(text: string, other: string, random: Random): string {
  const at = random.below(text.length + 1);
  const [before, after] = [text.slice(0, at), text.slice(at)];
  const length = 1 + random.below(8);
  switch (random.below(6)) {
    case 0:
      return before + after.slice(1);
    case 1:
      return before + after.slice(length);
    case 2:
      return before + after.slice(0, length) + after;
    case 3:
      return before + other.slice(random.below(other.length + 1)).slice(0, 4 * length) + after;
    default:
      return before + random.pick(pieces) + after;
  }
}
