/** Typing into a terminal. What is typed at a shell's prompt is judged as a command, so only whole lines are typed there. */
import type { Parsed } from "../../base/json.ts";
import { keyCharacters, keyNames } from "../../base/terminal/keys.ts";
import { failed, type Produced, type ToolRoom } from "../tool.ts";
import { findTerminal, type TerminalInput, untilFor, waitAndAnswer } from "./input.ts";
import type { LiveTerminal } from "./live-terminal.ts";
import { stateInWords, stateOf, type TerminalState } from "./state.ts";

const quietSeconds = 3;
const mostCharacters = 64 * 1024;

/** What a call would type, for those who judge it; undefined for a key that writes nothing. */
export function typedIn({ input, command, key }: TerminalInput): string | undefined {
  return input ?? command ?? (key !== undefined && isCharacter(key) ? key : undefined);
}

const isCharacter = (key: string): boolean => /^[!-~]$/.test(keyCharacters(key) ?? "");

export async function typeInTerminal(given: TerminalInput, room: ToolRoom): Promise<Produced> {
  const found = findTerminal(given, room);
  if (!found.ok) return failed(found.problem);
  const terminal = found.value;
  const until = untilFor(given, { settles: true, quietSeconds });
  if (!until.ok) return failed(until.problem);
  const typing = typingOf(given, terminal);
  if (!typing.ok) return failed(typing.problem);
  const state = await readyState(terminal);
  const refusal = refusalFor(typing.value, state, terminal);
  if (refusal !== undefined) return failed(refusal);
  if (!send(typing.value, state, terminal))
    return failed("Nothing was typed: it has not read what was typed before. Wait, or kill it.");
  return waitAndAnswer(terminal, { until: { ...until.value, wasTyped: true } }, room);
}

type Typing =
  | { kind: "text"; text: string; enter: boolean }
  | { kind: "key"; name: string; characters: string };

function typingOf(
  { input, command, key, enter = true }: TerminalInput,
  terminal: LiveTerminal,
): Parsed<Typing> {
  const text = (input ?? command)?.replaceAll("\r\n", "\n");
  if (text === undefined && key === undefined) return refuse('Give what to type as "input", or a "key".');
  if (text !== undefined && key !== undefined)
    return refuse('Give "input" or "key", not both: one call each.');
  if (text === undefined || (text === "" && key !== undefined)) return keyOf(key ?? "", terminal);
  if (text.length > mostCharacters)
    return refuse(`That is too long to be typed (over ${mostCharacters} characters); write it into a file.`);
  if (/(?![\n\t])\p{Cc}/u.test(text))
    return refuse('The input holds control characters; send keys by their names, as "key": "ctrl-c".');
  return { ok: true, value: { kind: "text", text, enter } };
}

const refuse = (problem: string): Parsed<never> => ({ ok: false, problem });

function keyOf(name: string, { screen }: LiveTerminal): Parsed<Typing> {
  const characters = keyCharacters(name, screen.cursorKeysApplication);
  if (characters === undefined)
    return {
      ok: false,
      problem: `There is no key ${JSON.stringify(name)}; known are ${keyNames} and others.`,
    };
  if (isCharacter(name)) return { ok: true, value: { kind: "text", text: characters, enter: false } };
  return { ok: true, value: { kind: "key", name, characters } };
}

const mostLooks = 5;

/** A program that draws all the time is seen working now and then although it reads what is typed. */
async function readyState(terminal: LiveTerminal): Promise<TerminalState> {
  let state = await stateOf(terminal);
  for (let looks = 1; looks < mostLooks && state.is === "busy" && terminal.screen.isFullScreen; looks++)
    state = await stateOf(terminal);
  return state;
}

function refusalFor(typing: Typing, state: TerminalState, terminal: LiveTerminal): string | undefined {
  const { name, line, unsent, screen } = terminal;
  if (state.is === "ended")
    return `Terminal ${name} has ${stateInWords(state)}: nothing can be typed. Start it again.`;
  if (state.is === "password")
    return typing.kind === "key"
      ? undefined
      : `Nothing was typed: ${stateInWords(state)}. Ask for that, or give it up with "key": "ctrl-c".`;
  if (typing.kind === "text" && state.is === "waiting" && state.byLine && hasLongLine(typing.text))
    return `Nothing was typed: a terminal passes on no more than ${longestLine} bytes of a line. Put it into a file instead.`;
  // What is typed while a program works goes to the shell when that is over.
  const goesToShell =
    state.is === "prompt" || (line === undefined && state.is === "busy" && !screen.isFullScreen);
  if (!goesToShell) return undefined;
  if (typing.kind === "key")
    return plainKeys.has(typing.characters)
      ? undefined
      : `At a shell write the whole command as "input" instead of using the key ${typing.name}.`;
  return unsent === ""
    ? undefined
    : 'There is unfinished input on its line: send it with "key": "enter", or drop it with "key": "ctrl-u". Then write whole lines.';
}

/** What comes after that is lost in the system, without a word. */
const longestLine = 4095;

const hasLongLine = (text: string): boolean =>
  text.split("\n").some((line) => Buffer.byteLength(line) >= longestLine);

/** Keys that cannot make another command of what was written: enter, ctrl-c, d, l, q, s, u, z and \. */
const plainKeys: ReadonlySet<string> = new Set([
  "\r",
  "\x03",
  "\x04",
  "\x0c",
  "\x11",
  "\x13",
  "\x15",
  "\x1a",
  "\x1c",
]);

/** Those after which nothing stands on the line: enter, ctrl-c and ctrl-u. */
const ending: ReadonlySet<string> = new Set(["\r", "\x03", "\x15"]);

/** False: so much waits already that nothing more is taken. */
function send(typing: Typing, state: TerminalState, terminal: LiveTerminal): boolean {
  terminal.echoes = [];
  if (typing.kind === "key") {
    if (ending.has(typing.characters)) terminal.unsent = "";
    return terminal.write(typing.characters);
  }
  const { text, enter } = typing;
  terminal.echoes = text.split("\n").filter((line) => line.trim() !== "");
  const isShell = state.is === "prompt" || state.is === "busy";
  terminal.unsent = isShell && !enter ? text : "";
  return terminal.write(`${charactersFor(text, terminal)}${enter ? "\r" : ""}`);
}

/** Pasted, several lines are one input, and a tab is a tab. */
function charactersFor(text: string, { screen }: LiveTerminal): string {
  const typed = text.replaceAll("\n", "\r");
  return screen.takesPastes && /[\n\t]/.test(text) ? `\x1b[200~${typed}\x1b[201~` : typed;
}
