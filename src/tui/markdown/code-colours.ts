/** The colours of code: its highlighter is loaded when the first code appears, and until then code has none. */

import type { highlightedPart } from "../../view/markdown/languages.ts";
import type { StyleName } from "../../view/style.ts";
import { type PieceLook, type Piece, plainLook } from "./look.ts";

/** `before`: the lines of which the colours of a line may depend. Undefined: no colours, or none yet. */
export type CodeColours = (code: {
  language: string;
  before: string;
  line: string;
}) => ColouredLine | undefined;

/** `isComplete`: nothing that began in or before the line goes on after it. */
type ColouredLine = { pieces: Piece[]; isComplete: boolean };

let highlighter: typeof highlightedPart | undefined;
let loading: Promise<void> | undefined;

/** Loads the highlighter; it is there when the promise is resolved. */
export const loadCodeColours = (): Promise<void> => (loading ??= load());

async function load(): Promise<void> {
  const languages = await import("../../view/markdown/languages.ts");
  highlighter = languages.highlightedPart;
}

export const codeColours: CodeColours = ({ language, before, line }) => {
  if (language === "") return undefined;
  if (!highlighter) {
    void loadCodeColours();
    return undefined;
  }
  const part = highlighter(before + line, language);
  return part && { pieces: piecesFrom(part.html, before.length), isComplete: part.isComplete };
};

/** Few, and readable on light and on dark. */
const stylesOf: Readonly<Record<string, StyleName>> = {
  keyword: "magenta",
  "selector-tag": "magenta",
  doctag: "magenta",
  tag: "magenta",
  string: "green",
  regexp: "green",
  addition: "green",
  number: "cyan",
  literal: "cyan",
  symbol: "cyan",
  bullet: "cyan",
  type: "cyan",
  built_in: "cyan",
  title: "blue",
  section: "blue",
  name: "blue",
  attr: "blue",
  attribute: "blue",
  property: "blue",
  "selector-id": "blue",
  "selector-class": "blue",
  comment: "dim",
  quote: "dim",
  meta: "dim",
  deletion: "red",
  emphasis: "italic",
  strong: "bold",
};

const parts = /<span class="hljs-([\w-]+)[^"]*">|<span[^>]*>|(<\/span>)|&(amp|lt|gt|quot|#x27);|[^<&]+/gu;
const characters: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', "#x27": "'" };

/** The highlighter's HTML without its first `skipped` characters; the innermost colour counts. */
function piecesFrom(html: string, skipped: number): Piece[] {
  const looks: PieceLook[] = [plainLook];
  const pieces: Piece[] = [];
  let left = skipped;
  for (const [all, scope, end, name] of html.matchAll(parts)) {
    const look = looks.at(-1) ?? plainLook;
    if (end !== undefined) looks.pop();
    else if (all.startsWith("<span")) {
      const style = stylesOf[scope ?? ""];
      looks.push(style ? { styles: [style], link: "" } : look);
    } else {
      const text = (name === undefined ? all : (characters[name] ?? "")).slice(left);
      left = Math.max(0, left - (name === undefined ? all.length : 1));
      if (text !== "") pieces.push({ text, look });
    }
  }
  return pieces;
}
