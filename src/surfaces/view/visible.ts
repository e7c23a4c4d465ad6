/**
 * Makes text from models, tools and files harmless for a terminal: nothing in it can move, hide or disguise anything.
 */

/*
 * Every character is mapped by itself, so that a stream may be cut anywhere and nothing that was said is dropped:
 * an escape sequence is shown (`␛[2J`), not obeyed and not hidden.
 */

/*
 * Patterns with properties of characters take 2 ms to make, so none is made before a text needs it: they stand inside
 * the functions, and text of the most usual characters passes without them.
 */

/** Printable ASCII, tab and line feed. */
const plain = /^[\t\n\x20-\x7e]*$/;

/** Text of several lines, for reading. Line ends become `\n`. */
export function visibleText(text: string): string {
  if (plain.test(text)) return text;
  // C0 but tab and line feed, DEL, C1, bidi controls, line separators, tag characters.
  const dangerous = /[[\p{Cc}\p{Bidi_Control}\u2028\u2029\u{E0000}-\u{E007F}]--[\t\n]]/gv;
  return text.replaceAll("\r\n", "\n").replace(dangerous, nameOf);
}

/** The same on one line. */
export function visibleLine(text: string): string {
  return visibleText(text).replaceAll("\n", "⏎").replaceAll("\t", " ");
}

/** Longer runs than these are counted instead of shown: they push what follows off the screen. */
const mostSpaces = 60;
const mostEmptyLines = 8;

/** Text that somebody has to judge, such as a command or a diff: nothing invisible stays invisible. */
export function visiblePreview(text: string): string {
  // Besides the dangerous ones: whatever has no width or looks empty. What is approved must not hide anything.
  const invisible = /[[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]--[\uFE0F\t\n]]/gv;
  // An emoji's variation selector belongs to it; elsewhere it carries what nobody sees.
  const strayVariation = /(?<!\p{Extended_Pictographic})\uFE0F/gu;
  const manySpaces = new RegExp(`[\\p{Zs}\\t]{${mostSpaces + 1},}`, "gu");
  const manyEmptyLines = new RegExp(`\\n(?:[\\p{Zs}\\t]*\\n){${mostEmptyLines + 1},}`, "gu");
  return text
    .replaceAll("\r\n", "␍\n")
    .replace(strayVariation, nameOf)
    .replace(invisible, nameOf)
    .replace(manyEmptyLines, (run) => `\n⟨${run.split("\n").length - 2} empty lines⟩\n`)
    .replace(manySpaces, (run) => ` ⟨${run.length} spaces⟩ `);
}

/** How many units of a streamed text may be shown now: half a character, or a CR that may be half a line end, waits. */
export function showable(text: string): number {
  const last = text.charCodeAt(text.length - 1);
  const half = last === 0x0d || (last >= 0xd800 && last <= 0xdbff);
  return half ? text.length - 1 : text.length;
}

/** C0 controls and DEL as their pictures, the rest by number. */
function nameOf(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x20) return String.fromCodePoint(0x2400 + code);
  if (code === 0x7f) return "␡";
  return `⟨U+${code.toString(16).toUpperCase().padStart(4, "0")}⟩`;
}
