/** What environment variables mean: they run code, change which programs run, or redirect data. */

import { isLiteral, unknown, type Word, withText } from "../command-line/word.ts";
import { danger, interprets, loads } from "./effect-makers.ts";
import type { Effect, Language } from "./effect.ts";
import { isThisMachine, wordsIn } from "./parts.ts";

export type VariableMeaning = (value: Word, name: string) => Effect[];

/** Dangerous whatever its value. */
export const always: VariableMeaning = (_, name) => [
  danger("high", `its variable ${name} has other code, settings or hosts obeyed`),
];

/** Dangerous if one of the value's words matches, or if all of the value is only known at run time. */
export const when =
  (form: RegExp): VariableMeaning =>
  (value, name) =>
    isOpaque(value) ||
    wordsIn(value).some(({ text }) => form.test(text.replace(/^["']/u, "").replaceAll(unknown, "1")))
      ? always(value, name)
      : [];

/** Entirely unknown, or derived from untrusted data: `$options` is, `-j$(nproc)` is not. */
const isOpaque = ({ text, carries }: Word): boolean => text === unknown || carries.size > 0;

/** Common pagers, editors and browsers, with options that run nothing. */
const viewer =
  /^(?:(?:\/usr)?\/bin\/)?(?:cat|less|more|most|bat|batcat|delta|head|tail|true|false|:|echo|vi|vim|nvim|view|nano|pico|micro|emacs|code|subl|ed|gedit|kate|hx|none|firefox|chromium|google-chrome|safari|open|xdg-open|wslview)(?:\s+(?!-(?:c|S|u|-cmd|-eval|-execute|-pager)\b)--?[\w=-]+)*$/u;
/** Compilers and related tools, including cross-compilers: `arm-none-eabi-gcc-12`, `ccache gcc -O2`. */
const compiler =
  /^(?:[\w.+]+-)*(?:gcc|g\+\+|clang|clang\+\+|cc|c\+\+|cpp|ld|lld|mold|ar|as|nm|ranlib|strip|objcopy|rustc|rustdoc|rustfmt|cargo|s?ccache|tcc|icx?c|icpx|nvcc|emcc|em\+\+|gfortran|g?make|pkg-?conf(?:ig)?|[gmn]?awk|sed|yacc|bison|flex|lex|m4|python)(?:-?[\d.]+)?$|^-(?!wrapper|fplugin|B|specs)[\w=+.,-]*$/u;

/** The value is a command line, or a program with its first arguments. */
export const line: VariableMeaning = (value, name) =>
  isLiteral(value) &&
  (viewer.test(value.text.trim()) || wordsIn(value).every(({ text }) => compiler.test(text)))
    ? []
    : [danger("high", `its variable ${name} runs a command`), interprets("shell", value)];

/** Directories that only the system administrator can change. */
const isOfSystem = ({ text }: Word): boolean =>
  /^\/(?:usr|bin|sbin|lib\d*|opt|snap|nix|etc|Library|Applications|System)(?:\/|$)/u.test(text) &&
  !/(?:^|\/)\.\.(?:\/|$)|\0/u.test(text);

const isNothing = ({ text }: Word): boolean => text === "" || text === "/dev/null";

/** Colon-separated files or directories whose code is loaded. Entries kept from the previous value are skipped. */
export const loadsFrom =
  (language: Language): VariableMeaning =>
  (value) => {
    const entries = value.text.split(":").filter((entry) => entry !== "");
    return entries
      .filter((entry) => entries.length === 1 || entry !== unknown)
      .map((entry) => withText(value, entry))
      .filter((entry) => !isOfSystem(entry) && !isNothing(entry))
      .map((entry) => loads(entry, language));
  };

/** A file or directory that is obeyed from the start. */
export const obeysFrom =
  (language: Language): VariableMeaning =>
  (value, name) => {
    const files = loadsFrom(language)(value, name);
    const isLibrary = name.endsWith("_PATH") && files.length === 0;
    return isNothing(value) || isLibrary ? [] : [...always(value, name), ...files];
  };

/** A file that the program writes, if the value is a path. */
export const writesTo: VariableMeaning = (value) =>
  /^[/~.\0]/u.test(value.text) && !isNothing(value) ? [{ type: "writes", path: value, how: "appends" }] : [];

export const toAnotherHost =
  (usual: RegExp): VariableMeaning =>
  (value, name) =>
    value.text === "" || usual.test(value.text) || isThisMachine(value) ? [] : always(value, name);

export const redirectsTraffic = toAnotherHost(/^$/u);
export const redirectsPackages = toAnotherHost(
  /^(?:https:\/\/(?:registry\.(?:npmjs\.org|yarnpkg\.com)|pypi\.org\/simple|proxy\.golang\.org|index\.crates\.io|rubygems\.org)\/?|direct|off|,)+$/u,
);

/** PATH: checks the directories placed in front of the previous value. */
export const searchesIn: VariableMeaning = (value, name) => {
  const entries = value.text.split(":");
  const before = entries.includes(unknown) ? entries.slice(0, entries.lastIndexOf(unknown)) : entries;
  return before.every((entry) => isUsualForPrograms(withText(value, entry)))
    ? []
    : [danger("high", `its variable ${name} has programs come from another directory`)];
};

const usualPrograms =
  /(?:^|\/)(?:node_modules\/\.bin|\.?v?env\/bin|vendor\/bin)\/?$|^(?:\/home\/[^/]+|\/Users\/[^/]+|\/root|~)\/(?:\.[\w-]+\/(?:[\w.@+-]+\/)*|go\/|)(?:s?bin|shims)\/?$/u;

const isUsualForPrograms = (entry: Word): boolean =>
  isOfSystem(entry) || (usualPrograms.test(entry.text) && !/(?:^|\/)\.\.\//u.test(entry.text));
