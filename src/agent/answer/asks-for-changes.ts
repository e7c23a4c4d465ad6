/** Whether a request asks for files to be changed: judged by its verbs (A12), not by words that only resemble them. */

import { asksWithoutSpaces } from "./asks-without-spaces.ts";
import { type RequestLanguage, requestLanguages } from "./request-languages.ts";

/** Only the beginning of a request is read: text pasted below it is material, not an order. */
const mostCharacters = 4_000;

export function asksForChanges(request: string): boolean {
  const plain = withoutQuotations(request);
  return sentences(plain).some(isOrder) || asksWithoutSpaces(plain);
}

/**
 * Removes code and quotations, which contain no orders. Inline ones become a file name, since they stand for a thing.
 */
const withoutQuotations = (request: string): string =>
  request
    .slice(0, mostCharacters)
    .replaceAll(/```[^]*?(?:```|$)/gu, " … ")
    .replaceAll(/`[^`\n]*`|"[^"\n]*"|“[^”\n]*”|«[^»\n]*»/gu, "it.txt")
    .replaceAll(/^\s*>.*$/gmu, "");

const sentences = (plain: string): string[] =>
  plain.split(/(?<=[.!?;:])\s+|\n+|,\s*(?=(?:then|and|but|dann|und|puis|y luego)\b)/iu);

function isOrder(sentence: string): boolean {
  const words = sentence.trim().replace(opening, "");
  if (asDoing.test(words)) return true;
  const order = words.replace(polite, "");
  const isPolite = order !== words;
  if (question.test(order) && !joined.test(beforeFirstVerb(order))) return false;
  if (!isPolite && /\?\s*$/u.test(order)) return false;
  return [...order.matchAll(verbs)].some((found) => isOrdered(order, found));
}

const beforeFirstVerb = (order: string): string => order.slice(0, order.search(verbs));

function isOrdered(order: string, found: RegExpExecArray): boolean {
  const ahead = order.slice(0, found.index);
  const behind = order.slice(found.index + found[0].length);
  if (noun.test(ahead) || negated.test(ahead)) return false;
  if (wondered.test(ahead) && !joined.test(ahead)) return false;
  return !(writing.test(found[0]) && onlyText.test(behind) && !namesFile.test(behind));
}

/** The words of one column in all languages, as a pattern. */
const anyOf = (...columns: readonly (keyof RequestLanguage)[]): string =>
  requestLanguages
    .flatMap((language) => columns.flatMap((column) => language[column]))
    .map((word) =>
      word
        .replaceAll("*", String.raw`\p{L}*`)
        .replaceAll("'", "['’]")
        .replaceAll(" ", String.raw`\s+`),
    )
    .join("|");

const wholeWord = (pattern: string): string => String.raw`(?<![\p{L}\p{N}])(?:${pattern})(?![\p{L}\p{N}])`;

const fileName = String.raw`[\w-]\.[a-z][a-z\d]{0,5}\b`;

/** Verbs with many other meanings: only if a file is named, or a result such as "pass". */
const sometimes = String.raw`(?:move|convert|split|merge)(?=[^?!]*${fileName})|make(?=\s+(?:all|the|this|that|these|those|it|them|my|our|every)\b[^.?!]{0,60}\b(?:pass|work|compile|build|green)(?![\p{L}]))`;
/** Not as part of a path or of a longer name. */
const verbs = new RegExp(
  String.raw`(?<![\p{L}\p{N}_./\\-])(?:${anyOf("orders")}|${sometimes})(?![\p{L}\p{N}_./\\-]*[\p{L}\p{N}_])`,
  "giu",
);
const noun = new RegExp(String.raw`(?:^|\s)(?:${anyOf("articles")})\s+$`, "iu");
const negated = new RegExp(`${wholeWord(anyOf("negations"))}[^,.;:!?]{0,30}$`, "iu");
const wondered = new RegExp(`${wholeWord(anyOf("wondering"))}[^,.;:!?]*$`, "iu");
const joined = new RegExp(String.raw`${wholeWord(anyOf("joining"))}\s+$`, "iu");
const question = new RegExp(`^${wholeWord(anyOf("questions"))}`, "iu");
const please = String.raw`(?:${wholeWord(anyOf("please"))}[\s,]*)`;
const polite = new RegExp(String.raw`^${wholeWord(anyOf("polite"))}[\s,]*${please}*`, "iu");
const opening = new RegExp(
  String.raw`^(?:[-*\u2022\d.)\s]+|${wholeWord(anyOf("please", "fillers"))}[\s,:]*)+`,
  "iu",
);
/** English has another polite form: "would you mind updating …". */
const asDoing =
  /^(?:(?:would|do) you mind|(?:how|what) about)\s+(?:please\s+)?(?:renam|chang|modify|edit|updat|add|creat|writ|fix|refactor|remov|delet|implement|replac|rewrit)ing\b/iu;

const writing = new RegExp(`^(?:${anyOf("writing")})$`, "iu");
/** Objects that are written, but not into a file. */
const onlyText =
  /^(?:\s+(?:me|us|down|up|out))?(?:\s+(?:an?|the|some|one|your|short|brief|small|quick|detailed|new|good))*\s+(?:summary|summaries|poem|haiku|limerick|explanation|answer|story|overview|joke|description|sentence|paragraph|list|table|outline|plan|essay|response|reply|diagram)\b/iu;
const namesFile = new RegExp(String.raw`${wholeWord(anyOf("files"))}|${fileName}|\w\/\w`, "iu");
