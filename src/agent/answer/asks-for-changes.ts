/** Whether a request asks for files to be changed: judged by its verbs (A12), not by words that only resemble them. */

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

/** Chinese: a verb at the start of an order, or after its object ("把 …"). */
const chinese =
  /(?:^|[，,、；;\s]|请|帮我|帮忙|给我|然后|并|再|[把将][^，,。]{1,60}?)(?:修改|修复|修正|添加|增加|新增|加上|创建|新建|编写|写(?:一|个|入)|重构|重写|删除|删掉|移除|更新|重命名|改名|替换|实现|改成|改为)/u;
/** Questions and prohibitions. */
const notChinese =
  /什么|怎么|怎样|如何|为何|是否|哪|谁|吗|呢|解释|说明一下|介绍|不要|请勿|别(?:修改|改|动|删|加|写|创建|更新)|[?？]\s*$/u;

/** Japanese: an action with an ending that requests it. */
const japanese =
  /(?:(?:修正|変更|追加|作成|削除|更新|編集|実装|改名|置換|置き換え|リネーム|リファクタ(?:リング)?)(?:を)?(?:し(?:て(?!い|も|は|から)|ろ|なさい)|お願い)|(?:直|消|書き直)して(?!い)|(?:書い|作っ|変え|加え|書き換え|付け加え)て(?!い)(?:ください|下さい|くれ|ほしい|欲しい|$))/u;
const notJapanese = /しないで|せずに|ですか|ますか|とは|教えて|説明して|[?？]\s*$/u;
/** "Could you …?" is still an order. */
const politeJapanese = /(?:てくれますか|てもらえますか|ていただけますか|てくれませんか)[?？]?\s*$/u;

/** Korean: likewise an action with an ending that requests it. */
const korean =
  /(?:수정|추가|삭제|변경|생성|작성|구현|업데이트|리팩터링|리팩토링|제거|교체)(?:을|를)?\s?(?:해\s?(?:줘|주세요|주십시오|라)|하세요|하십시오|하라|부탁)|(?:고쳐|바꿔|지워|만들어|써)\s?(?:줘|주세요|주십시오)/u;
const notKorean = /지\s?(?:마|말)|없이|까\s?[?？]|나요|[?？]\s*$/u;

/**
 * Whether a request asks for changes (A12), for languages without spaces between words, or whose verb endings carry the
 * order.
 */
function asksWithoutSpaces(plain: string): boolean {
  const sentences = plain.split(/(?<=[。！？!?])|\n+/u).map((sentence) => sentence.trim());
  return sentences.some(
    (sentence) =>
      (chinese.test(sentence) && !notChinese.test(sentence)) ||
      (japanese.test(sentence) && (politeJapanese.test(sentence) || !notJapanese.test(sentence))) ||
      (korean.test(sentence) && !notKorean.test(sentence)),
  );
}
