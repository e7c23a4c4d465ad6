/**
 * Converts Markdown to HTML through which its author can do no harm: no raw HTML, no images, only a few kinds of links.
 */

import { Lexer, Marked, type Token, type TokensList } from "marked";
import { escapedHtml } from "../escaped-html.ts";
import { isHarmless, languageOf, withoutHtml } from "./source.ts";

/** Targets of reference links like `[this]`. */
export type Links = TokensList["links"];

/** Table cells with more characters get a minimum width of several words. */
const shortCell = 40;

const markdown = new Marked({
  gfm: true,
  tokenizer: withoutHtml,
  renderer: {
    html: ({ text }) => escapedHtml(text),
    code: ({ text, lang }) => codeHtml(languageOf(lang), text),
    link({ href, tokens }) {
      return linkHtml(href, this.parser.parseInline(tokens));
    },
    // A remote image would tell its server what is being read here.
    image: ({ href, text }) => linkHtml(href, escapedHtml(text === "" ? "an image" : text)),
    listitem(item) {
      return `<li${item.task ? ' class="task"' : ""}>${this.parser.parse(item.tokens)}</li>\n`;
    },
    checkbox: ({ checked }) =>
      `<input type="checkbox" disabled="" aria-label="${checked ? "done" : "to do"}"${checked ? ' checked=""' : ""}> `,
    tablecell({ tokens, text, header, align }) {
      const [tag, side] = [header ? "th" : "td", align ? ` align="${align}"` : ""];
      const long = text.length > shortCell ? ' class="long"' : "";
      return `<${tag}${side}${long}>${this.parser.parseInline(tokens)}</${tag}>`;
    },
    table(token) {
      const head = token.header.map((cell) => this.tablecell(cell)).join("");
      const body = token.rows.map(
        (cells) => `<tr>${cells.map((cell) => this.tablecell(cell)).join("")}</tr>`,
      );
      return `<div class="table" tabindex="0" role="region" aria-label="Table"><table><thead><tr>${head}</tr></thead><tbody>${body.join("")}</tbody></table></div>`;
    },
  },
});

/** The top-level tokens of a text. `known` holds links defined earlier and is not modified. */
export function lex(text: string, known: Links): { tokens: Token[]; links: Links } {
  const lexer = new Lexer(markdown.defaults);
  const links: Links = Object.assign(Object.create(null), known);
  lexer.tokens.links = links;
  return { tokens: lexer.lex(text), links };
}

export const tokensHtml = (tokens: Token[]): string => markdown.parser(tokens);

export function codeHtml(language: string, text: string): string {
  const label = language === "" ? "text" : language;
  return `<div class="code" data-language="${escapedHtml(language)}"><div class="code-head"><span>${escapedHtml(label)}</span><button type="button" class="code-copy">Copy</button></div><pre tabindex="0"><code>${escapedHtml(text)}\n</code></pre></div>`;
}

const linkHtml = (href: string, inner: string): string =>
  isHarmless(href)
    ? `<a href="${escapedHtml(href)}" target="_blank" rel="noopener noreferrer" title="${escapedHtml(href)}">${inner}</a>`
    : `<span class="no-link">${inner}</span>`;
