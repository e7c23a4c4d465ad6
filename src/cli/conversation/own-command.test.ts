/** Tests `!command` on the screen: what it shows, what ends it, and whose keys are whose; on a real pseudo-terminal. */

import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { textOf } from "../../protocol/messages.ts";
import { stageScreen } from "./testing/screen-conversation.ts";

const enter = "\r";
const escape = "\u001B";
const controlC = "\u0003";
const controlD = "\u0004";
const controlU = "\u0015";
const controlX = "\u0018";

const env = { SHELL: "/bin/sh", PATH: process.env["PATH"] ?? "" };
const stage = (answers: string[] = [], size: { rows?: number; columns?: number } = {}) =>
  stageScreen(
    answers.map((say) => [{ say }]),
    { env, ...size },
  );

/** A file whose making lets a command go on. */
async function gate(): Promise<{ path: string; open: () => Promise<void> }> {
  const directory = await mkdtemp(join(tmpdir(), "own-command-"));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  const path = join(directory, "gate");
  return { path, open: () => writeFile(path, "") };
}
const waits = (path: string): string => `until [ -e ${path} ]; do sleep 0.05; done`;

test("what it prints is seen as it comes; what is typed stays in the draft, and nothing of it is lost", async () => {
  const { shows, type, over, runtime, screen } = await stage(["That is three."]);
  const { path, open } = await gate();
  await shows("ask ·");
  type(`!seq 1 3; ${waits(path)}; echo over${enter}`);
  await shows(/⠋ seq 1 3; until .*\n {4}│ 1\n {4}│ 2\n {4}│ 3\n/u);
  await shows("esc ends it");
  type("how many");
  await shows("> how many");
  await open();
  await shows("(exit code 0; goes to the model with your next message");
  await shows(/^ {2}1\n {2}2\n {2}3\n {2}over\n/mu);
  await shows(/^> how many\n─/mu);
  expect(screen.present().join("\n")).not.toContain("│ 3");
  type(` were they?${enter}`);
  await shows("That is three.");
  type(controlD);
  await over;
  const [turn] = runtime.session.state.turns;
  expect(textOf(turn?.request ?? [])).toContain("1\n2\n3\nover");
  expect(textOf(turn?.request ?? [])).toContain("how many were they?");
});

test("a message that is sent meanwhile is seen to wait, and is sent when the command is over", async () => {
  const { shows, hides, type, over } = await stage(["Then I go on."]);
  const { path, open } = await gate();
  await shows("ask ·");
  type(`!${waits(path)}${enter}`);
  await shows("esc ends it");
  type(`go on${enter}`);
  await shows(/» go on +when this is done/u);
  await open();
  await shows("Then I go on.");
  await hides("» go on");
  type(controlD);
  await over;
});

test.each([
  ["Esc", escape],
  ["Ctrl-C", controlC],
])("%s ends it as Ctrl-C does at a shell, and leaves the draft alone", async (_, key) => {
  const { shows, type, over } = await stage();
  await shows("ask ·");
  type(`!echo begun; exec sleep 1000${enter}`);
  await shows("│ begun");
  type("mine");
  await shows("> mine");
  type(key);
  await shows("(ended by SIGINT; goes to the model");
  await shows(/^> mine\n─/mu);
  type(controlU + controlD);
  expect(await over).toBe(0);
});

test("a command that ignores Ctrl-C is stopped by the second one", async () => {
  const { shows, hides, type, over } = await stage();
  await shows("ask ·");
  type(`!trap 'echo not yet' INT; echo begun; while :; do sleep 0.05; done${enter}`);
  await shows("│ begun");
  type(controlC);
  await shows("not yet");
  type(controlC);
  await shows("(ended by SIG");
  await hides("esc ends it");
  type(controlD);
  expect(await over).toBe(0);
});

test("lines that have scrolled off its own screen are in the scroll-back while it goes on, each once", async () => {
  const { shows, type, over, screen } = await stage([], { rows: 24 });
  const { path, open } = await gate();
  await shows("ask ·");
  type(`!seq 101 140; ${waits(path)}; echo over${enter}`);
  await shows(/^ {2}101\n {2}102\n[^]*^ {4}│ 140$/mu);
  await open();
  await shows("(exit code 0");
  type(controlD);
  await over;
  const numbers = screen.all().flatMap((row) => /^ {2}(1\d\d)$/u.exec(row)?.[1] ?? []);
  expect(numbers).toEqual(Array.from({ length: 40 }, (_, at) => String(101 + at)));
});

test("the keyboard can be handed to it, for a password or an answer", async () => {
  const { shows, type, over, terminal } = await stage();
  await shows("ask ·");
  type(`!echo "name?"; read -r name; echo "hello $name"${enter}`);
  await shows("│ name?");
  type(controlX);
  await shows(/^ {2}name\?$/mu);
  type(`Ada${enter}`);
  await terminal.until("hello Ada");
  await shows("(exit code 0; goes to the model");
  await shows(/^>\n─/mu);
  type(controlD);
  await over;
});

test("a program that fills the screen gets the terminal and the keys", async () => {
  const { shows, type, over, terminal, screen } = await stage([], { rows: 12 });
  await shows("ask ·");
  type(
    String.raw`!printf 'before\n\033[?1049h\033[1;4r\033[Hwhole screen'; read -r key; printf '\033[?1049l'; echo "got $key"${enter}`,
  );
  await terminal.until("\u001B[Hwhole screen");
  type(`x${enter}`);
  await terminal.until("got x\r\n");
  await shows("(exit code 0; goes to the model");
  await shows(/─\n>\n─+\n ask .*$/u); // though it has left a part of the screen that scrolls alone
  type(controlD);
  await over;
  expect(screen.all().filter((row) => row.trim() === "before")).toHaveLength(1);
});
