/** /copy: the last answer into the clipboard, by the terminal itself (OSC 52) and by the system's program for it. */

import { spawn } from "node:child_process";
import { countOf } from "../../base/amounts.ts";
import { kib } from "../../base/bound.ts";
import type { EnvironmentVariables } from "../../base/environment-variables.ts";
import type { Talk } from "./talk.ts";

/** Terminals ignore longer ones. */
const mostByTerminal = 100 * kib;

export async function copy({ session, terminal, context }: Talk): Promise<void> {
  const text = session.state.turns.findLast(({ lastText }) => lastText !== "")?.lastText;
  if (text === undefined) return terminal.note("There is no answer yet.");
  const { shell } = context;
  if (!shell) return terminal.note("/copy needs a terminal.");
  const program = clipboardProgram(shell.terminal.env, process.platform);
  const isKept = program !== undefined && (await give(program, text, shell.terminal.env));
  const encoded = Buffer.from(text).toString("base64");
  const byTerminal = shell.terminal.outputIsTerminal && encoded.length <= mostByTerminal;
  if (byTerminal) shell.terminal.print(`\u001B]52;c;${encoded}\u0007`);
  if (isKept) return terminal.note(`Copied the last answer (${countOf(text.length, "character")}).`);
  if (byTerminal)
    return terminal.note(
      `Gave the last answer to the terminal to copy (${countOf(text.length, "character")}). If it does not allow that, install wl-copy or xclip.`,
    );
  return terminal.note(
    "The last answer is too long for the terminal to copy, and there is no clipboard program: install wl-copy or xclip, or use /export.",
  );
}

/** The program and its arguments. */
export function clipboardProgram(
  env: EnvironmentVariables,
  platform: NodeJS.Platform,
): readonly string[] | undefined {
  if (platform === "darwin") return ["pbcopy"];
  if (platform === "win32" || (env["WSL_DISTRO_NAME"] ?? "") !== "") return ["clip.exe"];
  if ((env["WAYLAND_DISPLAY"] ?? "") !== "") return ["wl-copy"];
  return (env["DISPLAY"] ?? "") === "" ? undefined : ["xclip", "-selection", "clipboard"];
}

/** Milliseconds. */
const mostTime = 2_000;

/** Whether the program took it. Its output is not read: some of them stay, to serve what was copied. */
function give(
  [program = "", ...words]: readonly string[],
  text: string,
  env: NodeJS.ProcessEnv,
): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(program, words, { env, stdio: ["pipe", "ignore", "ignore"], timeout: mostTime });
    child.on("error", () => resolve(false));
    child.on("exit", (code) => resolve(code === 0));
    child.stdin.on("error", () => undefined); // it ended early: its code tells
    child.stdin.end(text);
  });
}
