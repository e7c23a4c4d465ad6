/**
 * The keys behind escape sequences, as xterm, rxvt, tmux and the Linux console send them, xterm's modifyOtherKeys and
 * the kitty keyboard protocol. Pure.
 */

import {
  characterKey,
  type TerminalKey,
  type Modifiers,
  namedKey,
  type PressedKey,
  unmodified,
} from "./key.ts";

/** `CSI parameters final`, or undefined if it is no key. */
export function keyOfSequence(parameters: string, final: string): TerminalKey | undefined {
  if (parameters === "" && (final === "I" || final === "O"))
    return { type: "focus", isFocused: final === "I" };
  if (!/^[\d;:]*$/u.test(parameters)) return undefined;
  const [first = "", second = "", third = ""] = parameters.split(";");
  const [code = 0, shifted] = first.split(":").map(Number);
  const [modifier = 0, event] = second.split(":").map(Number);
  if (event === released) return undefined;
  const modifiers = modifiersOf(modifier);
  if (!modifiers) return undefined;
  if (final === "u") return kittyKey(code, { shifted, modifiers, typed: third });
  if (final === "~" && code === otherKey) return codeKey(Number(third), modifiers);
  if (final === "~") return keyNamed(tildeNames.get(code), modifiers);
  if (final === "$") return keyNamed(tildeNames.get(code), { ...modifiers, shift: true });
  if (final === "^") return keyNamed(tildeNames.get(code), { ...modifiers, ctrl: true });
  if (final === "@") return keyNamed(tildeNames.get(code), { ...modifiers, ctrl: true, shift: true });
  if (final === "Z") return namedKey("tab", { ...modifiers, shift: true });
  if (parameters === "" && /^[a-d]$/u.test(final))
    return keyNamed(letterNames.get(final.toUpperCase()), { ...unmodified, shift: true });
  return keyNamed(letterNames.get(final), modifiers);
}

/** `SS3 final`: cursor keys in application mode, the keypad, and rxvt's cursor keys with Ctrl. */
export function keyOfShiftedSequence(modifier: string, final: string): TerminalKey | undefined {
  const modifiers = modifiersOf(Number(modifier));
  if (!modifiers) return undefined;
  if (/^[a-d]$/u.test(final))
    return keyNamed(letterNames.get(final.toUpperCase()), { ...unmodified, ctrl: true });
  if (final === "M") return namedKey("enter", modifiers);
  // The keypad's keys are the characters 0x40 below them.
  if (/^[j-y]$/u.test(final))
    return characterKey(String.fromCodePoint(final.charCodeAt(0) - 0x40), modifiers);
  return keyNamed(letterNames.get(final), modifiers);
}

/** `CSI [ final`: the Linux console's function keys. */
export const keyOfConsoleSequence = (final: string): TerminalKey | undefined =>
  /^[A-E]$/u.test(final) ? namedKey(`f${final.charCodeAt(0) - 0x40}`) : undefined;

const keyNamed = (name: string | undefined, modifiers: Modifiers): PressedKey | undefined =>
  name === undefined ? undefined : namedKey(name, modifiers);

const released = 3;
const otherKey = 27;

/** Undefined with Super or Hyper, which belong to the desktop. Meta counts as Alt; the locks change nothing. */
function modifiersOf(parameter: number): Modifiers | undefined {
  const bits = Math.max(0, parameter - 1);
  if ((bits & 0b1_1000) !== 0) return undefined;
  return { shift: (bits & 1) !== 0, alt: (bits & 0b10_0010) !== 0, ctrl: (bits & 0b100) !== 0 };
}

type KittyKey = { shifted: number | undefined; modifiers: Modifiers; typed: string };

function kittyKey(code: number, { shifted, modifiers, typed }: KittyKey): PressedKey | undefined {
  const name = kittyNames.get(code);
  if (name !== undefined) return namedKey(name, modifiers);
  const keypad = keypadCharacters[code - firstKeypad];
  if (keypad !== undefined) return characterKey(keypad, modifiers);
  const isShifted = modifiers.shift && shifted !== undefined && shifted > 0;
  const key = codeKey(isShifted ? shifted : code, modifiers);
  if (!key || typed === "" || key.ctrl || key.alt) return key;
  const characters = typed.split(":").map(Number);
  return characters.every(isTyped) ? { ...key, text: String.fromCodePoint(...characters) } : key;
}

/** Private-use codes are keys that type nothing, such as Shift alone. */
const isTyped = (code: number): boolean =>
  code >= 0x20 &&
  code <= 0x10_ff_ff &&
  !(code >= 0xd8_00 && code <= 0xf8_ff) &&
  !(code >= 0x7f && code < 0xa0);

const controls: readonly number[] = [0x08, 0x09, 0x0d, 0x1b, 0x7f];

function codeKey(code: number, modifiers: Modifiers): PressedKey | undefined {
  if (code === 0x08) return namedKey("backspace", modifiers);
  if (!isTyped(code) && !controls.includes(code)) return undefined;
  return characterKey(String.fromCodePoint(code), modifiers);
}

const letterNames: ReadonlyMap<string, string> = new Map([
  ["A", "up"],
  ["B", "down"],
  ["C", "right"],
  ["D", "left"],
  ["F", "end"],
  ["H", "home"],
  ["P", "f1"],
  ["Q", "f2"],
  ["R", "f3"],
  ["S", "f4"],
]);

const tildeNames: ReadonlyMap<number, string> = new Map([
  [1, "home"],
  [2, "insert"],
  [3, "delete"],
  [4, "end"],
  [5, "pageup"],
  [6, "pagedown"],
  [7, "home"],
  [8, "end"],
  ...[11, 12, 13, 14, 15, 17, 18, 19, 20, 21, 23, 24].map((code, at): [number, string] => [
    code,
    `f${at + 1}`,
  ]),
]);

/** Where the protocol's codes for the keypad begin, and what its keys type. */
const firstKeypad = 57_399;
const keypadCharacters = "0123456789./*-+\r=";

const kittyNames: ReadonlyMap<number, string> = new Map([
  [57_417, "left"],
  [57_418, "right"],
  [57_419, "up"],
  [57_420, "down"],
  [57_421, "pageup"],
  [57_422, "pagedown"],
  [57_423, "home"],
  [57_424, "end"],
  [57_425, "insert"],
  [57_426, "delete"],
]);
