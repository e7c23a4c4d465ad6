/** How people ask for file changes, per language: the vocabulary for recognising such requests (A12). */

/** `*` stands for any ending. An empty column is a gap: requests in that language are understood less well. */
export type RequestLanguage = {
  /** Imperatives that change files. */
  orders: readonly string[];
  /** The subset whose outcome may be plain text: "write a poem". */
  writing: readonly string[];
  /** Words for a file, as the object of writing. */
  files: readonly string[];
  /** Words that make the next word a noun: "the last change". */
  articles: readonly string[];
  /** Negations: "do not change", "without changing". */
  negations: readonly string[];
  /** Sentence openings that ask for an answer, not a change. */
  questions: readonly string[];
  /** Words before something to be explained, not done: "I wonder how to change it". */
  wondering: readonly string[];
  /** Words that join a second order to the first: "look, and fix it". */
  joining: readonly string[];
  /** Openings of orders in the form of questions: "could you". */
  polite: readonly string[];
  please: readonly string[];
  /** Meaningless words that may open a sentence. */
  fillers: readonly string[];
};

const list = (words: string): string[] => words.trim().split(/\s*,\s*/u);

const english: RequestLanguage = {
  orders: list(
    "rename, change, modify, edit, update, add, create, write, fix, refactor, remove, delete, implement, replace, rewrite",
  ),
  writing: list("write, create, add"),
  files: list("file, files"),
  articles: list(
    "the, a, an, this, that, these, those, my, your, our, its, their, each, every, any, no, last, latest, recent, previous, next",
  ),
  negations: list("not, never, without, don't, dont, doesn't, doesnt, won't, wont, avoid, instead of, no"),
  questions: list(
    "how, what, what's, why, where, when, which, who, whose, is, are, was, were, do, does, did, has, have, should, shall, may, explain, describe, tell, show, list, summarize, summarise, compare, review, find, search, look, read, check",
  ),
  wondering: list("how, what, where, whether, why, which"),
  joining: list("and, then, and then, and also"),
  polite: list(
    "can you, could you, would you, will you, how about you, how about we, what about you, what about we",
  ),
  please: list("please, kindly"),
  fillers: list("now, then, ok, okay, so, also, just, first, next, finally, and, but"),
};

const german: RequestLanguage = {
  orders: list(
    "änder, ändere, ändern, benenn, benenne, umbenennen, bearbeite, bearbeiten, aktualisiere, aktualisieren, ergänze, ergänzen, erstelle, erstellen, schreib, schreibe, schreiben, korrigiere, korrigieren, behebe, beheben, entferne, entfernen, lösche, löschen, ersetze, ersetzen, füge, hinzufügen, implementiere, implementieren",
  ),
  writing: list("schreib*, erstell*"),
  files: list("datei*"),
  articles: list("der, die, das, den, dem, ein, eine, einen"),
  negations: list("nicht, ohne, kein*"),
  questions: list(
    "wie, was, warum, wieso, weshalb, wo, wann, welche*, wer, ist, sind, soll*, erklär*, beschreib*, zeig*",
  ),
  wondering: list("wie, was, wo, warum"),
  joining: list("und, dann, und dann"),
  polite: list("kannst du, könntest du, können sie, könnten sie"),
  please: list("bitte"),
  fillers: list("dann, und, jetzt"),
};

const french: RequestLanguage = {
  orders: list(
    "renomme, renommez, renommer, modifie, modifiez, modifier, ajoute, ajoutez, ajouter, crée, créez, créer, écris, écrivez, écrire, corrige, corrigez, corriger, supprime, supprimez, supprimer, remplace, remplacez, remplacer",
  ),
  writing: list("écri*, cré*"),
  files: list("fichier*"),
  articles: list("la, le, les, un, une"),
  negations: list("ne, pas, sans"),
  questions: list("comment, pourquoi, que, quel*, quand, qui, est-ce, explique*, montre*"),
  wondering: list("comment, pourquoi"),
  joining: list("et, puis, et puis"),
  polite: list("peux-tu, pouvez-vous, pourrais-tu, pourriez-vous"),
  please: list("s'il te plaît, s'il vous plaît"),
  fillers: list("et"),
};

const spanish: RequestLanguage = {
  orders: list(
    "renombra, renombrar, cambia, cambiar, modifica, modificar, añade, añadir, agrega, agregar, crea, crear, escribe, escribir, corrige, corregir, elimina, eliminar, actualiza, actualizar, reemplaza, reemplazar",
  ),
  writing: list("escrib*, cre*"),
  files: list("archivo*"),
  articles: list("el, la, los, las, un, una"),
  negations: list("no, sin"),
  questions: list("cómo, qué, por qué, dónde, cuándo, cuál*, quién, explica*, muestra*"),
  wondering: list("cómo, qué, dónde"),
  joining: list("y, luego, y luego"),
  polite: list("puedes, podrías, puede usted"),
  please: list("por favor"),
  fillers: list("y"),
};

const portuguese: RequestLanguage = {
  orders: list(
    "adicione, adicionar, corrija, corrijo, corrigir, crie, altere, alterar, mude, mudar, remova, remover, apague, apagar, atualize, atualizar, escreva, escrever, renomeie, renomear, substitua, substituir",
  ),
  writing: [],
  files: [],
  articles: [],
  negations: list("não, sem"),
  questions: list("como, o que, por que, onde, quem, explique, mostre"),
  wondering: list("como"),
  joining: [],
  polite: [],
  please: list("por favor"),
  fillers: [],
};

const italian: RequestLanguage = {
  orders: list(
    "aggiungi, aggiungere, correggi, correggere, modifica, modificare, scrivi, scrivere, rinomina, rinominare, rimuovi, rimuovere, aggiorna, aggiornare, sostituisci, sostituire, eliminare, cancella, cancellare",
  ),
  writing: [],
  files: [],
  articles: [],
  negations: list("non, senza"),
  questions: list(
    "come si, come posso, come faccio, come funziona, cosa, che cosa, perché, spiega*, mostra*",
  ),
  wondering: list("come, perché"),
  joining: list("poi"),
  polite: [],
  please: [],
  fillers: [],
};

const russian: RequestLanguage = {
  orders: list(
    "исправь, исправьте, добавь, добавьте, измени, измените, создай, создайте, удали, удалите, напиши, напишите, обнови, обновите, переименуй, переименуйте, замени, замените, реализуй, реализуйте, перепиши, перепишите, отредактируй, отредактируйте, убери, уберите",
  ),
  writing: [],
  files: [],
  articles: [],
  negations: list("не, без"),
  questions: list("как, что, где, почему, зачем, когда, кто, объясни, покажи, расскажи, какой, какие"),
  wondering: list("как, что, где, почему, зачем"),
  joining: list("и, затем"),
  polite: [],
  please: [],
  fillers: [],
};

/** Languages with spaces between words; the others have a reader of their own (`asksWithoutSpaces`). */
export const requestLanguages: readonly RequestLanguage[] = [
  english,
  german,
  french,
  spanish,
  portuguese,
  italian,
  russian,
];
