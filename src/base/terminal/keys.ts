/** Maps key names to the characters that a terminal sends for them. */

const named: Readonly<Record<string, string>> = {
  enter: "\r",
  return: "\r",
  tab: "\t",
  escape: "\x1b",
  esc: "\x1b",
  backspace: "\x7f",
  space: " ",
  delete: "\x1b[3~",
  insert: "\x1b[2~",
  pageup: "\x1b[5~",
  pagedown: "\x1b[6~",
  f1: "\x1bOP",
  f2: "\x1bOQ",
  f3: "\x1bOR",
  f4: "\x1bOS",
  f5: "\x1b[15~",
  f6: "\x1b[17~",
  f7: "\x1b[18~",
  f8: "\x1b[19~",
  f9: "\x1b[20~",
  f10: "\x1b[21~",
  f11: "\x1b[23~",
  f12: "\x1b[24~",
};

/** Keys with two encodings, between which programs choose. */
const cursor: Readonly<Record<string, string>> = {
  up: "A",
  down: "B",
  right: "C",
  left: "D",
  end: "F",
  home: "H",
};

export const keyNames = "enter, tab, escape, backspace, up, down, left, right, home, end, ctrl-c, ctrl-d";

/** `name` as people write it: "ctrl-c", "Ctrl+C", "^C", "Page Up". Returns `undefined` for an unknown key. */
export function keyCharacters(name: string, cursorKeysApplication = false): string | undefined {
  const trimmed = name.trim().replace(/^<(.+)>$/, "$1");
  const control = /^(?:\^|(?:ctrl|control|c)[-+ ])([a-z@[\\\]^_])$/i.exec(trimmed)?.[1];
  if (control !== undefined) return String.fromCharCode(control.toUpperCase().charCodeAt(0) & 0x1f);
  const alt = /^(?:alt|meta|m)[-+ ]([\x21-\x7e])$/i.exec(trimmed)?.[1];
  if (alt !== undefined) return `\x1b${alt}`;
  if (/^shift[-+ ]tab$/i.test(trimmed)) return "\x1b[Z";
  const plain = trimmed.toLowerCase().replaceAll(/[-_ ]|arrow|key/g, "");
  const letter = Object.hasOwn(cursor, plain) ? cursor[plain] : undefined;
  if (letter !== undefined) return `\x1b${cursorKeysApplication ? "O" : "["}${letter}`;
  if (Object.hasOwn(named, plain)) return named[plain];
  return /^[\x20-\x7e]$/.test(name) ? name : undefined;
}
