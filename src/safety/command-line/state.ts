/** Builtins that change what the shell itself knows: where it stands, its variables, its arguments. */
import type { Input } from "../dangers/effect.ts";
import { changeDirectory, setVariable, type Shell } from "./shell.ts";
import { isUnknown, unknownWord, type Word, withText } from "./word.ts";

type Builtin = (words: readonly Word[], shell: Shell, input: Input) => void;

const isOption = ({ text }: Word): boolean => /^[-+]./u.test(text);

const declare: Builtin = (words, shell) => {
  for (const word of words) {
    const equals = word.text.indexOf("=");
    if (equals <= 0 || isOption(word)) continue;
    setVariable(shell, nameIn(word.text), [withText(word, word.text.slice(equals + 1))]);
  }
  const exports = words.some(({ text }) => /^-[A-Za-z]*x/u.test(text));
  if (exports) exportNames(words, shell);
};

/** `a=x`, `a+=x`, `a[0]=x` → `a` */
const nameIn = (text: string): string => text.replace(/[=[].*$/su, "").replace(/\+$/u, "");

function exportNames(words: readonly Word[], shell: Shell): void {
  for (const word of words) if (!isOption(word)) shell.exported.add(nameIn(word.text));
}

const exporting: Builtin = (words, shell, input) => {
  declare(words, shell, input);
  exportNames(words, shell);
};

const go: Builtin = (words, shell) => {
  const [target, more] = words.filter((word) => !isOption(word) || word.text === "-");
  if (more && isUnknown(more)) shell.directory = undefined;
  else changeDirectory(shell, target);
};

/** One line that is known is read whole by one name. */
const read: Builtin = (words, shell, { text, flows }) => {
  const names = words.filter((word) => /^[A-Za-z_]\w*$/u.test(word.text));
  const line = names.length === 1 && text && !text.text.trimEnd().includes("\n") ? text : undefined;
  const value = line && withText(line, line.text.trimEnd());
  for (const { text: name } of names)
    setVariable(shell, name, [value ?? unknownWord(new Set([...flows, "input" as const]))]);
};

const builtins: Readonly<Record<string, Builtin>> = {
  cd: go,
  chdir: go,
  pushd: go,
  popd: (_, shell) => {
    shell.directory = shell.previousDirectory;
  },
  export: exporting,
  declare,
  typeset: declare,
  local: declare,
  readonly: declare,
  read,
  mapfile: read,
  readarray: read,
  getopts: read,
  unset: (words, { variables, functions }) => {
    for (const { text } of words) if (!variables.delete(text)) functions.delete(text);
  },
  set: (words, shell) => {
    if (words.some(({ text }) => /^-[A-Za-z]*a/u.test(text) || text === "allexport")) shell.exportsAll = true;
    const at = words.findIndex(({ text }) => text === "--");
    const isAll = words.every((word) => !isOption(word));
    if (at >= 0 || (isAll && words.length > 0)) shell.positional = words.slice(at + 1);
  },
  shift: (words, shell) => {
    shell.positional = shell.positional?.slice(Number(words[0]?.text ?? 1) || 1);
  },
  printf: (words, shell) => {
    const [flag, name] = words;
    if (flag?.text === "-v" && name)
      setVariable(shell, name.text, [unknownWord(new Set(words.flatMap(({ carries }) => [...carries])))]);
  },
};

/** Does nothing for other programs. */
export function followBuiltin(
  name: string,
  words: readonly Word[],
  { shell, input }: { shell: Shell; input: Input },
): void {
  if (Object.hasOwn(builtins, name)) builtins[name]?.(words, shell, input);
}
