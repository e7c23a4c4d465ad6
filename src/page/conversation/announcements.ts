/** The texts that a screen reader announces for answers and questions, without Markdown marks. */

import type { Token, Tokens } from "marked";
import { countOf } from "../../base/amounts.ts";
import { visibleLine, visibleText } from "../../base/visible-text.ts";
import type { TurnStopReason } from "../../protocol/facts.ts";
import { withoutEntities } from "../../view/markdown/entities.ts";
import { lex } from "../../view/markdown/markdown-html.ts";

/** Characters of an answer that are announced at once. */
const most = 600;
/** Characters read to find them: Markdown marks take room, too. */
const mostRead = 4 * most;

export function answerWords(stopped: TurnStopReason | undefined, text: string): string {
  const end = stopped === "done" ? "The answer is finished." : `The request ended: ${stopped ?? ""}.`;
  return `${end} ${spokenText(text)}`.trim();
}

export function approvalWords(title: string): string {
  const [first = ""] = title.split("\n", 1);
  const what = shortText(visibleLine(first === title ? title : `${first} …`));
  return `Waiting for your answer. May it do this: ${what}?`;
}

/** The beginning of a Markdown text, as plain text. */
export function spokenText(markdown: string): string {
  const { tokens } = lex(markdown.slice(0, mostRead), {});
  return shortText(visibleText(sentences(tokens.map(blockWords))));
}

const shortText = (text: string): string => (text.length > most ? `${text.slice(0, most)}…` : text);

/** Joins parts that stood on separate lines, each as a sentence. */
function sentences(parts: readonly string[]): string {
  const said = parts.map((part) => part.trim()).filter((part) => part !== "");
  return said
    .map((part, at) => (at === said.length - 1 || /[.:;!?…。؟]$/u.test(part) ? part : `${part}.`))
    .join(" ");
}

function blockWords(token: Token): string {
  switch (token.type) {
    case "space":
    case "hr":
    case "def":
    case "checkbox":
      return "";
    case "code":
      return `Code, ${countOf(String(token["text"]).split("\n").length, "line")}`;
    case "list":
      return sentences(itemsOf(token).map(({ tokens }) => sentences(tokens.map(blockWords))));
    case "table":
      return sentences(
        rowsOf(token).map((cells) => cells.map(({ tokens }) => inlineWords(tokens)).join(", ")),
      );
    case "blockquote":
      return sentences((token.tokens ?? []).map(blockWords));
    default:
      return inlineWords([token]);
  }
}

const isList = (token: Token): token is Tokens.List => token.type === "list" && "items" in token;
const itemsOf = (token: Token): Tokens.ListItem[] => (isList(token) ? token.items : []);

const isTable = (token: Token): token is Tokens.Table => token.type === "table" && "rows" in token;
const rowsOf = (token: Token): Tokens.TableCell[][] => (isTable(token) ? [token.header, ...token.rows] : []);

function inlineWords(tokens: readonly Token[]): string {
  return tokens
    .map((token) => {
      if (token.type === "br") return " ";
      if (token.type === "checkbox") return "";
      if ("tokens" in token && token.tokens) return inlineWords(token.tokens);
      const text = "text" in token ? String(token["text"]) : token.raw;
      return token.type === "codespan" ? text : withoutEntities(text);
    })
    .join("");
}
