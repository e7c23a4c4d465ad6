/** Filters programmed in their own language: sed, awk, jq and similar. */

import { joinWords, unknown, type Word, withText } from "../../command-line/word.ts";
import { interprets, loads } from "../effect-makers.ts";
import type { Effect, Language } from "../effect.ts";
import { edits, filters, printsDecoded, readsFiles, writes } from "../file-effect-makers.ts";
import type { Use, WordsDo } from "../program.ts";

/** Functions of `languages.yaml`. */
export const filtering: Readonly<Record<string, WordsDo>> = {
  sed: (_, use) => edit(use),
  awk: (_, use) => scan(use),
  jq: (_, use) => query(use),
  yq: (_, use) => queryDocuments(use),
};

/** The program's text: given by options, otherwise the first operand. */
function codeOf(
  { operands, values, has }: Use,
  given: readonly string[],
  files: readonly string[],
): { code: Word | undefined; rest: readonly Word[] } {
  const texts = values(...given);
  if (texts.length > 0) return { code: joinWords(texts, "\n"), rest: operands };
  if (has(...files)) return { code: undefined, rest: operands };
  return { code: operands[0], rest: operands.slice(1) };
}

const interpretsCode = (language: Language, code: Word | undefined): Effect[] =>
  code ? [interprets(language, code)] : [];

/** macOS takes the backup suffix as a separate, possibly empty word: `sed -i '' …`. */
function edit(use: Use): Effect[] {
  const inPlace = use.has("i", "I", "in-place");
  const isApart = inPlace && use.operands[0]?.text === "" && !use.has("e", "f", "expression", "file");
  const own = isApart ? { ...use, operands: use.operands.slice(1) } : use;
  const { code, rest } = codeOf(own, ["e", "expression"], ["f", "file"]);
  return [
    ...use.values("f", "file").map((path) => loads(path, "sed")),
    ...interpretsCode("sed", code),
    ...(inPlace ? filters(rest, code?.text ?? "p", use.has("n", "quiet", "silent")) : readsFiles(rest)),
  ];
}

const plainLibraries =
  /^(?:inplace|inplace\.awk|getopt|join|quicksort|ord|readfile|time|filefuncs|fnmatch|intdiv|bits2str|walkarray|have_mpfr|shellquote|strtonum|processarray|rewind|round)$/u;

/** Words of the form `name=value` among the files set variables. */
function* scan(use: Use): Iterable<Effect> {
  const { code, rest } = codeOf(use, ["e", "source"], ["f", "E", "file", "exec"]);
  for (const path of use.values("f", "E", "file", "exec")) yield loads(path, "awk");
  yield* interpretsCode("awk", code);
  const libraries = use.values("i", "include", "l", "load");
  for (const path of libraries) if (!plainLibraries.test(path.text)) yield loads(path, "awk");
  const files = rest.filter(({ text }) => !/^[A-Za-z_]\w*=/u.test(text));
  const text = code?.text ?? "1";
  const printsNothing = /^\s*(?:0?|(?:BEGIN)?\s*\{[^{}]*\})\s*$/u.test(text) && !text.includes("print");
  yield* libraries.some((library) => library.text.startsWith("inplace"))
    ? filters(files, "", printsNothing)
    : readsFiles(files);
  yield* writes(use.values("d", "o", "p", "dump-variables", "pretty-print", "profile"), "replaces");
}

/** They take a name and a value. */
const pairs = /^--(?:arg|argjson|slurpfile|rawfile|argfile)$/u;

function* query({ words, operands, values, has }: Use): Iterable<Effect> {
  const paired = words.flatMap(({ text }, at) =>
    pairs.test(text)
      ? words
          .slice(at + 1, at + 3)
          .map((word, index) => ({ word, isFile: index > 0 && text.endsWith("file") }))
      : [],
  );
  const own = operands.filter((operand) => !paired.some(({ word }) => word === operand));
  const [filter, ...files] = has("f", "from-file") ? [undefined, ...own] : own;
  yield* readsFiles([
    ...values("f", "from-file"),
    ...paired.flatMap(({ word, isFile }) => (isFile ? [word] : [])),
    ...(has("args", "jsonargs") ? [] : files.flatMap((file) => file ?? [])),
  ]);
  if (filter) yield* filterFlows(filter);
}

/** A filter can print the environment, or decode hidden text. */
function* filterFlows({ text }: Word): Iterable<Effect> {
  const plain = text.replaceAll(/"[^"]*"/gu, '""');
  if (/\$ENV\b|(?<![.\w$])(?:env|strenv|envsubst)\b(?!\s*:)/u.test(plain))
    yield { type: "prints", flows: ["secret"] };
  if (/@base(?:64|32)d|@uri|implode|decode/u.test(plain)) yield printsDecoded;
}

/** `yq -i '.a = 1' file`, with or without a verb first. A single word may be the document. */
function* queryDocuments(use: Use): Iterable<Effect> {
  const isVerb = /^(?:e|ea|eval|eval-all|r|w|read|write)$/u.test(use.operands[0]?.text ?? "");
  const operands = use.operands.slice(isVerb ? 1 : 0);
  const isAlone = operands.length === 1 && !/^[.$({[|'"]|\w+\(/u.test(operands[0]?.text ?? "");
  const hasCode = use.has("expression", "from-file") || isAlone;
  const files = hasCode ? operands : operands.slice(1);
  yield* readsFiles(use.values("from-file", "split-exp-file"));
  yield* use.has("i", "inplace", "in-place") ? edits(files) : readsFiles(files);
  for (const code of hasCode ? use.values("expression") : operands.slice(0, 1)) {
    yield* filterFlows(code);
    for (const [, name = unknown] of code.text.matchAll(/\bload\w*\((?:"([^"]*)"\))?/gu))
      yield* readsFiles([withText(code, name)]);
  }
}
