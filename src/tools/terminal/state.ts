/** A terminal's state (at its prompt, waiting for input, busy or over) and its wording. */

import { terminalModes, type TerminalModes } from "../../base/terminal/modes.ts";
import { isInteractiveShell, readerOf } from "../../base/terminal/reader.ts";
import type { LiveTerminal, TerminalEnd } from "./live-terminal.ts";

export type TerminalState =
  /** `isOpen`: it waits for the rest of a command. `byLine`: it reads whole lines. */
  | { is: "prompt"; pid: number; isOpen: boolean; byLine: boolean }
  /** `isGuess`: the system does not tell, but the last line looks like a question. */
  | { is: "waiting"; program?: string | undefined; isGuess: boolean; byLine: boolean }
  | { is: "password"; program?: string | undefined }
  /** `isKnown`: the system confirms that it is not reading. */
  | { is: "busy"; program?: string | undefined; isKnown: boolean }
  | { is: "ended"; end: TerminalEnd };

export async function stateOf(terminal: LiveTerminal): Promise<TerminalState> {
  if (terminal.end) return { is: "ended", end: terminal.end };
  const { pid, pty, screen } = terminal;
  if (pid === undefined || pty === undefined) return { is: "busy", isKnown: false };
  const reader = readerOf(pid, pty.device);
  const program = reader.name;
  if (reader.kind === "works") return { is: "busy", program, isKnown: true };
  const modes = await terminalModes(pty.descriptor());
  if (terminal.end) return { is: "ended", end: terminal.end };
  const line = screen.beforeCursor();
  const byLine = modes?.lines === true;
  if (reader.kind === "unknown") {
    const busy: TerminalState = { is: "busy", program, isKnown: false };
    if (!reader.sleeps) return busy;
    if (isHidden(modes)) return { is: "password", program };
    return looksLikePrompt(line) ? { is: "waiting", program, isGuess: true, byLine } : busy;
  }
  if (isHidden(modes)) return { is: "password", program };
  if (isInteractiveShell(reader) && (!byLine || /^(?:sh|d?ash)$/.test(reader.name)))
    return { is: "prompt", pid: reader.pid, isOpen: /^> *$/.test(line), byLine };
  if (modes?.echo === false && asksForSecret(line)) return { is: "password", program };
  return { is: "waiting", program, isGuess: false, byLine };
}

/** Line input without echo: used only for secrets. */
const isHidden = (modes: TerminalModes | undefined): boolean => modes?.lines === true && !modes.echo;

/** Programs that echo a star per character read character by character, as editors do. */
const asksForSecret = (line: string): boolean =>
  /\b(?:pass(?:word|phrase|code)|pin|secret|token|otp|code)\b.*[:?]\s*\**\s*$/i.test(line);

const looksLikePrompt = (line: string): boolean => /[$#%>:?)\]}»❯›]\s*$/.test(line);

export function stateInWords(state: TerminalState): string {
  switch (state.is) {
    case "prompt":
      return state.isOpen
        ? 'the shell waits for the rest of a command; give that up with "key": "ctrl-c"'
        : "at its prompt";
    case "waiting":
      return state.isGuess
        ? "it may wait for input (a guess, from its last line)"
        : `${state.program ?? "it"} waits for input`;
    case "password":
      return `${state.program ?? "it"} waits for a password; only a person may type it`;
    case "busy":
      return state.program === undefined ? "busy" : `busy (${state.program})`;
    case "ended":
      return endInWords(state.end);
    default:
      return state satisfies never;
  }
}

function endInWords({ exit, signal, isTold }: TerminalEnd): string {
  if (!isTold) return "killed, but the system never told its end";
  return exit === undefined ? `ended by ${signal ?? "a signal"}` : `ended, exit code ${exit}`;
}
