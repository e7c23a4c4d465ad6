/** A real terminal for the built command: a tmux of its own, whose screen and scroll-back are read as a person sees them. */

import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished } from "vitest";
import type { Home } from "../support/command.ts";

export type TerminalSize = { columns: number; rows: number };

export type Tmux = {
  /** Keys as bytes. */
  type(text: string): Promise<void>;
  /** As the terminal pastes it, in brackets if the program has asked for them. */
  paste(text: string): Promise<void>;
  resize(size: TerminalSize): Promise<void>;
  /** The rows in sight, without colours. */
  screen: () => Promise<string>;
  /** The same with what has scrolled off; rows that the terminal has wrapped are joined. */
  all: () => Promise<string>;
  /** The rows in sight with their colours, as tmux writes them. */
  coloured: () => Promise<string>;
  /** Resolves when what is in sight has this. */
  shows(pattern: RegExp | string): Promise<void>;
  /** Resolves when all rows ever printed have this. */
  has(pattern: RegExp | string): Promise<void>;
  /** Resolves when what is in sight has this no longer. */
  hides(pattern: RegExp | string): Promise<void>;
  /** What tmux knows of the pane, by a format such as "#{cursor_x}". */
  told(format: string): Promise<string>;
  /** Resolves when the program has ended. */
  over(): Promise<void>;
};

const run = promisify(execFile);

/** Runs a program, the home's environment around it. */
export async function openTmux(
  home: Home,
  { columns, rows }: TerminalSize,
  program: readonly string[],
): Promise<Tmux> {
  const place = join(home.temporary, `tmux-${++opened}`);
  await writeFile(`${place}.conf`, settings);
  const tmux = async (...words: string[]): Promise<string> =>
    (await run("tmux", ["-u", "-S", place, "-f", `${place}.conf`, ...words], { env: ownEnvironment })).stdout;
  const close = (): Promise<void> => tmux("kill-server").then(ignored, ignored);
  onTestFinished(close);
  const variables = { ...home.env, LANG: "C.UTF-8", TERM: "tmux-256color" };
  const assigned = Object.entries(variables).map(([name, value]) => `${name}=${value}`);
  const command = ["env", "-i", ...assigned, ...program].map(quoted).join(" ");
  const size = ["-x", String(columns), "-y", String(rows)];
  await tmux("new-session", "-d", ...size, "-c", home.workspace, command);
  const capture = (...flags: string[]): Promise<string> => tmux("capture-pane", "-p", ...flags);
  const screen = (): Promise<string> => capture();
  const whole = (): Promise<string> => capture("-J", "-S", "-", "-E", "-");
  return {
    type: async (text) => void (await tmux("send-keys", "-H", ...hexOf(text))),
    async paste(text) {
      await writeFile(`${place}.paste`, text);
      await tmux("load-buffer", `${place}.paste`);
      await tmux("paste-buffer", "-p");
    },
    resize: async (size) =>
      void (await tmux("resize-window", "-x", String(size.columns), "-y", String(size.rows))),
    screen,
    all: whole,
    coloured: () => capture("-e"),
    shows: (pattern) => becomes(screen, pattern, true),
    has: (pattern) => becomes(whole, pattern, true),
    hides: (pattern) => becomes(screen, pattern, false),
    told: async (format) => (await tmux("display-message", "-p", format)).trimEnd(),
    over: () =>
      expect.poll(() => tmux("display-message", "-p", "#{pane_dead}"), { interval: 30 }).toBe("1\n"),
  };
}

/** Polls until what is read has the pattern, or no longer. */
async function becomes(
  read: () => Promise<string>,
  pattern: RegExp | string,
  expected: boolean,
): Promise<void> {
  let last = "";
  const look = async (): Promise<boolean> => has((last = await read()), pattern);
  const failed = (error: unknown): never => {
    throw new Error(`${expected ? "Never" : "Always"} there: ${String(pattern)}\n${last}`, {
      cause: error,
    });
  };
  await expect.poll(look, { interval: 30 }).toBe(expected).catch(failed);
}

const has = (text: string, pattern: RegExp | string): boolean =>
  typeof pattern === "string" ? text.includes(pattern) : pattern.test(text);

let opened = 0;

const settings = `
set -g status off
set -g history-limit 50000
set -g escape-time 0
set -g remain-on-exit on
set -g default-terminal tmux-256color
`;

/** Not that of the terminal, tmux perhaps, in which the tests run. */
const ownEnvironment = { PATH: process.env["PATH"], LANG: "C.UTF-8", SHELL: "/bin/sh" };

const ignored = (): void => undefined;

const quoted = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`;

const hexOf = (text: string): string[] =>
  [...Buffer.from(text)].map((byte) => byte.toString(16).padStart(2, "0"));
