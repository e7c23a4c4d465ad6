/**
 * The kinds of effect that environment variables have: executing code, changing which programs run, redirecting data.
 */

import {
  isLiteral,
  isUnknown,
  literal,
  noFlows,
  unknown,
  type Word,
  withText,
} from "../command-line/word.ts";
import { danger, interprets, loads, runs } from "./effect-makers.ts";
import type { Effect, Language } from "./effect.ts";
import { isThisMachine, wordsIn } from "./parts.ts";

export type Meaning = (value: Word, name: string) => Effect[];

const high = (because: string): Effect => danger("high", because);

/** Dangerous whatever its value. */
export const always =
  (because: string): Meaning =>
  (_, name) => [high(`its variable ${name} ${because}`)];

export const unlessEmpty =
  (meaning: Meaning): Meaning =>
  (value, name) =>
    value.text === "" ? [] : meaning(value, name);

/** Dangerous only if one of the value's words matches the option, or if the value is unknown. */
export const withOption =
  (option: RegExp, because: string): Meaning =>
  (value, name) =>
    isOpaque(value) ||
    wordsIn(value).some(({ text }) => option.test(text.replace(/^["']/u, "").replaceAll(unknown, "1")))
      ? [high(`its variable ${name} ${because}`)]
      : [];

/** Entirely unknown, or derived from untrusted data: `$options` is, `-j$(nproc)` is not. */
const isOpaque = ({ text, carries }: Word): boolean => text === unknown || carries.size > 0;

export const when =
  (test: RegExp, because: string): Meaning =>
  (value, name) =>
    isUnknown(value) || test.test(value.text) ? [high(`its variable ${name} ${because}`)] : [];

/** Common pagers and editors, with options that run nothing. */
const plainViewer =
  /^(?:(?:\/usr)?\/bin\/)?(?:cat|less|more|most|bat|batcat|delta|head|tail|true|false|:|echo|vi|vim|nvim|view|nano|pico|micro|emacs|code|subl|ed|gedit|kate|hx|none|firefox|chromium|google-chrome|safari|open|xdg-open|wslview)(?:\s+(?!-(?:c|S|u|-cmd|-eval|-execute|-pager)\b)--?[\w=-]+)*$/u;

/** The value is a shell command line. */
export const shellLine: Meaning = (value, name) =>
  value.text.trim() === "" || (isLiteral(value) && plainViewer.test(value.text.trim()))
    ? []
    : [high(`its variable ${name} runs a command`), interprets("shell", value)];

/** Compilers and related tools, including cross-compilers: `arm-none-eabi-gcc-12`. */
const plainCompiler =
  /^(?:[\w.+]+-)*(?:gcc|g\+\+|clang|clang\+\+|cc|c\+\+|cpp|ld|lld|mold|ar|as|nm|ranlib|strip|objcopy|rustc|rustdoc|rustfmt|cargo|s?ccache|tcc|icx?c|icpx|nvcc|emcc|em\+\+|gfortran|g?make|pkg-?conf(?:ig)?|[gmn]?awk|sed|yacc|bison|flex|lex|m4)(?:-[\d.]+)?$/u;

/** The value is a program name with its first arguments, judged as a use of that program. */
export const programName: Meaning = (value, name) => {
  const words = wordsIn(value);
  const isUsual = words.every(
    ({ text }) => plainCompiler.test(text) || /^-(?!wrapper|fplugin|B|specs)[\w=+.,-]*$/u.test(text),
  );
  if (words.length === 0 || (isLiteral(value) && isUsual)) return [];
  const isScript = shell.test(words[0]?.text ?? "") && words.some(({ text }) => /^-[a-z]*c$/u.test(text));
  // A wrapper is given every other command to run, and a file in the workspace may contain anything.
  const isCode = isScript || (/WRAPPER|LAUNCHER/u.test(name) && /^\.{1,2}\//u.test(words[0]?.text ?? ""));
  return [
    ...(isCode ? [high(`its variable ${name} runs a command`)] : []),
    runs(words, { input: { text: literal(""), flows: noFlows, isGiven: true } }),
  ];
};

const shell = /^(?:.*\/)?(?:ba|da|z|k|a|fi)?sh$/u;

/** Directories that only the system administrator can change. */
const isOfSystem = ({ text }: Word): boolean =>
  /^\/(?:usr|bin|sbin|lib\d*|opt|snap|nix|etc|Library|Applications|System)(?:\/|$)/u.test(text) &&
  !/(?:^|\/)\.\.(?:\/|$)/u.test(text) &&
  !text.includes(unknown);

/** Colon-separated files or directories whose code is loaded. Entries kept from the previous value are skipped. */
export const loaded =
  (language: Language): Meaning =>
  (value) => {
    const entries = value.text.split(":").filter((entry) => entry !== "");
    return entries
      .filter((entry) => entries.length === 1 || entry !== unknown)
      .map((entry) => withText(value, entry))
      .filter((entry) => !isOfSystem(entry))
      .map((entry) => loads(entry, language));
  };

export const loadedAlways =
  (language: Language, because: string): Meaning =>
  (value, name) => [high(`its variable ${name} ${because}`), ...loaded(language)(value, name)];

/** A file that the program writes, if the value is a path. */
export const written: Meaning = (value) =>
  /^[/~.\0]/u.test(value.text) && value.text !== "/dev/null"
    ? [{ type: "writes", path: value, how: "appends" }]
    : [];

export const unlessNull =
  (meaning: Meaning): Meaning =>
  (value, name) =>
    value.text === "/dev/null" || value.text === "" ? [] : meaning(value, name);

export const toAnotherHost =
  (because: string, usual = /^$/u): Meaning =>
  (value, name) =>
    value.text === "" || usual.test(value.text) || isThisMachine(value)
      ? []
      : [high(`its variable ${name} ${because}`)];

export const redirectsTraffic = toAnotherHost("leads all traffic through another host");
export const redirectsPackages = toAnotherHost(
  "has packages come from elsewhere",
  /^(?:https:\/\/(?:registry\.(?:npmjs\.org|yarnpkg\.com)|pypi\.org\/simple|proxy\.golang\.org|index\.crates\.io|rubygems\.org)\/?|direct|off|,)+$/u,
);
export const checksNothing = when(/^(?:0|false|no|off)$/iu, "has it trust any host");

/** PATH: checks the directories placed in front of the previous value. */
export const searched: Meaning = (value) => {
  const entries = value.text.split(":");
  const before = entries.includes(unknown) ? entries.slice(0, entries.lastIndexOf(unknown)) : entries;
  const strange = before.filter((entry) => !isUsualForPrograms(withText(value, entry)));
  if (strange.length === 0) return [];
  return [high("its variable PATH has programs come from another directory")];
};

const usualPrograms =
  /(?:^|\/)(?:node_modules\/\.bin|\.?v?env\/bin|vendor\/bin)\/?$|^(?:\/home\/[^/]+|\/Users\/[^/]+|\/root|~)\/(?:\.[\w-]+\/(?:[\w.@+-]+\/)*|go\/|)(?:s?bin|shims)\/?$/u;

const isUsualForPrograms = (entry: Word): boolean =>
  isOfSystem(entry) || (usualPrograms.test(entry.text) && !/(?:^|\/)\.\.\//u.test(entry.text));
