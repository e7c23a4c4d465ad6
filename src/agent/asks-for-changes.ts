/** Whether a request asks for files to be changed: told by its verbs (A12), not by words that only look like them. */

import { asksWithoutSpaces } from "./asks-without-spaces.ts";

/** The verbs of A12, and the same in other languages, as they are said to somebody. */
const verbs: readonly string[] = [
  "rename|change|modify|edit|update|add|create|write|fix|refactor|remove|delete|implement|replace|rewrite",
  "änder[en]?|ändere|benenn[e]?|umbenennen|bearbeiten?|aktualisieren?|ergänzen?|erstellen?|schreiben?|korrigieren?|beheben?|entfernen?|löschen?|ersetzen?|füge|hinzufügen|implementieren?",
  "renomm(?:e|ez|er)|modifi(?:e|ez|er)|ajout(?:e|ez|er)|cré(?:e|ez|er)|écri(?:s|vez|re)|corrig(?:e|ez|er)|supprim(?:e|ez|er)|remplac(?:e|ez|er)",
  "renombr(?:a|ar)|cambi(?:a|ar)|modific(?:a|ar)|añad(?:e|ir)|agreg(?:a|ar)|cre(?:a|ar)|escrib(?:e|ir)|corrig(?:e)|corregir|elimin(?:a|ar)|actualiz(?:a|ar)|reemplaz(?:a|ar)",
  "adicion(?:e|ar)|corrij[ao]|corrigir|crie|alter(?:e|ar)|mud(?:e|ar)|remov(?:a|er)|apag(?:ue|ar)|atualiz(?:e|ar)|escrev(?:a|er)|renome(?:ie|ar)|substitu(?:a|ir)",
  "aggiung(?:i|ere)|correggi|correggere|modifica|modificare|scriv(?:i|ere)|rinomin(?:a|are)|rimuov(?:i|ere)|aggiorn(?:a|are)|sostitu(?:isci|ire)|eliminare|cancell(?:a|are)",
  "(?:исправь|добавь|измени|создай|удали|напиши|обнови|переименуй|замени|реализуй|перепиши|отредактируй|убери)(?:те)?",
  // What is as often said of other things: only where a file is named, or what is to come of it.
  String.raw`(?:move|convert|split|merge)(?=[^?!]*[\w-]\.[a-z][a-z\d]{0,5}\b)|make(?=\s+(?:all|the|this|that|these|those|it|them|my|our|every)\b[^.?!]{0,60}\b(?:pass|work|compile|build|green)(?![\p{L}]))`,
];
const verb = String.raw`(?<![\p{L}\p{N}_./\\-])(?:${verbs.join("|")})(?![\p{L}\p{N}_./\\-]*[\p{L}\p{N}_])`;

/** Before a word that is a thing and not an order: "the last change", "an update". */
const thing =
  /(?:^|\s)(?:the|an?|this|that|these|those|my|your|our|its|their|each|every|any|no|last|latest|recent|previous|next|der|die|das|den|dem|ein|eine|einen|la|le|les|une?|el|los|las|una?)\s+$/iu;
/** Before an order that is none: "do not change", "without changing". */
const negated =
  /(?:\b(?:not|never|without|don['’]?t|doesn['’]?t|won['’]?t|avoid|instead of|nicht|ohne|kein\w*|ne|pas|sans|sin|no|não|sem|non|senza)\b|(?<!\p{L})(?:не|без|não))[^,.;:!?]{0,30}$/iu;

/** Before what somebody wants to know, not to be done: "I wonder how to change". */
const told =
  /(?<![\p{L}\p{N}])(?:how|what|where|whether|why|which|wie|was|wo|warum|comment|pourquoi|cómo|qué|dónde|como|come|perché|как|что|где|почему|зачем)(?![\p{L}\p{N}])[^,.;:!?]*$/iu;
/** An order after another one: "and fix", "then add". */
const joined = /\b(?:and|then|und|dann|et|puis|y|luego|poi|и|затем)\s+(?:then\s+|also\s+)?$/iu;

/** A question, or a wish to be told something. */
const question =
  /^(?:how|what|what['’]s|why|where|when|which|who|whose|is|are|was|were|do|does|did|has|have|should|shall|may|explain|describe|tell|show|list|summari[sz]e|compare|review|find|search|look|read|check|wie|was|warum|wieso|weshalb|wo|wann|welche[rsnm]?|wer|ist|sind|soll\w*|erklär\w*|beschreib\w*|zeig\w*|comment|pourquoi|que|quel\w*|quand|qui|est-ce|explique\w*|montre\w*|cómo|qué|por qué|dónde|cuándo|cuál\w*|quién|explica\w*|muestra\w*|como|o que|por que|onde|quem|explique|mostre|come (?:si|posso|faccio|funziona)|cosa|che cosa|perché|spiega\w*|mostra\w*|как|что|где|почему|зачем|когда|кто|объясни|покажи|расскажи|какой|какие)(?![\p{L}\p{N}])/iu;
/** A request in the shape of a question. */
const polite =
  /^(?:(?:can|could|would|will) you(?: please)?(?: kindly)?|(?:how|what) about (?:you|we)|kannst du|könntest du|können sie|könnten sie|peux-tu|pouvez-vous|pourrais-tu|pourriez-vous|puedes|podrías|puede usted)\b[\s,]*(?:bitte|please|por favor|s['’]il te plaît|s['’]il vous plaît)?\s*/iu;
/** The same in other forms: "would you mind updating …". */
const asDoing =
  /^(?:(?:would|do) you mind|(?:how|what) about)\s+(?:please\s+)?(?:renam|chang|modify|edit|updat|add|creat|writ|fix|refactor|remov|delet|implement|replac|rewrit)ing\b/iu;
const opening =
  /^(?:[-*•\d.)\s]+|(?:please|now|then|ok(?:ay)?|so|also|just|first|next|finally|and|but|bitte|dann|und|jetzt|s['’]il te plaît|por favor|y|et)\b[\s,:]*)+/iu;

/** What is written, but not into a file. */
const onlyWords =
  /^(?:\s+(?:me|us|down|up|out))?(?:\s+(?:an?|the|some|one|your|short|brief|small|quick|detailed|new|good))*\s+(?:summary|summaries|poem|haiku|limerick|explanation|answer|story|overview|joke|description|sentence|paragraph|list|table|outline|plan|essay|response|reply|diagram)\b/iu;
const namesFile = /\bfiles?\b|\bdatei\w*|\bfichier\w*|\barchivo\w*|[\w-]\.[a-z][a-z\d]{0,5}\b|\w\/\w/iu;

/** Longest text that is looked at; what stands below is what the request is about. */
const mostCharacters = 4_000;

export function asksForChanges(request: string): boolean {
  const plain = withoutQuotations(request);
  return sentences(plain).some(isOrder) || asksWithoutSpaces(plain);
}

/** Without code and quotations: what they say, nobody asks for. A name in them stands for a thing. */
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
  const isPolite = polite.test(words);
  const order = words.replace(polite, "");
  if (question.test(order) && !joined.test(before(order))) return false;
  if (!isPolite && /\?\s*$/u.test(order)) return false;
  return [...order.matchAll(new RegExp(verb, "giu"))].some((found) => isOrdered(order, found));
}

/** What stands before the first verb. */
function before(order: string): string {
  return order.slice(0, order.search(new RegExp(verb, "iu")));
}

function isOrdered(order: string, found: RegExpExecArray): boolean {
  const ahead = order.slice(0, found.index);
  const behind = order.slice(found.index + found[0].length);
  if (thing.test(ahead) || negated.test(ahead)) return false;
  if (told.test(ahead) && !joined.test(ahead)) return false;
  const isText = /^(?:write|create|add|schreib\w*|erstell\w*|écri\w*|escrib\w*|cre\w*|cré\w*)$/iu.test(
    found[0],
  );
  return !(isText && onlyWords.test(behind) && !namesFile.test(behind));
}
