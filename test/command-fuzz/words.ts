/** Words as nasty as a shell takes them: quotes, expansions, and substitutions within each other. */

import { deeper, type Maker, type Making } from "./making.ts";

const deepest = 3;

export function wordIn(making: Making): string {
  const { random, depth } = making;
  const count = random.pick([1, 1, 1, 1, 2]);
  let word = "";
  for (let at = 0; at < count; at += 1)
    word += depth < deepest && random.chance(0.3) ? random.pick(nested)(making) : random.pick(plain);
  return word;
}

const plain = [
  "x",
  "1",
  "-f",
  "a.b",
  "a=b",
  "''",
  '""',
  "'a b'",
  "'it\"s'",
  '"it\'s"',
  "'$(rm 0)'",
  "\\$\\(rm",
  "\\'",
  '\\"',
  "$'a\\'b'",
  "$'\\n'",
  '$"a"',
  "{a,b}",
  "{1..3}",
  "{a,b}{c,d}",
  "$x",
  "${x}",
  '"$x"',
  "${#x}",
  "$?",
  "$$",
  "$#",
  "~",
  "*",
  "a\\\nb",
  "a#b",

  "é",
  "a\\ b",
  "[a-z]*",
  "{",
  "}",
  "=",
  "${x/#/y}",
  "$((1<<2))",
  "${x//'}'/y}",
  "$((1+(2)))",
  "$[1+1]",
  "${x:-'}'}",
  "\"${x:-'}'}\"",
  '"${x%"}"}"',
  "$'\\x24(rm 0)'",
  "'`rm 0`'",
  '"\\$(rm 0)"',
  '"\\`rm 0\\`"',
  "\\`rm",
  "'<(rm 0)'",
  '"<(rm 0)"',
  "${x#\\'}",
  "\\\\",
  '"\\\\"',
  "'\\'",
  "$-",
  "$!",
];

const inner = (making: Making): string => deeper(making, making.script);
const ticked = (text: string): string => `\`${text.replaceAll(/[\\`$]/gu, "\\$&")}\``;
const looselyTicked = (text: string): string => `\`${text.replaceAll("`", "\\`")}\``;
const word = (making: Making): string => deeper(making, wordIn);

const nested: readonly Maker[] = [
  (making) => `$(${inner(making)})`,
  (making) => `$( ${inner(making)}\n)`,
  (making) => `"$(${inner(making)})"`,
  (making) => `"a $(${inner(making)}) 'b'"`,
  (making) => `"a'$(${inner(making)})'"`,
  (making) => ticked(inner(making)),
  (making) => looselyTicked(inner(making)),
  (making) => `"${ticked(inner(making))}"`,
  (making) => `"${looselyTicked(inner(making)).replaceAll('"', '\\"')}"`,
  (making) => `<(${inner(making)})`,
  (making) => `>(${inner(making)})`,
  (making) => `\${x:-${word(making)}}`,
  (making) => `"\${x:-${word(making)}}"`,
  (making) => `"\${x:-'${word(making)}'}"`,
  (making) => `\${PATH#${word(making)}}`,
  (making) => `"\${PATH//${word(making)}/${word(making)}}"`,
  (making) => `\${PATH:${word(making)}:1}`,
  (making) => `\${a[${word(making)}]}`,
  (making) => `"\${a[${word(making)}]:-${word(making)}}"`,
  (making) => `\${x+${word(making)}}`,
  (making) => `\${x:=${word(making)}}`,
  (making) => `$((${word(making)}))`,
  (making) => `$((1 + $(${inner(making)}) + a[${word(making)}]))`,
  (making) => `$((${word(making)}); ${inner(making)})`,
  (making) => `$[${word(making)}]`,
  (making) => `{${word(making)},${word(making)}}`,
  (making) => `"${word(making).replaceAll('"', '\\"')}"`,
  (making) => `'${word(making).replaceAll("'", "")}'`,
  (making) => `$'${word(making).replaceAll("'", "\\'")}'`,
  (making) => `$"${word(making).replaceAll('"', '\\"')}"`,
  (making) => `$(cat <<E\n${word(making)}\nE\n)`,
  (making) => `"$(cat <<'E'\nit's ${word(making)}\nE\n)"`,
  (making) => `$(case x in x) ${inner(making)};; esac)`,
  (making) => `$(# it's\n${inner(making)})`,
  (making) => `$\\\n(${inner(making)})`,
  (making) => `$(<${word(making)})`,
];
