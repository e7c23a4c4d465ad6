/** Sentences for people, in the language of the editor. Every layer speaks, and only one of them knows the editor. */

type Translate = (sentence: string, ...values: (string | number)[]) => string;

/** `{0}` stands for the first value. */
const inEnglish: Translate = (sentence, ...values) =>
  sentence.replaceAll(/\{(\d+)\}/gu, (_, at: string) => String(values[Number(at)] ?? ""));

let translate = inEnglish;

/** As VS Code has it: one language for a whole process. */
export const translateWith = (by: Translate): void => void (translate = by);

/** The sentence is a literal, so that it can be collected for translators. */
export const t: Translate = (sentence, ...values) => translate(sentence, ...values);

/** Models and programs read English. */
export const inEnglishOnly = (words: string): string => words;
