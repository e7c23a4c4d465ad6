/** Nasty shell: every way in which a command can stand in a script, and in which its name can be written. */

import { deeper, type Maker, type Making, removal } from "./making.ts";
import type { Random } from "./random.ts";
import { remembering } from "./remembering.ts";
import { wordIn } from "./words.ts";

/** A script in which every removal has a number of its own. */
export function randomScript(random: Random): string {
  return scriptIn({ random, script: scriptIn, depth: 0, next: 0 });
}

const deepest = 3;

function scriptIn(making: Making): string {
  const { random } = making;
  const count = 1 + random.below(making.depth === 0 ? 3 : 2);
  let script = statementIn(making);
  for (let at = 1; at < count; at += 1) script += separatorIn(random) + statementIn(making);
  return script;
}

const separatorIn = ({ pick }: Random): string =>
  pick([
    ";",
    "; ",
    "\n",
    "\n",
    " && ",
    " || ",
    " & ",
    " | ",
    " |& ",
    "\n\n\t",
    " # it's\n",
    ";\\\n",
    "&\n",
    " &&\n",
  ]);

const simple: readonly Maker[] = [
  removal,
  removal,
  (making) => `echo ${wordIn(making)}`,
  (making) => `: ${wordIn(making)} ${wordIn(making)}`,
  (making) => `${removal(making)} ${wordIn(making)}`,
  (making) => `x=${wordIn(making)}`,
  (making) => `x=${wordIn(making)} ${removal(making)}`,
  (making) => `echo ${wordIn(making)} >${wordIn(making)}`,
  (making) => `a=(${wordIn(making)} ${wordIn(making)})`,
  (making) => `cat <<< ${wordIn(making)}`,
  () => "true",
];

const inner = (making: Making): string => deeper(making, scriptIn);
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
const doubled = (text: string): string => `"${text.replaceAll(/[\\"`$]/gu, "\\$&")}"`;

const compound: readonly Maker[] = [
  (making) => `if ${inner(making)}; then ${inner(making)}; else ${inner(making)}\nfi`,
  (making) => `if true; then\n${inner(making)}\nfi`,
  (making) => `for i in ${wordIn(making)} ${wordIn(making)}; do ${inner(making)}; done`,
  (making) => `for i in 1; do echo $i; ${inner(making)}\ndone`,
  (making) => `for ((i = 0; i < 1; i++)); do ${inner(making)}; done`,
  (making) => `for((i=0;i<1;i++)){ ${inner(making)};}`,
  (making) => `while ${inner(making)}; read -r x; do ${inner(making)}; done`,
  (making) => `until ! read -r x; do ${inner(making)}; done <<< 1`,
  (making) => `case ${wordIn(making)} in a|b) ${inner(making)} ;; (*) ${inner(making)} ;; esac`,
  (making) => `case x in x) ${inner(making)};& y) ${inner(making)};; esac`,
  (making) => `case x in ${wordIn(making)}) echo;; *)\n${inner(making)}\nesac`,
  (making) => `f() { ${inner(making)}; }; f ${wordIn(making)}`,
  (making) => `function f { ${inner(making)}\n}; f`,
  (making) => `f () (${inner(making)}); f | cat`,
  (making) => `f()\n{\n${inner(making)}\n} >f\nf`,
  (making) => `(${inner(making)})`,
  (making) => `((1); (${inner(making)}))`,
  (making) => `( (${inner(making)}) )`,
  (making) => `{ ${inner(making)}; } 2>&1`,
  (making) => `{ ${inner(making)}\n}`,
  (making) => `! { ${inner(making)}; }`,
  (making) => `time (${inner(making)})`,
  (making) => `coproc { ${inner(making)}; }; wait`,
  (making) => `coproc N (${inner(making)}); wait`,
  (making) => `[[ -n ${wordIn(making)} && x == ${wordIn(making)} ]]`,
  (making) => `[[ ${wordIn(making)} =~ ${wordIn(making)} ]] || ${inner(making)}`,
  (making) => `[ -z ${wordIn(making)} ] && ${inner(making)}`,
  (making) => `((x = ${wordIn(making)})) ; ${inner(making)}`,
  (making) => `eval ${quoted(inner(making))}`,
  (making) => `eval ${doubled(inner(making))}`,
  (making) => `eval "${inner(making).replaceAll(/["\\]/gu, "\\$&")}"`,
  (making) => `bash -c ${quoted(inner(making))}`,
  (making) => `bash -ec ${doubled(inner(making))} x y`,
  (making) => `sh -c ${quoted(removal(making))}`,
  (making) => `env -i PATH="$PATH" FUZZ="$FUZZ" bash -c ${quoted(removal(making))}`,
  (making) => `bash <<< ${quoted(inner(making))}`,
  (making) => `bash <<'E'\n${inner(making)}\nE\n`,
  (making) => `echo ${quoted(inner(making))} | bash`,
  (making) => `trap ${quoted(inner(making))} EXIT`,
  (making) => `(trap ${doubled(inner(making))} EXIT; true)`,
  (making) => `x=${quoted(inner(making))}; eval "$x"`,
  (making) => `x=${quoted(inner(making))}; bash -c "$x"`,
  (making) => `shopt -s expand_aliases; alias q=${quoted(removal(making))}\nq`,
  (making) => `echo 1 | xargs -n 1 ${removal(making)}`,
  (making) => `echo 1 | xargs -I{} ${removal(making)} {}`,
  (making) => `echo 1 | while read -r x; do ${inner(making)}; done`,
  (making) => `cat <<E\n${wordIn(making)} ${wordIn(making)}\nE\n${inner(making)}`,
  (making) => `cat <<'E'\n${inner(making)}\nE\n${inner(making)}`,
  (making) => `cat <<-E; ${inner(making)}\n\t${wordIn(making)}\n\tE\n${inner(making)}`,
  (making) => `cat <<A <<"B"\n${wordIn(making)}\nA\n${inner(making)}\nB\n${inner(making)}`,
  (making) => `cat <<\\E | cat\n${inner(making)} it's\nE\n${inner(making)}`,
  (making) => `cat <(${inner(making)}) >/dev/null`,
  (making) => `echo x > >(${inner(making)}); wait`,
  (making) => `a[${wordIn(making)}]=${wordIn(making)}`,
  (making) => `a=([${wordIn(making)}]=${wordIn(making)})`,
  (making) => `declare ${wordIn(making)}=${wordIn(making)}`,
  (making) =>
    `x=${quoted(`a[$(${removal(making)})]`)}; ${making.random.pick(["((x))", "[[ x -eq 1 ]]", "a[x]=1", "echo $((x))", "let x", "declare -i y=x", 'test -v "$x"', 'printf -v "$x" 1', 'read "$x" <<<1', 'unset "$x"', "echo ${!x}", "echo ${PATH:x:1}"])}`,
  (making) => `x=${quoted(`$(${removal(making)})`)}; echo \${x@P}`,
  (making) => `PS4='+$(${removal(making)}) '; set -x; true`,
  (making) => `select i in 1; do ${inner(making)}; done <<< 1`,
  ...remembering,
];

function statementIn(making: Making): string {
  const { random } = making;
  const makers = making.depth < deepest && random.chance(making.depth === 0 ? 0.6 : 0.35) ? compound : simple;
  return random.pick(makers)(making);
}
