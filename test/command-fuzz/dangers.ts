/** Dangerous commands where they certainly run: behind, within and inside of harmless ones, at several depths. */

import type { Random } from "./random.ts";

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
const doubled = (text: string): string => `"${text.replaceAll(/[\\"`$]/gu, "\\$&")}"`;
const ticked = (text: string): string => `\`${text.replaceAll(/[\\`$]/gu, "\\$&")}\``;

/** A name that no text around or within this one uses: it grows with every wrapping. */
const own = (danger: string): string => `E${danger.length}`;

/** What stands around it: a harmless command comes along. */
type Around = (danger: string, harmless: string) => string;

const surroundings: readonly Around[] = [
  (danger, harmless) => `${harmless}\n${danger}`,
  (danger, harmless) => `${harmless}; ${danger}`,
  (danger, harmless) => `${harmless} && ${danger}`,
  (danger, harmless) => `${harmless} || ${danger}`,
  (danger, harmless) => `${harmless} & ${danger}`,
  (danger, harmless) => `${harmless} |& { ${danger}\n}`,
  (danger, harmless) => `${harmless} # fine\n${danger}`,
  (danger, harmless) => `${danger}\n${harmless}`,
  (danger, harmless) => `{ ${danger}\n} &\n${harmless}`,
  (danger) => `(${danger}\n)`,
  (danger) => `{ ${danger}\n}`,
  (danger) => `! { ${danger}\n}`,
  (danger) => `time (${danger}\n)`,
  (danger) => `coproc { ${danger}\n}`,
  (danger, harmless) => `if ${harmless}; then ${danger}\nfi`,
  (danger, harmless) => `if ${danger}\nthen ${harmless}; fi`,
  (danger) => `for i in 1; do ${danger}\ndone`,
  (danger) => `for ((i = 0; i < 1; i++)); do ${danger}\ndone`,
  (danger) => `while ${danger}\ndo break; done`,
  (danger) => `until false; do ${danger}\nbreak; done`,
  (danger) => `case x in *) ${danger}\n;; esac`,
  (danger) => `f() { ${danger}\n}; f`,
  (danger) => `function f {\n${danger}\n}\nf | cat`,
  (danger) => `echo $(${danger}\n)`,
  (danger) => `echo "a $(${danger}\n) b"`,
  (danger) => `echo ${ticked(danger)}`,
  (danger) => `kept=$(${danger}\n)`,
  (danger) => `[ -n "$(${danger}\n)" ]`,
  (danger) => `[[ -z $(${danger}\n) ]]`,
  (danger) => `echo \${x:-$(${danger}\n)}`,
  (danger) => `echo $((1 + $(${danger}\n)))`,
  (danger) => `a=($(${danger}\n))`,
  (danger) => `a[$(${danger}\n)]=1`,
  (danger) => `cat <(${danger}\n)`,
  (danger) => `echo a > >(${danger}\n)`,
  (danger) => `cat <<${own(danger)}\n$(${danger}\n)\n${own(danger)}`,
  (danger) => `cat <<< $(${danger}\n)`,
  (danger) => `echo {a,$(${danger}\n)}`,
  (danger) => `echo [$(${danger}\n)]`,
  (danger) => `eval ${quoted(danger)}`,
  (danger) => `eval ${doubled(danger)}`,
  (danger) => `bash -c ${quoted(danger)}`,
  (danger) => `sh -ec ${doubled(danger)} a b`,
  (danger) => `env A=1 bash -c ${quoted(danger)}`,
  (danger) => `nohup timeout -k 5 10 nice -n 5 bash -c ${quoted(danger)}`,
  (danger) => `echo 1 | xargs -I%% bash -c ${quoted(danger)}`,
  // Only where it holds no braces of its own, which would be replaced.
  (danger) => `find . -exec sh -c ${danger.includes("{}") ? "true" : quoted(danger)} \\; ; ${danger}`,
  (danger) => `bash <<'${own(danger)}'\n${danger}\n${own(danger)}`,
  (danger) => `bash <<< ${quoted(danger)}`,
  (danger) => `echo ${quoted(danger)} | bash`,
  (danger) => `printf '%s\\n' ${quoted(danger)} | sh -s`,
  (danger) => `trap ${quoted(danger)} EXIT`,
  (danger) => `kept=${quoted(danger)}; eval "$kept"`,
  (danger) => `kept=${quoted(danger)}\nbash -c "$kept"`,
  (danger) => `echo ${quoted(danger)} > ${own(danger)}; bash ${own(danger)}`,
  (danger) => `cat > a${own(danger)} <<'${own(danger)}'\n${danger}\n${own(danger)}\nsh ./a${own(danger)}`,
  (danger) => `make -n; script -qc ${quoted(danger)} /dev/null`,
];

/** Wrapped once, twice or three times. */
export function surrounded(danger: string, harmless: readonly string[], random: Random): string {
  let text = danger;
  for (let left = 1 + random.below(3); left > 0; left -= 1)
    text = random.pick(surroundings)(text, random.pick(harmless));
  return text;
}

/** The same words, written otherwise: only where no character means anything to the shell. */
export function rewritten(danger: string, random: Random): string {
  if (/['"\\`$<>|&;(){}#~*?![\]=\n]/u.test(danger)) return danger;
  const blank = (): string => random.pick([" ", "  ", "\t", " \\\n", "\\\n "]);
  const word = (text: string): string =>
    random.pick([
      text,
      text,
      `'${text}'`,
      `"${text}"`,
      `\\${text}`,
      `${text.slice(0, 1)}''${text.slice(1)}`,
      `$'${text}'`,
    ]);
  return danger
    .split(" ")
    .map((one) => (one === "" ? "" : word(one)))
    .join(blank());
}
