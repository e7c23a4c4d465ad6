/** The languages for syntax highlighting. Loaded only where there is code. */

import hljs from "highlight.js/lib/core";
import bash from "highlight.js/lib/languages/bash";
import c from "highlight.js/lib/languages/c";
import cpp from "highlight.js/lib/languages/cpp";
import csharp from "highlight.js/lib/languages/csharp";
import css from "highlight.js/lib/languages/css";
import diff from "highlight.js/lib/languages/diff";
import go from "highlight.js/lib/languages/go";
import java from "highlight.js/lib/languages/java";
import javascript from "highlight.js/lib/languages/javascript";
import json from "highlight.js/lib/languages/json";
import markdown from "highlight.js/lib/languages/markdown";
import php from "highlight.js/lib/languages/php";
import python from "highlight.js/lib/languages/python";
import ruby from "highlight.js/lib/languages/ruby";
import rust from "highlight.js/lib/languages/rust";
import sql from "highlight.js/lib/languages/sql";
import typescript from "highlight.js/lib/languages/typescript";
import xml from "highlight.js/lib/languages/xml";
import yaml from "highlight.js/lib/languages/yaml";

const languages = {
  bash, c, cpp, csharp, css, diff, go, java, javascript, json, markdown, php, python, ruby, rust, sql, typescript, xml, yaml,
}; // prettier-ignore

for (const [name, language] of Object.entries(languages)) hljs.registerLanguage(name, language);

/** Highlighted HTML with all text escaped; undefined for an unknown language. */
export function highlightedHtml(text: string, language: string): string | undefined {
  if (!hljs.getLanguage(language)) return undefined;
  return hljs.highlight(text, { language, ignoreIllegals: true }).value;
}

/**
 * The same, and whether nothing (a comment, say) is open at the end: what follows can then be highlighted on its own.
 */
export function highlightedPart(
  text: string,
  language: string,
): { html: string; isComplete: boolean } | undefined {
  if (!hljs.getLanguage(language)) return undefined;
  const { value, _top } = hljs.highlight(text, { language, ignoreIllegals: true });
  return { html: value, isComplete: _top?.parent === undefined };
}
