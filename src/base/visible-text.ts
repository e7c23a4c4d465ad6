/** Text from models, tools and files in which nothing can move, hide or disguise anything: it is shown, or left out. */

/*
 * Each character is mapped on its own, so a stream may be cut anywhere and no text is dropped: an escape sequence is
 * shown (`␛[2J`), neither obeyed nor hidden.
 */

/*
 * A pattern with Unicode properties takes 2 ms to compile, so the patterns live inside the functions and are compiled
 * only when needed; plain ASCII text passes without them.
 */

/** Printable ASCII, tab and line feed. */
const plain = /^[\t\n\x20-\x7e]*$/;

/** Multi-line text, for reading. Line ends become `\n`. */
export function visibleText(text: string): string {
  if (plain.test(text)) return text;
  // C0 except tab and line feed, DEL, C1, bidi controls, line separators, tag characters.
  const dangerous = /[[\p{Cc}\p{Bidi_Control}\u2028\u2029\u{E0000}-\u{E007F}]--[\t\n]]/gv;
  return text.replaceAll("\r\n", "\n").replace(dangerous, nameOf);
}

/** As `visibleText`, but on one line. */
export function visibleLine(text: string): string {
  return visibleText(text).replaceAll("\n", "⏎").replaceAll("\t", " ");
}

/** Longer runs of spaces are counted instead of shown: they would push what follows off the screen. */
const mostSpaces = 60;
const mostEmptyLines = 8;

/** For text that a person must judge, such as a command or a diff: nothing invisible stays invisible. */
export function visiblePreview(text: string): string {
  // Besides the dangerous ones: whatever has no width or looks empty. Approved text must not hide anything.
  const invisible = /[[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]--[\uFE0F\t\n]]/gv;
  // A variation selector belongs after an emoji; elsewhere it can carry hidden data.
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

/**
 * Leaves out what people cannot see or what only misleads, for text that a model reads. Line ends become `\n`. Characters
 * that join letters or choose between text and emoji stay.
 */
export function stripHidden(text: string): string {
  if (plain.test(text)) return text;
  const hidden =
    /[[\p{Cc}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}]--[\u{fe0e}-\u{fe0f}\u{200c}-\u{200d}\t\n]]/gv;
  return text.replaceAll(/\r\n?/gu, "\n").replaceAll(hidden, "");
}

/**
 * How many UTF-16 units of a streamed text may be shown now: half a character, or a CR that may be half a line end,
 * waits.
 */
export function showable(text: string): number {
  const last = text.charCodeAt(text.length - 1);
  const half = last === 0x0d || (last >= 0xd800 && last <= 0xdbff);
  return half ? text.length - 1 : text.length;
}

/** C0 controls and DEL as their Unicode pictures, other characters by code point. */
function nameOf(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x20) return String.fromCodePoint(0x2400 + code);
  if (code === 0x7f) return "␡";
  return `⟨U+${code.toString(16).toUpperCase().padStart(4, "0")}⟩`;
}
