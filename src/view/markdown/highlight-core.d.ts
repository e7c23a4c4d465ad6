/** The part of highlight.js that is used here: its own types would bring those of browsers into every program. */

import type { HighlightLanguage } from "./highlight-language.d.ts";

/** Within a language, a mode has a parent. */
type HighlightMode = { readonly parent?: unknown };

declare const highlighter: {
  registerLanguage(name: string, language: HighlightLanguage): void;
  getLanguage(name: string): object | undefined;
  /** `_top`: the mode at the end of the text. */
  highlight(
    text: string,
    options: { language: string; ignoreIllegals: boolean },
  ): { value: string; _top?: HighlightMode };
};
export default highlighter;
