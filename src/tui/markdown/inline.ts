/** Reads what stands within a paragraph: emphasis, code, links. */

import { Lexer, Marked, type MarkedToken, type Token } from "marked";
import { visibleLine } from "../../base/visible-text.ts";
import { withoutEntities } from "../../view/markdown/entities.ts";
import { isHarmless, withoutHtml } from "../../view/markdown/source.ts";
import { type PieceLook, type Piece, withStyle } from "./look.ts";

const markdown = new Marked({
  gfm: true,
  tokenizer: {
    ...withoutHtml,
    // A single tilde is more often "about" than the beginning of a deletion.
    del: (text) => (text.startsWith("~~") ? false : undefined),
  },
});

/*
 * Nothing that people write in one row, cell or heading; beyond, marks are shown as they are. Reading emphasis takes
 * time that grows with the square of its marks.
 */
const longest = 4_000;
const mostMarks = 60;
/** Without one of these a text has neither marks nor addresses. */
const special = /[\\`*_~[\]<>&@!]|:\/\/|www\.| {2}\n/iu;

export function inlineTokens(text: string): Token[] {
  const isPlain = text.length > longest || !special.test(text) || countMarks(text) > mostMarks;
  if (isPlain) return [{ type: "text", raw: text, text }];
  return new Lexer(markdown.defaults).inlineTokens(text);
}

/** Not the underscores within a name. */
const countMarks = (text: string): number => text.match(/\*+|~~+|\b_+\B|\B_+\b|!?\[/gu)?.length ?? 0;

/** `links`: the terminal shows links as such. */
export function piecesOf(tokens: readonly Token[], look: PieceLook, links: boolean): Piece[] {
  return tokens.flatMap((token) => (isInline(token) ? piecesOfToken(token, look, links) : []));
}

type InlineToken = Extract<
  MarkedToken,
  { type: "text" | "escape" | "strong" | "em" | "del" | "codespan" | "br" | "link" | "image" }
>;

const inlineTypes = new Set(["text", "escape", "strong", "em", "del", "codespan", "br", "link", "image"]);
const isInline = (token: Token): token is InlineToken => inlineTypes.has(token.type);

function piecesOfToken(token: InlineToken, look: PieceLook, links: boolean): Piece[] {
  switch (token.type) {
    case "text":
      return [{ text: withoutEntities(token.text).replace(/\s+/gu, " "), look }];
    case "escape":
      return [{ text: token.text, look }];
    case "strong":
      return piecesOf(token.tokens, withStyle(look, "bold"), links);
    case "em":
      return piecesOf(token.tokens, withStyle(look, "italic"), links);
    case "del":
      return piecesOf(token.tokens, withStyle(look, "strike"), links);
    case "codespan":
      return [{ text: token.text, look: withStyle(look, "cyan") }];
    case "br":
      return [{ text: "\n", look }];
    case "link":
      return linkPieces(token.href, piecesOf(token.tokens, look, false), { look, links });
    case "image":
      return linkPieces(
        token.href,
        [{ text: token.text === "" ? "an image" : visibleLine(token.text), look }],
        {
          look,
          links,
        },
      );
    default:
      return token satisfies never;
  }
}

/** Terminals drop links that are longer. */
const longestAddress = 2_000;

/** Where it leads is either a link of the terminal or told, unless the text says it. */
function linkPieces(
  href: string,
  inner: readonly Piece[],
  { look, links }: { look: PieceLook; links: boolean },
): Piece[] {
  const link = links && isHarmless(href) ? new URL(href).href : "";
  if (link !== "" && link.length <= longestAddress)
    return inner.map(({ text, look: own }) => ({ text, look: { ...own, link } }));
  const text = inner.map((piece) => piece.text).join("");
  if (href === "" || [href, href.replace(/^mailto:/u, ""), href.replace(/^https?:\/\//u, "")].includes(text))
    return [...inner];
  return [...inner, { text: ` (${visibleLine(withoutEntities(href))})`, look: withStyle(look, "dim") }];
}
