/** What a person does at a terminal: a key, a paste, or a look at another window. Pure. */

/**
 * `name`: "a", "?", "space", "enter", "escape", "tab", "backspace", "delete", "insert", "up", "down", "left", "right",
 * "home", "end", "pageup", "pagedown", "f1" … `text`: what it types, empty if nothing.
 */
export type PressedKey = {
  type: "key";
  name: string;
  ctrl: boolean;
  alt: boolean;
  shift: boolean;
  text: string;
};

/** `isCut`: the paste was longer than what is kept of it. */
export type TerminalKey =
  | PressedKey
  | { type: "paste"; text: string; isCut: boolean }
  | { type: "focus"; isFocused: boolean };

export type Modifiers = Pick<PressedKey, "ctrl" | "alt" | "shift">;

export const unmodified: Modifiers = { ctrl: false, alt: false, shift: false };

/** A key that types nothing. */
export const namedKey = (name: string, modifiers: Modifiers = unmodified): PressedKey => ({
  type: "key",
  name,
  ...modifiers,
  text: "",
});

/** The key that types this character; with Ctrl or Alt it types nothing. */
function typingKey(character: string, modifiers: Modifiers = unmodified): PressedKey {
  const small = character.toLowerCase();
  const isCapital = small !== character;
  const name = character === " " ? "space" : small;
  // A capital's Shift is part of the character, as for every other sign above a key.
  const shift = isCapital || (modifiers.shift && (name === "space" || /^\p{Ll}$/u.test(small)));
  const typed = modifiers.shift && /^\p{Ll}$/u.test(character) ? character.toUpperCase() : character;
  return {
    type: "key",
    name,
    ctrl: modifiers.ctrl,
    alt: modifiers.alt,
    shift,
    text: modifiers.ctrl || modifiers.alt ? "" : typed,
  };
}

/** The key behind a control character, or behind any other one. */
export function characterKey(character: string, modifiers: Modifiers = unmodified): PressedKey {
  const code = character.codePointAt(0) ?? 0;
  const name = controlNames.get(code);
  if (name !== undefined) return namedKey(name, modifiers);
  if (code === 0) return namedKey("space", { ...modifiers, ctrl: true });
  if (code < 0x20)
    return namedKey(String.fromCodePoint(code + 0x40).toLowerCase(), { ...modifiers, ctrl: true });
  return typingKey(character, modifiers);
}

const controlNames: ReadonlyMap<number, string> = new Map([
  [0x09, "tab"],
  [0x0d, "enter"],
  [0x1b, "escape"],
  [0x7f, "backspace"],
]);

/** As people write it: "ctrl+c", "alt+enter", "shift+tab", "?", "up". */
export function keyWords({ name, ctrl, alt, shift }: Omit<PressedKey, "type" | "text">): string {
  return [ctrl ? "ctrl" : "", alt ? "alt" : "", shift ? "shift" : "", name].filter(Boolean).join("+");
}
