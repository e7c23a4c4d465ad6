/** Strips the markup of pages that cannot be converted, in a single pass over the characters. */

/** Elements whose content is not text, and tags after which text continues on a new line. */
const skipped = /<(script|style|template|svg|noscript)\b/iuy;
const inline =
  /<\/?(?:a|abbr|b|bdi|bdo|cite|code|data|em|font|i|kbd|mark|q|s|samp|small|span|strong|sub|sup|time|tt|u|var|wbr)\b/iuy;
const mark = /<[a-z/!?]/iuy;

export function bareText(html: string): string {
  // Lower-cases ASCII only, to keep offsets equal: some letters change length in lower case.
  const lower = html.replaceAll(/[A-Z]+/gu, (letters) => letters.toLowerCase());
  const pieces: string[] = [];
  for (let at = 0; at < html.length;) {
    const open = html.indexOf("<", at);
    if (open === -1 || !isAt(open, mark, lower)) {
      const end = open === -1 ? html.length : open + 1;
      pieces.push(html.slice(at, end));
      at = end;
      continue;
    }
    pieces.push(html.slice(at, open));
    if (!isAt(open, inline, lower)) pieces.push("\n");
    at = endOf(lower, open);
  }
  return decodeEntities(pieces.join(""))
    .replaceAll(/[ \t\f\v\u00a0]+/gu, " ")
    .replaceAll(/ ?\n[ \n]*/gu, "\n")
    .trim();
}

function isAt(place: number, sticky: RegExp, text: string): boolean {
  sticky.lastIndex = place;
  return sticky.test(text);
}

/** The end of a comment, of an element without text, or of a single tag. An unclosed one extends to the end. */
function endOf(lower: string, open: number): number {
  if (lower.startsWith("<!--", open)) return after(lower, "-->", open + 4);
  const close = after(lower, ">", open);
  skipped.lastIndex = open;
  const name = skipped.exec(lower)?.[1];
  return name === undefined ? close : after(lower, ">", after(lower, `</${name}`, close));
}

function after(text: string, mark: string, from: number): number {
  const found = text.indexOf(mark, from);
  return found === -1 ? text.length : found + mark.length;
}

const names: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: " ",
};

const escape = /&(?:#(\d{1,7})|#x([\da-f]{1,6})|(amp|lt|gt|quot|apos|nbsp));/giu;

function decodeEntities(text: string): string {
  return text.replaceAll(escape, (whole: string, decimal?: string, hex?: string, name?: string) => {
    if (name !== undefined) return names[name.toLowerCase()] ?? whole;
    const code = decimal === undefined ? Number.parseInt(hex ?? "", 16) : Number(decimal);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}
