/** What a call types: text, with or without Enter, or a key. */

import { type Expected, refuse } from "../../base/expected.ts";
import { keyCharacters, keyNames } from "../../base/terminal/keys.ts";
import { terminalBounds } from "../bounds.ts";
import type { TerminalInput } from "./input.ts";

export type Keystrokes =
  | { kind: "text"; text: string; enter: boolean }
  | { kind: "key"; name: string; characters: string };

const mostCharacters = terminalBounds.typedText.most;

/** Exactly what is typed, for the policy; undefined for a key that writes nothing. */
export function typedIn({ input, command, key, enter }: TerminalInput): string | undefined {
  const text = textOf({ input, command, enter });
  if (key === undefined || (text !== undefined && text !== "")) return text;
  return isCharacter(key) ? keyCharacters(key) : undefined;
}

/** A single line's own line end stands for Enter; after several lines, an empty line may be what ends them. */
function textOf({ input, command, enter = true }: TerminalInput): string | undefined {
  const text = (input ?? command)?.replaceAll("\r\n", "\n");
  return enter ? text?.replace(/^(.*)\n$/, "$1") : text;
}

const isCharacter = (key: string): boolean => /^[!-~]$/.test(keyCharacters(key) ?? "");

/** Ctrl-c, ctrl-\ and ctrl-u only end or drop something, as killing the terminal would. */
export const isStop = ({ input, command, key }: TerminalInput): boolean =>
  (input ?? command) === undefined && stops.has(keyCharacters(key ?? "") ?? "");

const stops: ReadonlySet<string> = new Set(["\x03", "\x1c", "\x15"]);

export function typingOf(given: TerminalInput, cursorKeysApplication: boolean): Expected<Keystrokes> {
  const { key, enter = true } = given;
  const text = textOf(given);
  if (text === undefined && key === undefined) return refuse('Give what to type as "input", or a "key".');
  if (text === undefined || (text === "" && key !== undefined))
    return keyOf(key ?? "", cursorKeysApplication);
  if (key !== undefined) return refuse('Give "input" or "key", not both: one call each.');
  if (text.length > mostCharacters)
    return refuse(`That is too long to be typed (over ${mostCharacters} characters); write it into a file.`);
  if (/(?![\n\t])\p{Cc}/u.test(text))
    return refuse('The input holds control characters; send keys by their names, as "key": "ctrl-c".');
  return { ok: true, value: { kind: "text", text, enter } };
}

function keyOf(name: string, cursorKeysApplication: boolean): Expected<Keystrokes> {
  const characters = keyCharacters(name, cursorKeysApplication);
  if (characters === undefined)
    return refuse(`There is no key ${JSON.stringify(name)}; known are ${keyNames} and others.`);
  if (isCharacter(name)) return { ok: true, value: { kind: "text", text: characters, enter: false } };
  return { ok: true, value: { kind: "key", name, characters } };
}
