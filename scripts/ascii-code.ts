/**
 * Code in ASCII alone: V8 keeps such a source as bytes, any other as pairs of them, and takes twice as long to read it.
 */

/**
 * The same JavaScript with `\u` escapes for everything else, in strings, templates, regular expressions and names.
 * Throws where that would not be the same: in raw templates.
 */
export function inAscii(code: string): string {
  const raw = /String\.raw`[^`]*[^\0-\x7f][^`]*`/u.exec(code)?.[0];
  if (raw !== undefined) throw new Error(`What is raw cannot be written in ASCII: ${raw.slice(0, 80)}`);
  // A backslash belongs to what stands behind it, which may be a backslash.
  return code.replace(/\\[\s\S]|[^\0-\x7f]/g, (found) => {
    const unit = found.at(-1) ?? "";
    return unit > "\x7f" ? `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}` : found;
  });
}
