/**
 * Code in languages of which only words are known, Perl, Ruby and PHP among them (the others: Lua, R, Julia, Lisp, Tcl,
 * Scala …): the texts beside a word that starts, deletes, writes or loads are judged.
 */

import { type Word, withText } from "../../command-line/word.ts";
import { doesMore } from "../effect-makers.ts";
import type { Effect } from "../effect.ts";
import { conclude, isSecretName, isTold, newNotes, noteFlows, noteReading, overlong } from "./notes.ts";
import { doingsOf, isPath, signs, type WordCode } from "./word-doings.ts";
import {
  argumentsBehind,
  longestBehind,
  isScript,
  textsIn,
  withoutTexts,
  withPlainTexts,
  type WordLanguage,
} from "./word-texts.ts";

/** Of one program; `behind`: characters behind its calls. */
const most = { texts: 1_000, effects: 2_000, behind: 200_000 };

export function wordEffects(language: WordLanguage, code: Word): Effect[] {
  const text = withPlainTexts(language, code.text);
  const spoken = withoutTexts(language, text);
  const notes = newNotes();
  const textWord = (each: string): Word => withText(code, each);
  const written = textsIn(language, text);
  const texts = written.slice(0, most.texts).map(textWord);
  const all: WordCode = { language, text, texts, notes };
  noteFlows(notes, code.carries);
  if (language === "other" || loadsUntold(language, text)) notes.effects.push(doesMore);
  for (const [words, note] of signs) if (words.test(spoken)) note(all);
  noteEnvironment(all, spoken);
  let left = most.behind;
  for (const { words, does } of doingsOf(language))
    for (const found of spoken.matchAll(words)) {
      if (left <= 0 || notes.effects.length > most.effects) break;
      const given = argumentsBehind(language, text, found);
      left -= given.behind.length === longestBehind ? left : given.behind.length + 50;
      does({ ...all, ...given, words: given.words.map(textWord) });
    }
  if (written.length > most.texts || left <= 0 || notes.effects.length > most.effects)
    notes.effects.push(overlong);
  const isReading = isScript(language) && reading.test(text);
  for (const word of texts) noteText(word, { language, notes, isReading });
  return conclude(notes, text);
}

/** In Perl and PHP a word in front of its name loads a library. */
const loading: Readonly<Partial<Record<WordLanguage, RegExp>>> = {
  perl: /\b(?:use|require)\s+([A-Za-z][\w:]*)/gu,
  // A pattern with `e` behind it runs what it puts in.
  php: /\bnew\s+\\?(\w+)|\b(?:sqlite|dba|mysqli|pg|oci|odbc)_\w+|\b\w*reg\w*_replace\s*\(\s*["'][^"']*\W\w*e\w*["']/giu,
};

const loadsUntold = (language: WordLanguage, code: string): boolean =>
  [...code.matchAll(loading[language] ?? /(?!)/gu)].some(([, name = "untold"]) =>
    /^v?\d/u.test(name) ? false : !isTold(language, name),
  );

const reading =
  /\b(?:\w*open\w*|read\w*|foreach|file|file_get_contents|\w+_file|show_source|scandir|glob|children|entries|each_child|load\w*)\b|</u;

/** An address is fetched; in a script that reads, so is a path, unless it looks like a pattern. */
function noteText(
  word: Word,
  { language, notes, isReading }: Pick<WordCode, "language" | "notes"> & { isReading: boolean },
): void {
  if (/^(?:https?|ftp):\/\/./u.test(word.text)) {
    notes.facts.add("fetches");
    if (isScript(language)) notes.facts.add("posts");
    notes.hosts.push(word);
    notes.effects.push({ type: "fetches", from: word });
  } else if (isReading && isPath(word) && !/^~?$|[\\^$()+?|]|^\/.*\/\w{0,3}$/u.test(word.text))
    noteReading([word], notes);
}

function noteEnvironment({ language, text, notes }: WordCode, spoken: string): void {
  const variables = isScript(language)
    ? /\b(?:_?ENV|_SERVER|getenv|phpinfo)\b/gu
    : /\b(?:get|fetch_)?env\b/giu;
  for (const { 0: found, index } of spoken.matchAll(variables)) {
    const [behind, name = "secret"] =
      /^(?:\.(?:fetch|dig|delete))?[\s([{]+["']?(\w+)?/u.exec(text.slice(index + found.length)) ?? [];
    if ((behind !== undefined || isScript(language)) && isSecretName(name)) notes.facts.add("secret");
  }
}
