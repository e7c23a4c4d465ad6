/**
 * Converts JavaScript to pure ASCII, which V8 stores with one byte per character; other sources need two and take twice
 * as long to load.
 */

/**
 * Escapes all other characters as `\u` in strings, templates, regular expressions and names. Throws if that would
 * change the meaning: in raw templates.
 */
export function inAscii(code: string): string {
  const raw = /String\.raw`[^`]*[^\0-\x7f][^`]*`/u.exec(code)?.[0];
  if (raw !== undefined) throw new Error(`What is raw cannot be written in ASCII: ${raw.slice(0, 80)}`);
  // Matches a backslash with the next character, which may itself be a backslash.
  return code.replace(/\\[\s\S]|[^\0-\x7f]/g, (found) => {
    const unit = found.at(-1) ?? "";
    return unit > "\x7f" ? `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}` : found;
  });
}
