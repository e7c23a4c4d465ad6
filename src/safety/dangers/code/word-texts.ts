/** The texts in code of which only words are known, and the code without them. */

import { unknown } from "../../command-line/word.ts";
import type { Language } from "../effect.ts";

type Script = "perl" | "ruby" | "php";
export type WordLanguage = Script | "other";

export const isScript = (language: Language): language is Script => /^(?:perl|ruby|php)$/u.test(language);

/** With the home directory as text, with texts that are joined as one, and with all of them between plain quotes. */
export function withPlainTexts(language: WordLanguage, code: string): string {
  const ownQuoted =
    language === "perl" || language === "ruby" ? code.replaceAll(ownQuotes, plainQuote) : code;
  return withHome(language === "ruby" ? withModules(ownQuoted) : ownQuoted)
    .replaceAll(/["']\s*(?:\.\.?|\+|<<|<>|\*)\s*["']/gu, "")
    .replaceAll(/"~"\s*,\s*["']\/?/gu, '"~/');
}

const between = ["\\(\\)", "\\[\\]", "\\{\\}"]
  .map((pair) => [pair, pair.slice(0, 2), pair.slice(2)])
  .map(([pair, open, close]) => `${open}((?:[^${pair}]|${open}[^${pair}]*${close})*)${close}`)
  .join("|");
/** Perl's `qw{…}` and `qx/…/`, Ruby's `%w[…]`; a bare `%` only where it cannot be an operator. */
const ownQuotes = new RegExp(
  `[$]{1,3}["']|"(?:[^"\\\\\\n]|\\\\.)*"|'[^'\\n]*'|(?<![\\w$@%&>{-])(?:q([qwx]?)\\s*|%([qQwWiIx])|(?<=[(,=]\\s?|\\b(?:puts|print|system|exec|eval) )%)(?:${between}|([/|!])([^\\n]*?)\\6)`,
  "gu",
);

function plainQuote(...[found = "", perl, ruby, ...insides]: readonly string[]): string {
  if (/^["'$]/u.test(found)) return found;
  const kind = (perl ?? ruby ?? "").toLowerCase();
  const inside = insides.slice(0, 3).find((each) => each !== undefined) ?? insides[4] ?? "";
  if (kind === "x") return `\`${inside}\``;
  const texts = /[wi]/u.test(kind) ? inside.split(/\s+/u).filter(Boolean) : [inside];
  return texts.map((text) => `"${text.replaceAll('"', '\\"')}"`).join(", ");
}

/** A name that is given to a module of Ruby stands for it. */
function withModules(code: string): string {
  const given = code.matchAll(/\b(\w+)\s*=\s*(Kernel|Process|IO|File|Dir|FileUtils)\b(?![.:])/gu);
  const modules = new Map([...given].map(([, name = "", module = ""]) => [name, module]));
  return modules.size === 0
    ? code
    : code.replaceAll(/\b\w+(?=\s*[.&])/gu, (name) => modules.get(name) ?? name);
}

const homes =
  /(["\n])|[#$]?\{?(?:\b(?:os\.|Sys\.|System\.)?getenv\(\s*["']HOME["']\s*\)|\bhomedir\(\)|System\.user_home!?\(\)|\$env\(HOME\)|\$_(?:ENV|SERVER)\[["']?HOME["']?\]|\$ENV\{["']?HOME["']?\}|\bENV(?:\.fetch)?[[(]["']HOME["'][\])]|\bDir\.home\b(?:\(\))?)\}?/gu;

function withHome(code: string): string {
  let isInside = false;
  return code.replaceAll(homes, (_, mark?: string) => {
    if (mark !== undefined) isInside = mark === '"' && !isInside;
    return mark ?? (isInside ? "~" : '"~"');
  });
}

const quoted =
  /"((?:[^"\\]|\\.)*)"|'([^'\n]*)'|`([^`']*)[`']|(:(?:output|append)\b)|<([~/.\w]*[*~/][^<>\n]*)>/gu;

/** What is put into a text of that language. */
const inserted: Readonly<Record<WordLanguage, RegExp>> = {
  perl: /[$@](?:\w+|\{[^}]*\})(?:(?:->)?[[{][^\]}]*[\]}])*/gu,
  php: /\{?\$\w+(?:(?:->)?(?:\w+|[[{][^\]}]*[\]}]))*\}?/gu,
  ruby: /#\{[^}]*\}/gu,
  other: /(?!)/gu,
};

export const textsIn = (language: WordLanguage, code: string): string[] =>
  [...code.matchAll(quoted)].map(([, double, single, back, mark, found]) =>
    (double?.replaceAll(inserted[language], unknown) ?? single ?? back ?? mark ?? found ?? "").replaceAll(
      /\\(["\\])/gu,
      "$1",
    ),
  );

/** A text within one line, a pattern where an operand is expected, or a substitution. */
const literals =
  /\${1,3}["'`]|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`[^`]*`|(?<=(?:^|[~(,;{&|!=?]|\b(?:if|unless|and|or|not|while|until|split|grep|map|when))\s{0,9})\/(?![*/])(?:\\.|[^/\\\n])+\/[a-z]*|(?<![\w$@%&>{-])(?:m|qr)(?:([/|,#!])(?:\\.|(?!\1)[^\\\n])*\1|\{[^{}\n]*\})|(?<![\w$@%&>{-])(?:s|tr|y)([/|,#!])(?:\\.|(?!\2)[^\\\n])*\2(?:\\.|(?!\2)[^\\\n])*\2[a-z]*/gu;

/** The code of a script with blanks in its texts, except those that may name a call or contain code. */
export function withoutTexts(language: WordLanguage, code: string): string {
  const isBroken = /["'`]/u.test(code.replaceAll(literals, ""));
  if (language === "other" || isBroken) return code;
  return code.replaceAll(literals, (found, _pattern: unknown, _substitution: unknown, at: number) =>
    maySay(found, code.slice(at + found.length, at + found.length + 9))
      ? found
      : `${found.slice(0, 1)}${" ".repeat(found.length - 2)}${found.slice(-1)}`,
  );
}

function maySay(found: string, next: string): boolean {
  if (/^[`$]/u.test(found)) return true;
  if (!/^["']/u.test(found)) return /\(\?\??\{|[#$@]\{|^s.*\W[a-z]*e[a-z]*$/u.test(found);
  const isName = /^.\w+.$/u.test(found) && !/^\s*(?:\]|=>|:)/u.test(next);
  return isName || /[;{}`]|\w\(|&&|\|\|/u.test(found);
}

/** The characters looked at behind one call. */
export const longestBehind = 20_000;

/** What a call is given, in its parentheses or up to the end of its line. */
export function argumentsBehind(
  language: WordLanguage,
  code: string,
  { index, groups, 0: called }: RegExpExecArray,
): { words: readonly string[]; behind: string; isOpen: boolean } {
  const own = groups?.["text"]?.replaceAll(inserted[language], unknown);
  if (own !== undefined) return { words: [own], behind: "", isOpen: own.includes(unknown) };
  const isNamed = isScript(language) && /["']/u.test(code[index - 1] ?? "");
  const from = index + called.length + (isNamed ? 1 : 0);
  const rest = code.slice(from, from + longestBehind);
  const isBracketed = /^!?\s*\(/u.test(rest);
  const behind =
    isBracketed || /\([\w+.:/-]*$/u.test(code.slice(Math.max(index - 40, 0), index))
      ? rest.slice(0, endOf(rest, isBracketed))
      : ((isScript(language) ? /^[^\n;]*/u : /^[^\n;\]]*/u).exec(rest)?.[0] ?? "");
  const words = textsIn(language, behind);
  const plain = behind.replaceAll(quoted, " ").replace(endOfArguments, "");
  const isOpen = /[$@\w]/u.test(plain) || words.some((each) => each.includes(unknown));
  if (isScript(language)) return { words, behind, isOpen };
  const bare = behind.split(/[\s{}]+/u).filter((word) => /^[\w~./|-]/u.test(word));
  return { words: words.length > 0 || isBracketed ? words : bare, behind, isOpen: false };
}

const endOfArguments = /(?:\b(?:if|unless|and|or|for|foreach|while|until|do)\b|[{}]|&&|\|\|)[^]*$/u;

/** Where the bracket closes that opens here, or that is open already. */
export function endOf(text: string, opensHere: boolean): number {
  let depth = opensHere ? 0 : 1;
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === "(") depth += 1;
    if (text[at] === ")") depth -= 1;
    if (text[at] === ")" && depth === 0) return at;
  }
  return text.length;
}
