/** Finds where a JSON value ends without parsing it. */

/** The end and nesting depth of the JSON value whose bracket is at `start`; undefined if it does not end. */
export function jsonExtent(text: string, start: number): { end: number; depth: number } | undefined {
  let level = 0;
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 34) at = stringEnd(text, at);
    else if (code === 123 || code === 91) level += 1;
    else if (code === 125 || code === 93) level -= 1;
    if (level > depth) depth = level;
    if (level === 0) return { end: at + 1, depth };
  }
  return undefined;
}

/** The position of the closing quotation mark of the string that begins at `start`. */
function stringEnd(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 92) at += 1;
    else if (code === 34) return at;
  }
  return text.length;
}
