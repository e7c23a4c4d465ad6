/** Runs a command of the person in their own shell, on the lent terminal, and keeps what it showed. */

import { StringDecoder } from "node:string_decoder";
import type { Expected } from "../base/expected.ts";
import { type OpenPty, openPty, type Pty, type PtyEnd } from "../base/terminal/pty.ts";
import { TerminalScreen } from "../base/terminal/screen.ts";
import { tuiBounds } from "./bounds.ts";
import type { ProcessTerminal } from "./process-terminal.ts";

/** `shown`: the lines that stood on the screen in the end, without full-screen programs. */
export type OwnCommandEnd = PtyEnd & { shown: string };

type OwnCommandLine = { line: string; workspace: string };

/** The terminal must be lent. Ctrl-C and all other keys are the command's; nothing of it is sandboxed. */
export async function runOwnCommand(
  { line, workspace }: OwnCommandLine,
  terminal: ProcessTerminal,
  open: OpenPty = openPty,
): Promise<Expected<OwnCommandEnd>> {
  const size = { columns: terminal.columns(), rows: terminal.rows() };
  const screen = new TerminalScreen({ ...size, space: tuiBounds.ownOutput.most, answer: () => undefined });
  const decoder = new StringDecoder("utf8");
  const ended = Promise.withResolvers<PtyEnd>();
  const opened = await open({
    command: [terminal.env["SHELL"] || "/bin/sh", "-c", line],
    cwd: workspace,
    env: textsIn(terminal.env),
    ...size,
    onOutput: (bytes) => {
      screen.write(bytes);
      terminal.print(decoder.write(Buffer.from(bytes)));
    },
    onEnd: ended.resolve,
  });
  if (!opened.ok) return opened;
  const takeBack = connect(terminal, opened.value);
  try {
    const end = await ended.promise;
    if (screen.cursor.column > 1) terminal.print("\r\n");
    return { ok: true, value: { ...end, shown: screen.since(screen.first).join("\n").trimEnd() } };
  } finally {
    takeBack();
  }
}

/** What is typed goes to the command as it is. */
function connect(terminal: ProcessTerminal, pty: Pty): () => void {
  const input: NodeJS.ReadableStream & { setRawMode?: (raw: boolean) => unknown } = terminal.input;
  const typed = (chunk: string | Buffer): void => {
    pty.write(typeof chunk === "string" ? chunk : chunk.toString("utf8"));
  };
  const leaveSize = terminal.onResize(() => pty.resize(terminal.columns(), terminal.rows()));
  input.setRawMode?.(true);
  input.on("data", typed);
  input.resume();
  return () => {
    leaveSize();
    input.off("data", typed);
    input.pause();
    input.setRawMode?.(false);
  };
}

const textsIn = (env: NodeJS.ProcessEnv): Record<string, string> =>
  Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
