/** The phrases by which people and models say "the rest stays the same", in several languages. */

/**
 * Patterns of whole comments in lower case, without marks around them. `rest` names what is left out; `state` says
 * that it stays or was left out. `rest` is a placeholder by itself, `state` too; `loose` only beside an ellipsis or in
 * brackets, because comments are written like that as well.
 */
type OmissionPatterns = { rest: string; state: string; loose?: string };

const thing =
  "(?:source code|code|files?|functions?|methods?|class(?:es)?|implementations?|contents?|text|lines?|imports?|exports?|tests?|test cases|cases|props|properties|fields|attributes|logic|body|sections?|document|script|module|components?|markup|html|css|styles|rules|config|configuration|options|settings|entries|items|elements|definitions?|declarations?|handlers?|routes?|statements?|parts?|program|source|template|page|variables|constants|types|members|setup|data|values|keys|rows|columns|dependencies|blocks?|chapters?|paragraphs?|steps|jsx|tsx|queries|query|spec|schema|layout|navigation)";

const english: OmissionPatterns = (() => {
  const the =
    "(?:the |this |that |your |our |my |its |all |of |above |below |existing |original |old |current |other )*";
  const state =
    "(?:(?:(?:will )?(?:stays?|remains?|kept|keeps?|is|are|be|left|goes|go|continues|follows)(?: (?:exactly|completely|entirely))? )?(?:the same(?: as (?:before|above))?|unchanged|untouched|unmodified|intact|identical|as[- ]is|as (?:it|they) (?:is|are|was|were)|as before|here|omitted|truncated|elided|snipped|below|above)(?: here| above| below)?(?: for (?:brevity|clarity|space|simplicity))?)";
  const rest = `(?:the )?(?:rest|remainder|remaining (?:parts?|portion|bits))(?: of ${the}(?:\\w+ ){0,2}?${thing}| of it| of them)?`;
  const whole = `(?:all |the |your |of |and )*(?:existing|original|unchanged|untouched|omitted|remaining) (?:code|implementation|contents?|logic|text|markup|html|document|file)`;
  const others = `(?:all |the |your |of |and |with )*(?:existing|remaining|previous|other|original|same|current|old|unchanged|further|additional|more|rest) (?:\\w+ ){0,2}?${thing}`;
  const keep = `(?:keep|leave|retain|preserve) (?:(?:${others}|${rest}|everything(?: else)?|all else)(?: ${state})?)`;
  return {
    rest: `(?:(?:${rest}|everything else|all else|nothing else)(?: ${state}| changes| changed)|${rest.replace(/\?$/, "")}|${whole}(?: ${state})?|${others} ${state}|${keep}|lines? \\d+(?: ?(?:-|\u2013|to) ?\\d+)? ${state})`,
    state: `(?:unchanged|no (?:other )?changes?(?: (?:here|needed|required|below|above|made))*|(?:remains?|stays?) (?:unchanged|the same|as is)|(?:(?:the )?${thing} )?(?:omitted|truncated|elided|snipped)(?: here)?(?: for (?:brevity|clarity|space|simplicity))|(?:${thing} )(?:omitted|elided|unchanged|snipped)(?: here)?|snip)`,
    loose: `(?:${others}|${rest}|${state}|(?:same|identical) (?:as|to) (?:before|above|below|the )?(?:\\w+ ?){0,3}|(?:\\d+ )?(?:more|other|further|additional|omitted|unchanged) (?:\\w+ )?lines?(?: ${state})?|and so on|etc|continued|more|others?|previous|existing|unchanged ?\\w*)`,
  };
})();

const others: readonly OmissionPatterns[] = [
  {
    rest: "(?:hier )?(?:der |den |die |das )?(?:rest|restlicher?|restliche[rns]?|übrige[rns]?|bestehende[rns]?|vorhandene[rns]?|bisherige[rns]?|unveränderte[rns]?)(?: (?:des|der|vom|von) )?\\s?(?:codes?|quellcodes?|quelltexte?s?|datei|inhalts?|implementierung|funktion(?:en)?|methoden?|klassen?|importe?|dokuments?|abschnitte?)(?: (?:bleibt|bleiben|ist|sind|wie|hier))*(?: (?:unverändert|gleich|zuvor|vorher|bisher|bestehen|ausgelassen|weggelassen))?",
    state:
      "(?:(?:bleibt|bleiben|ist|sind) )?(?:unverändert|wie (?:bisher|zuvor|gehabt|vorher)|keine änderungen|(?:gekürzt|ausgelassen|weggelassen))",
    loose: "(?:der )?rest(?: (?:bleibt|wie) \\w+)?",
  },
  {
    rest: "(?:ici )?(?:le |la |les )?(?:reste|suite|restant) (?:du |de la |de l['’]|des )(?:code|fichier|fonction|classe|contenu|méthode|document|implémentation)s?(?: (?:est|reste|demeure|sans|identique))*(?: (?:inchangée?s?|identiques?|changement))?|(?:le )?code existant(?: (?:ici|inchangé))?|(?:autres|mêmes) (?:méthodes|fonctions|imports|champs) (?:inchangée?s|existante?s)",
    state:
      "(?:reste |restent )?(?:inchangée?s?|sans (?:changements?|modifications?)|identiques?(?: à avant)?)",
    loose: "(?:le )?reste|comme (?:avant|ci-dessus)",
  },
  {
    rest: "(?:aquí )?(?:el |la |los )?(?:resto|restante) (?:del |de la |de los |de las |de )(?:código|archivo|fichero|función|clase|contenido|métodos?|documento)s?(?: (?:permanece|queda|sigue|sin|se mantiene))*(?: (?:igual|cambios|intacto|modificar))?|(?:el )?código (?:existente|restante|anterior)(?: (?:aquí|sin cambios))?",
    state: "sin (?:cambios|modificaciones|modificar)|(?:permanece|queda|se mantiene) igual",
    loose: "(?:el )?resto|igual que antes",
  },
  {
    rest: "(?:aqui )?(?:o |a |os )?(?:resto|restante) (?:do |da |dos |das |de )(?:código|arquivo|ficheiro|função|classe|conteúdo|documento|métodos?)s?(?: (?:permanece|continua|sem|fica))*(?: (?:igual|inalterado|alterações|mudanças))?|(?:o )?código (?:existente|restante|anterior)(?: aqui)?",
    state:
      "sem (?:alterações|mudanças|alteração)|inalterad[oa]s?|(?:permanece|continua) (?:igual|inalterado)",
    loose: "(?:o )?resto|como antes",
  },
  {
    rest: "(?:il |la )?(?:resto|restante) (?:del |della |dei |di )(?:codice|file|funzione|classe|contenuto|documento)(?: (?:rimane|resta|è))?(?: (?:invariato|uguale|immutato))?|(?:il )?codice (?:esistente|rimanente|precedente)(?: qui)?",
    state: "invariat[oaie]|(?:rimane|resta) (?:invariato|uguale)|nessuna modifica|senza modifiche",
    loose: "(?:il )?resto|come prima",
  },
  {
    rest: "(?:de )?(?:rest|overige|bestaande|resterende)(?: van)?(?: de| het)? (?:code|bestand|functie|klasse|inhoud)(?: (?:blijft|is))?(?: (?:ongewijzigd|hetzelfde|gelijk))?",
    state: "ongewijzigd|blijft (?:hetzelfde|gelijk)|geen wijzigingen",
  },
  {
    rest: "(?:здесь )?(?:остальн(?:ой|ая|ые|ое)|оставш(?:ийся|аяся|иеся)|существующ(?:ий|ая|ие)|прежн(?:ий|яя|ие)|остаток) (?:код[а]?|часть|файла?|функци[ияй]|метод[ы]?|содержимое|кода|импорты|строки)(?: (?:файла|кода|класса|остается|остаётся|остаются|без|не))*(?: (?:изменений|прежним|изменился|изменяется|меняется|же))?",
    state: "(?:остается |остаётся )?без изменений|не (?:изменился|изменяется|меняется|изменено)",
    loose: "как (?:раньше|выше|прежде)|остальное",
  },
  {
    rest: "(?:这里|此处|以下|以上|后面|前面)?(?:是|为)?(?:其余|其它|其他|剩余|剩下|现有|原有|已有|原来|之前|原先|未修改|余下)的?(?:[一-鿿]{0,4})?(?:代码|部分|内容|函数|方法|逻辑|文件|实现|导入|行|代碼|內容|測試|测试)(?:都|均|也|全部|部分)?(?:保持|维持|維持)?(?:不变|不變|原样|相同|一样|省略|未变|未改动|无变化|同上)?",
    state:
      "(?:此处|这里|以下|中间|代码|其余|部分){0,2}(?:省略|已省略|略去)(?:了)?(?:其余|其他|部分|若干)?(?:代码|内容|行)?|(?:代码|内容|其余|其他)?(?:保持|维持)(?:不变|原样)|(?:代码|内容)?(?:无变化|没有变化|没有改动|未改动|未修改|不变)|其餘(?:程式碼|部分|內容)?(?:保持)?不變",
    loose: "同上|同前|略|其余|其他",
  },
  {
    rest: "(?:ここ(?:に|は))?(?:既存|残り|以前|元|その他|他)の(?:コード|処理|内容|関数|メソッド|実装|部分|ファイル|行|インポート|テスト)(?:は|が)?(?:そのまま|変更なし|同じ|省略|変更しない|変わらず|ここに)?(?:です)?",
    state:
      "(?:以下|以降|中|前|途中|ここは)?(?:省略|変更なし|変更無し|変更はありません|変更ありません)(?:します)?|(?:以下|以前と|前と)(?:同様|同じ)",
    loose: "そのまま|同上|略|残り",
  },
  {
    rest: "(?:이하 |여기에 )?(?:나머지|기존|이전|남은|다른|원래)(?:의)? ?(?:코드|부분|내용|함수|메서드|메소드|구현|파일|로직|임포트|테스트)(?:는|은|가|이|도)?(?: ?(?:그대로|동일|생략|변경 ?없음|유지|여기에))?(?:함|합니다|됩니다)?",
    state:
      "(?:이하 |중간 |코드 )?(?:생략|변경 ?없음|변경 ?사항 ?없음|수정 ?없음)|(?:이전과 |기존과 )?동일(?:함|합니다)?",
    loose: "그대로|나머지|이하 동일",
  },
];

const all = [english, ...others];
const whole = (patterns: readonly string[]): RegExp => new RegExp(`^(?:${patterns.join("|")})$`, "u");

const named = whole(all.flatMap(({ rest, state }) => [rest, state]));
const hinted = whole(
  all.flatMap(({ rest, state, loose = "\\b\\B" }) => [rest, state, `${rest}[ ,;:-]+${state}`, loose]),
);

/** Placeholders only if an ellipsis precedes them: "... existing guards". */
const led =
  /^(?:(?:all|the|your|of|and|with|my|our) )*(?:existing|remaining|unchanged|previous|original|other|same|rest of)(?: [\p{L}\p{N}_'-]+){1,4}$/u;

/** Placeholders only if lines are lost in their place: "existing validation", "server setup as above". */
const likely = new RegExp(
  `^(?:${[
    "(?:(?:all|the|your|of|and|with|my|our) )*(?:existing|remaining|unchanged|previous|original|other|same|rest of)(?: [\\p{L}\\p{N}_'-]+){1,2}",
    "(?:the )?rest of(?: [\\p{L}\\p{N}_'-]+){1,3} (?:stays?|remains?|is|as|unchanged|same|the same)(?: [\\p{L}\\p{N}]+){0,4}",
    "(?:keep|leave|retain|preserve)(?: [\\p{L}\\p{N}]+){0,2} (?:existing|original|rest|remaining|other|same|current|old|previous|everything)(?: [\\p{L}\\p{N}]+){0,4}",
    "(?:[\\p{L}\\p{N}]+ ){0,4}(?:same )?(?:as|like) (?:before|above|previously|earlier|it was|they were|it is|they are)",
  ].join("|")})$`,
  "u",
);

/** Phrases for "unchanged" or "left out": sufficient in a comment of few words. */
const states =
  "unchang|unmodif|untouch|(?:not|nothing|no)(?: [a-z]+)? chang|\\bas(?: |-)is\\b|as (?:it was|before|above)|like before|brevity|omitted|snip|truncat|abbrev|shorten|elided|unveränd|wie (?:bisher|gehabt|zuvor|vorher)|gekürzt|ausgelassen|inchang|ne change|sans (?:chang|modif)|sin (?:cambi|modif)|sem (?:alter|mudan)|inalter|invariat|igual\\b|come prima|без (?:измен|змін)|не (?:измен|меня)|bez zmian|beze změn|不变|不變|未变|未改|同上|同前|省略|保持|変更(?:なし|無|ありません)|そのまま|以下同|변경 ?없|동일|그대로|생략|değiş|aynı|giữ nguyên|không (?:thay )?đổi|tidak (?:ber)?ubah|دون تغيير|كما هو|ללא שינוי";

/** Names of what is left out: sufficient if a comment is all that a block contains. */
const rests =
  "\\b(?:same|identical|rest|remain(?:s|ing|der)?|existing|previous|original|old|current|stays?|continues?|keep|kept|retain|preserve|leave)\\b|\\b(?:rest|übrige|bestehende|bisherige|bleib)|\\breste?\\b|identique|existant|\\bresto\\b|existente|restante|esistente|остальн|прежн|существующ|как (?:было|раньше|прежде)|reszta|zbytek|其余|其餘|其他|剩余|原有|现有|原来|既存|残り|同じ|同様|以前|기존|나머지|유지|geri kalan|còn lại|tetap|بقية|باقي|שאר|बाकी";

const anyState = new RegExp(states, "u");
const anyRest = new RegExp(`${states}|${rests}`, "u");

/** What surrounds the words: a leading ellipsis, a trailing one or brackets, or nothing. */
export type Hint = "leading" | "around" | "none";

/** Takes lower-case words without surrounding marks. */
export function saysOmission(words: string, hint: Hint): boolean {
  if (words.length > 120) return false;
  if (hint === "none") return named.test(words);
  return hinted.test(words) || (hint === "leading" && led.test(words));
}

/**
 * Like `saysOmission`, for words that count only if lines are lost in their place. `isAlone`: the block contains
 * nothing else.
 */
export function mayBeOmission(words: string, isAlone: boolean): boolean {
  if (words.length > 120) return false;
  const plain = words
    .replace(/^(?:todo|note|nb|fixme)\b/, "")
    .replace(/[^\p{L}\p{M}\p{N}_'\u2019-]+/gu, " ")
    .trim();
  if (hinted.test(plain) || likely.test(plain)) return true;
  const count = plain.split(" ").length;
  return isAlone ? count <= mostAlone && anyRest.test(plain) : count <= mostBeside && anyState.test(plain);
}

const mostAlone = 8;
const mostBeside = 3;
