/**
 * Decides when typing is refused. Input at a shell is judged as a command, so only whole commands may be typed there.
 */

import type { LiveTerminal } from "./live-terminal.ts";
import { stateInWords, type TerminalState } from "./state.ts";
import type { Keystrokes } from "./typing.ts";

export function refusalFor(
  typing: Keystrokes,
  state: TerminalState,
  terminal: LiveTerminal,
): string | undefined {
  const { name } = terminal;
  switch (state.is) {
    case "ended":
      return `Terminal ${name} has ${stateInWords(state)}: nothing can be typed. Start it again.`;
    case "password":
      return typing.kind === "key" ? undefined : nothing(`${stateInWords(state)}. ${forPassword}`);
    case "waiting":
      return typing.kind === "text" && state.byLine && hasLongLine(typing.text) ? tooLong : undefined;
    case "busy":
      return isBehind(state, terminal) && typing.kind === "text" ? busy(state) : undefined;
    case "prompt":
      return typing.kind === "key" ? keyAtShell(typing, terminal) : textAtShell(typing.text, state, terminal);
    default:
      return state satisfies never;
  }
}

const nothing = (because: string): string => `Nothing was typed: ${because}`;

const forPassword =
  'End it with "key": "ctrl-c", and tell the user which command they have to run in a shell of their own.';

/** Whether input would reach the shell once the running program is over. */
const isBehind = (state: TerminalState & { is: "busy" }, { line, screen }: LiveTerminal): boolean =>
  state.isKnown && line === undefined && !screen.isFullScreen;

const busy = ({ program = "a program" }: { program?: string | undefined }): string =>
  nothing(
    `${program} still runs and does not read. Wait for it, end it with "key": "ctrl-c", or start another terminal under a new name.`,
  );

/** The system silently drops anything longer. */
const longestLine = 4095;
const tooLong = nothing(
  `a terminal passes on no more than ${longestLine} bytes of a line. Put it into a file instead.`,
);

const hasLongLine = (text: string): boolean =>
  text.split("\n").some((line) => Buffer.byteLength(line) >= longestLine);

/** Keys that cannot turn written text into another command: enter, ctrl-c, d, l, q, s, u, z and \. */
const plainKeys: ReadonlySet<string> = new Set("\r\x03\x04\x0c\x11\x13\x15\x1a\x1c".split(""));

type KeyPress = Keystrokes & { kind: "key" };

function keyAtShell({ name, characters }: KeyPress, { left }: LiveTerminal): string | undefined {
  if (left === "foreign" && !dropping.has(characters)) return nothing(foreign);
  return plainKeys.has(characters)
    ? undefined
    : `At a shell write the whole command as "input" instead of using the key ${name}.`;
}

/** Ctrl-c and ctrl-u, which leave the line empty. */
const dropping: ReadonlySet<string> = new Set(["\x03", "\x15"]);

const foreign =
  'what was typed for another program may stand on the shell\'s line. Drop it with "key": "ctrl-u".';

type AtPrompt = TerminalState & { is: "prompt" };

function textAtShell(text: string, state: AtPrompt, { left, screen }: LiveTerminal): string | undefined {
  if (state.isOpen)
    return nothing(
      'the shell still waits for the end of an earlier command (an open quote or here-document). Give that up with "key": "ctrl-c", and write the whole command in one call.',
    );
  if (left === "own")
    return 'There is unfinished input on its line: send it with "key": "enter", or drop it with "key": "ctrl-u". Then write whole lines.';
  if (left === "foreign") return nothing(foreign);
  if (/(?<!\\)(?:\\\\)*\\$/.test(text))
    return nothing("it ends in a backslash, so that the next line would belong to it. Write it whole.");
  if (takesPastes(state, screen)) return undefined;
  if (/[\n\t]/.test(text))
    return nothing(
      "this shell takes one line at a time, without tabs. Write the lines into a file and run it.",
    );
  return state.byLine && hasLongLine(text) ? tooLong : undefined;
}

/** Pasted text is taken literally: it contains no control keys. */
export const takesPastes = (state: TerminalState, screen: LiveTerminal["screen"]): boolean =>
  screen.takesPastes && !("byLine" in state && state.byLine);
