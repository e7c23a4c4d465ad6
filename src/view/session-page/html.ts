/** HTML as a value: everything that is put into it is escaped, unless it is HTML already. */

import { visibleLine, visibleText } from "../../base/visible-text.ts";
import { escapedHtml } from "../escaped-html.ts";

/** Only this file makes it, so that no text can pass for it. */
export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

type Inner = Html | string | number | undefined | readonly Inner[];

/** A template whose values are escaped; texts keep their line breaks, and what cannot be seen is shown. */
export const markup = (pieces: TemplateStringsArray, ...inner: readonly Inner[]): Html =>
  new Html(pieces.map((piece, at) => piece + textOf(inner[at])).join(""));

function textOf(inner: Inner): string {
  if (inner === undefined) return "";
  if (inner instanceof Html) return inner.text;
  if (typeof inner === "string") return escapedHtml(visibleText(inner));
  return typeof inner === "number" ? String(inner) : inner.map(textOf).join("");
}

/** A text on one line. */
export const line = (text: string): string => visibleLine(text.trim());
