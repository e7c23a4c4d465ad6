/** The command in this process, in a place of its own with two workspaces: for the tests of stored sessions. */

import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { isObject } from "../../src/base/json.ts";
import { runCli } from "../../src/cli/main.ts";
import { databaseAt } from "../../src/session/testing/store-at.ts";
import { type TestTerminal, testTerminal } from "../../src/tui/testing/terminal.ts";
import { put } from "./command.ts";

type CommandOutcome = { code: number; out: string; err: string };

export type SessionPlace = {
  root: string;
  /** In the workspace, without a terminal. */
  run: (...args: string[]) => Promise<CommandOutcome>;
  runIn: (directory: string, ...args: string[]) => Promise<CommandOutcome>;
  /** With this text on standard input. */
  fed: (text: string, ...args: string[]) => Promise<CommandOutcome>;
  terminal: () => TestTerminal;
  /** Flags that name another store. */
  elsewhere: readonly string[];
};

export async function sessionPlace(
  files: Record<string, string> = {},
  more: Record<string, string> = {},
): Promise<SessionPlace> {
  const root = await realpath(await mkdtemp(join(tmpdir(), "toolwright-sessions-")));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  await put(join(root, "work"), { "a.txt": "one\n", ...files });
  await put(join(root, "other"), { "b.txt": "two\n" });
  const state = join(root, "state");
  const database = await databaseAt(join(state, "toolwright", "sessions.db"));
  const there = join(root, "there");
  const other = await databaseAt(join(there, "sessions.db"));
  const elsewhere = ["--state-dir", there, ...(other === undefined ? [] : ["--database", other])];
  const env = {
    HOME: root,
    PATH: process.env["PATH"] ?? "",
    XDG_STATE_HOME: state,
    ...(database === undefined ? {} : { TOOLWRIGHT_DATABASE: database }),
    ...more,
  };
  const runIn = (directory: string, ...args: string[]): Promise<CommandOutcome> =>
    outcome(testTerminal({ env, cwd: join(root, directory) }), args);
  const fed = (text: string, ...args: string[]): Promise<CommandOutcome> => {
    const terminal = testTerminal({ env, cwd: join(root, "work") });
    terminal.input.end(text);
    return outcome(terminal, args);
  };
  const terminal = () => testTerminal({ env, cwd: join(root, "work"), terminal: true });
  return { root, run: (...args) => runIn("work", ...args), runIn, fed, terminal, elsewhere };
}

async function outcome(terminal: TestTerminal, args: readonly string[]): Promise<CommandOutcome> {
  const code = await runCli([...args], terminal);
  return { code, out: terminal.printed(), err: terminal.reported() };
}

export const order = ["--offline-model", "--mode", "accept-edits", "-p"] as const;

export async function json(running: Promise<CommandOutcome>): Promise<Record<string, unknown>> {
  const { out, err } = await running;
  const value: unknown = JSON.parse(out);
  if (!isObject(value)) throw new Error(`Not an object: ${out}${err}`);
  return value;
}

export async function idsIn({ run }: SessionPlace, ...args: string[]): Promise<string[]> {
  const listed: { id: string }[] = JSON.parse((await run("sessions", ...args, "--output", "json")).out);
  return listed.map(({ id }) => id);
}

/** A session of two requests that changed the same file. */
export async function twoChanges(here: SessionPlace): Promise<string> {
  await here.run(...order, "replace one with two in a.txt");
  await here.run(...order.slice(0, 3), "--continue", "-p", "replace two with three in a.txt");
  const [id = ""] = await idsIn(here);
  return id;
}

export const said = (running: Promise<CommandOutcome>, code = 0): Promise<string> =>
  running.then((ran) => {
    expect({ code: ran.code, err: ran.err }).toEqual({ code, err: "" });
    return ran.out;
  });

export async function refused(running: Promise<CommandOutcome>, code: number): Promise<string> {
  const ran = await running;
  expect({ code: ran.code, out: ran.out }).toEqual({ code, out: "" });
  expect(ran.err).toMatch(/^toolwright: [^\n]+\n$/u);
  return ran.err;
}
