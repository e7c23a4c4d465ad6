/**
 * Whether a request asks for changes (A12), for languages without spaces between words, or whose verb endings carry the
 * order.
 */

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

export function asksWithoutSpaces(plain: string): boolean {
  const sentences = plain.split(/(?<=[。！？!?])|\n+/u).map((sentence) => sentence.trim());
  return sentences.some(
    (sentence) =>
      (chinese.test(sentence) && !notChinese.test(sentence)) ||
      (japanese.test(sentence) && (politeJapanese.test(sentence) || !notJapanese.test(sentence))) ||
      (korean.test(sentence) && !notKorean.test(sentence)),
  );
}
