/** A language of highlight.js, which only its core looks into. */

export type HighlightLanguage = (core: object) => object;
declare const language: HighlightLanguage;
export default language;
