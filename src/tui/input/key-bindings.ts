/** Which keys do what: one table for the input, the screen, `?` and the configuration's `keys`. Pure. */

import { type Expected, refuse } from "../../base/expected.ts";
import type { KeySettings } from "../../configuration/key-settings.ts";
import { didYouMean } from "../../configuration/options/nearest.ts";
import { keyWords, type PressedKey } from "./key.ts";

/** `onEmpty`: its keys count only while nothing is written; then they come first. */
type KeyAction = { action: string; keys: readonly string[]; says: string; onEmpty?: true };

/** What the screen does. */
export const screenActions = [
  { action: "send", keys: ["enter"], says: "send; while it works, for its next step" },
  { action: "send-after", keys: ["alt+enter"], says: "send for after this request" },
  { action: "interrupt", keys: ["ctrl+c"], says: "interrupt; clear the input; twice: exit" },
  { action: "escape", keys: ["escape"], says: "end the menu, card or request; twice: edit a message" },
  { action: "next-mode", keys: ["shift+tab"], says: "ask → accept-edits → plan" },
  { action: "complete", keys: ["tab"], says: "complete a command or path" },
  { action: "history-search", keys: ["ctrl+r"], says: "search what you have said here before" },
  { action: "edit-in-editor", keys: ["ctrl+g"], says: "write in your editor ($VISUAL, $EDITOR)" },
  { action: "last-output", keys: ["ctrl+o"], says: "the last output or reasoning in full" },
  { action: "todos", keys: ["ctrl+t"], says: "the to-do list" },
  { action: "paste-picture", keys: ["ctrl+v"], says: "attach the picture in the clipboard" },
  { action: "hand-over", keys: ["ctrl+x"], says: "hand the keyboard to the !command that runs" },
  { action: "suspend", keys: ["ctrl+z"], says: "stop the program; `fg` continues it" },
  { action: "redraw", keys: ["ctrl+l"], says: "paint the screen again" },
  { action: "exit", keys: ["ctrl+d"], says: "exit, with an empty input", onEmpty: true },
  { action: "help", keys: ["?"], says: "these keys, with an empty input", onEmpty: true },
] as const satisfies readonly KeyAction[];

/** What the input does. */
export const fieldActions = [
  { action: "new-line", keys: ["shift+enter", "ctrl+j"], says: "a new line; so does \\ before Enter" },
  { action: "up", keys: ["up", "ctrl+p"], says: "a row up; from the first one: what you said before" },
  { action: "down", keys: ["down", "ctrl+n"], says: "a row down; from the last one: what you said after" },
  { action: "character-left", keys: ["left", "ctrl+b"], says: "a character to the left" },
  { action: "character-right", keys: ["right", "ctrl+f"], says: "a character to the right" },
  { action: "word-left", keys: ["alt+b", "alt+left", "ctrl+left"], says: "a word to the left" },
  { action: "word-right", keys: ["alt+f", "alt+right", "ctrl+right"], says: "a word to the right" },
  { action: "line-start", keys: ["ctrl+a", "home"], says: "to the start of the line" },
  { action: "line-end", keys: ["ctrl+e", "end"], says: "to the end of the line" },
  { action: "text-start", keys: ["alt+<", "ctrl+home"], says: "to the start of the text" },
  { action: "text-end", keys: ["alt+>", "ctrl+end"], says: "to the end of the text" },
  { action: "delete-left", keys: ["backspace", "shift+backspace", "ctrl+h"], says: "delete to the left" },
  { action: "delete-right", keys: ["delete", "ctrl+d"], says: "delete to the right" },
  { action: "cut-to-space", keys: ["ctrl+w"], says: "cut the word to the left, up to a space" },
  { action: "cut-word-left", keys: ["alt+backspace", "ctrl+backspace"], says: "cut the word to the left" },
  { action: "cut-word-right", keys: ["alt+d", "ctrl+delete"], says: "cut the word to the right" },
  { action: "cut-to-end", keys: ["ctrl+k"], says: "cut to the end of the line" },
  { action: "cut-to-start", keys: ["ctrl+u"], says: "cut to the start of the line" },
  { action: "insert-cut", keys: ["ctrl+y"], says: "insert what was cut last" },
  { action: "insert-earlier-cut", keys: ["alt+y"], says: "instead of it what was cut before" },
  { action: "undo", keys: ["ctrl+_", "ctrl+/", "ctrl+-"], says: "undo a change of the input" },
] as const satisfies readonly KeyAction[];

export type ScreenAction = (typeof screenActions)[number]["action"];
export type FieldAction = (typeof fieldActions)[number]["action"];
export type InputAction = ScreenAction | FieldAction;

const table: readonly (KeyAction & { action: InputAction })[] = [...screenActions, ...fieldActions];

type KeyRow = { action: InputAction; keys: readonly string[]; says: string };

export type KeyBindings = {
  actionOf(this: void, key: PressedKey, isEmpty: boolean): InputAction | undefined;
  /** The first key of an action in words, such as "ctrl+o"; empty if it has none. */
  keyOf(this: void, action: InputAction): string;
  readonly rows: readonly KeyRow[];
};

/** `settings`: the keys that an action has instead of the usual ones; none with an empty list. The problem names what is
 * wrong, and what is nearest to it.
 */
export function keyBindings(settings: KeySettings = {}): Expected<KeyBindings> {
  const names = table.map(({ action }) => action);
  const chosen = new Map<string, readonly string[]>();
  for (const [action, written] of Object.entries(settings)) {
    const row = table.find((row) => row.action === action);
    if (!row)
      return refusal(`there is no action "${action}"${didYouMean(action, names) || `: ${names.join(", ")}`}`);
    const keys: string[] = [];
    for (const key of typeof written === "string" ? [written] : written) {
      const read = readKey(key, row.onEmpty === true);
      if (!read.ok) return refusal(`"${action}": ${read.problem}`);
      keys.push(read.value);
    }
    chosen.set(action, keys);
  }
  return withoutClashes(chosen);
}

const refusal = (problem: string): { ok: false; problem: string } => refuse(`"keys": ${problem}`);

/** A key that was given to an action is taken from the one that usually has it. */
function withoutClashes(chosen: ReadonlyMap<string, readonly string[]>): Expected<KeyBindings> {
  const owners = new Map<string, InputAction>();
  for (const { action, onEmpty } of table)
    for (const key of chosen.get(action) ?? []) {
      const place = bindingKey(key, onEmpty);
      const other = owners.get(place);
      if (other !== undefined && other !== action)
        return refusal(`"${key}" is given to both "${other}" and "${action}": give it to one of them`);
      owners.set(place, action);
    }
  const rows: KeyRow[] = [];
  for (const { action, keys, says, onEmpty } of table) {
    const own = chosen.get(action) ?? keys.filter((key) => !owners.has(bindingKey(key, onEmpty)));
    for (const key of own) owners.set(bindingKey(key, onEmpty), action);
    rows.push({ action, keys: own, says });
  }
  for (const action of needed)
    if (rows.find((row) => row.action === action)?.keys.length === 0)
      return refusal(`"${action}" has no key left: give it one`);
  return { ok: true, value: bindingsOf(rows, owners) };
}

/** Without these nobody could send, stop or leave. */
const needed: readonly InputAction[] = ["send", "interrupt"];

const bindingKey = (key: string, onEmpty: true | undefined): string => (onEmpty ? `empty ${key}` : key);

function bindingsOf(rows: readonly KeyRow[], owners: ReadonlyMap<string, InputAction>): KeyBindings {
  return {
    rows,
    keyOf: (action) => rows.find((row) => row.action === action)?.keys[0] ?? "",
    actionOf(key, isEmpty) {
      const words = keyWords(key);
      return (isEmpty ? owners.get(`empty ${words}`) : undefined) ?? owners.get(words);
    },
  };
}

const namedKeys = [
  ..."enter escape tab backspace delete insert up down left right home end pageup pagedown space".split(" "),
  ...Array.from({ length: 12 }, (_, at) => `f${at + 1}`),
];
const modifierNames = ["ctrl", "alt", "shift"];

/** Reads "ctrl+o" in any order and case. A bare character is what a person types: only for an empty input. */
function readKey(written: string, mayType: boolean): Expected<string> {
  const [, before = "", name = ""] = /^((?:[^+]+\+)*)(.+)$/u.exec(written.trim().toLowerCase()) ?? [];
  const modifiers = before.split("+").filter(Boolean);
  const odd = modifiers.find((one) => !modifierNames.includes(one));
  const isCharacter = /^[!-~\p{L}\p{N}]$/u.test(name);
  if (odd !== undefined) {
    const hint = didYouMean(odd, modifierNames) || ": ctrl, alt and shift may stand before the +";
    return refuse(`"${written}" is no key: "${odd}" is unknown${hint}`);
  }
  if (!isCharacter && !namedKeys.includes(name)) {
    const hint = didYouMean(name, namedKeys) || ': keys are written as "ctrl+o", "alt+enter" or "f5"';
    return refuse(`"${written}" is no key${hint}`);
  }
  const [ctrl = false, alt = false, shift = false] = modifierNames.map((one) => modifiers.includes(one));
  if ((isCharacter || name === "space") && !ctrl && !alt && !mayType)
    return refuse(`"${written}" types a character: put ctrl+ or alt+ before it`);
  const same = ctrl && !alt && !shift ? sameCharacters.get(name) : undefined;
  if (same !== undefined) return refuse(`most terminals send "${written}" as "${same}": choose another key`);
  return { ok: true, value: keyWords({ name, ctrl, alt, shift }) };
}

const sameCharacters: ReadonlyMap<string, string> = new Map([
  ["i", "tab"],
  ["m", "enter"],
  ["[", "escape"],
]);

export const isFieldAction = (action: InputAction): action is FieldAction =>
  fieldActions.some((row) => row.action === action);
