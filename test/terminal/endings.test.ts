/** However the program leaves a terminal, that is as usable as before: its line settings, its modes, its cursor. */

/* eslint-disable no-control-regex -- control characters are what this is about */

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { openPty } from "../../src/base/terminal/pty.ts";
import { commandFile, type Home, newHome, put } from "../support/command.ts";

const interrupt = "\u0003";
const suspend = "\u001A";

/** Throws where nothing catches it when the process gets SIGUSR2. */
const crash = 'process.on("SIGUSR2", () => { throw new Error("Something broke."); });\n';

/** A shell on a terminal; the program is started by typing `program`. */
async function openShell() {
  const home = await newHome({ "notes.txt": "some notes\n" });
  await put(home.root, { "crash.cjs": crash });
  const program = `${process.execPath} --require ${join(home.root, "crash.cjs")} ${commandFile} --offline-model`;
  let printed = "";
  let check = (): void => undefined;
  const opened = await openPty({
    command: ["sh", "-i"],
    cwd: home.workspace,
    env: { ...home.env, TERM: "xterm-256color", LANG: "C.UTF-8", PS1: "shell> ", ENV: "" },
    columns: 100,
    rows: 30,
    onOutput(bytes) {
      printed += Buffer.from(bytes).toString();
      check();
    },
    onEnd: () => undefined,
  });
  if (!opened.ok) throw new Error(opened.problem);
  const pty = opened.value;
  onTestFinished(() => void process.kill(pty.pid, "SIGKILL"));
  const from = { at: 0 };
  const until = (words: RegExp): Promise<void> =>
    new Promise((resolve) => {
      check = () => {
        const text = stripVTControlCharacters(printed.slice(from.at));
        if (words.test(text)) resolve();
      };
      check();
    });
  /** Whatever is typed next is waited for from here on. */
  const type = (text: string): void => {
    from.at = printed.length;
    pty.write(text);
  };
  await until(/shell> $/u);
  const settings = async (): Promise<string> => {
    type("stty -g; echo told\r");
    await until(/told\r\nshell> $/u);
    return (
      /^[\da-f:]+$/mu.exec(stripVTControlCharacters(printed.slice(from.at)).replaceAll("\r", ""))?.[0] ?? ""
    );
  };
  const start = async (): Promise<number> => {
    type(`${program}\r`);
    await until(/\? keys/u);
    return processIn(home);
  };
  return { home, until, type, settings, start, modes: () => modesIn(printed) };
}

/** The one process that was given our flag. */
function processIn({ root }: Home): number {
  const own = join(root, "crash.cjs");
  const isOwn = (name: string): boolean => {
    try {
      return readFileSync(`/proc/${name}/cmdline`, "utf8").split("\0").includes(own);
    } catch {
      return false; // gone
    }
  };
  return Number(readdirSync("/proc").find((name) => /^\d+$/u.test(name) && isOwn(name)));
}

/** What a terminal that has read this is set to. */
function modesIn(printed: string) {
  const modes: Record<string, boolean> = {};
  for (const [, mode = "", on] of printed.matchAll(/\u001B\[\?(\d+)([hl])/gu)) modes[mode] = on === "h";
  const pushed = printed.split("\u001B[>1u").length - printed.split("\u001B[<u").length;
  const others = [...printed.matchAll(/\u001B\[>4;(\d)m/gu)].at(-1)?.[1];
  return { ...modes, pushed, others };
}

/** Bracketed pastes, focus, synchronised output and the other screen off; the cursor on. */
const usual = { 25: true, 2004: false, 1004: false, 2026: false, pushed: 0, others: "0" };

test.each(["SIGTERM", "SIGHUP", "SIGUSR2"] as const)(
  "%s gives the terminal back as it was",
  async (signal) => {
    const { until, type, settings, start, modes } = await openShell();
    const before = await settings();
    const pid = await start();
    type("a draft");
    await until(/a draft/u);
    expect(modes()).toMatchObject({ 2004: true, 1004: true, pushed: 1 });
    process.kill(pid, signal);
    await until(/shell> $/u);
    if (signal === "SIGUSR2") await until(/Something broke\./u);
    expect(modes()).toEqual(usual);
    expect(await settings()).toBe(before);
  },
);

test("Ctrl-C twice gives the terminal back as it was", async () => {
  const { until, type, settings, start, modes } = await openShell();
  const before = await settings();
  await start();
  type(interrupt);
  await until(/again/iu);
  type(interrupt);
  await until(/shell> $/u);
  expect(modes()).toEqual(usual);
  expect(await settings()).toBe(before);
});

test("Ctrl-Z lends the terminal to the shell as it was, and fg brings the screen back with its draft", async () => {
  const { until, type, settings, start, modes } = await openShell();
  const before = await settings();
  await start();
  type("a draft");
  await until(/a draft/u);
  type(suspend);
  await until(/shell> $/u);
  expect(modes()).toEqual(usual);
  expect(await settings()).toBe(before);
  type("fg\r");
  await until(/> a draft[^]*keys/u);
  expect(modes()).toMatchObject({ 2004: true, 1004: true, pushed: 1 });
  type(`${interrupt}${interrupt}${interrupt}`);
  await until(/shell> $/u);
  expect(modes()).toEqual(usual);
  expect(await settings()).toBe(before);
});

test("with another program's screen before it, a signal gives the main screen back", async () => {
  const { until, type, settings, start, modes } = await openShell();
  const before = await settings();
  const pid = await start();
  type("?");
  await until(/q back/u);
  process.kill(pid, "SIGTERM");
  await until(/shell> $/u);
  expect(modes()).toEqual({ ...usual, 1049: false });
  expect(await settings()).toBe(before);
});
