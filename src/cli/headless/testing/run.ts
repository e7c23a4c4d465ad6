/** For tests of this folder: the command with real settings, in a throw-away home, and a scripted model. */

import { mkdtemp, readFile, rm, writeFile, mkdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { loadConfig } from "../../../configuration/config.ts";
import { parseArguments } from "../../../configuration/options/arguments.ts";
import type { Runtime } from "../../../runtime/runtime.ts";
import { testTerminal, type TestTerminal } from "../../../tui/testing/terminal.ts";
import { runHeadless } from "../headless.ts";

export type TestHome = {
  root: string;
  /** A path below the home; the workspace is "work". */
  path(name: string): string;
  put(name: string, text: string): Promise<void>;
  read(name: string): Promise<string>;
  run(
    argv: readonly string[],
    model: Runtime["model"],
    begun?: (terminal: TestTerminal) => unknown,
  ): Promise<{ code: number; out: string; err: string }>;
  remove(): Promise<void>;
};

export async function testHome(): Promise<TestHome> {
  const root = await mkdtemp(join(tmpdir(), "toolwright-headless-"));
  const path = (name: string): string => join(root, name);
  await mkdir(path("work"));
  return {
    root,
    path,
    put: async (name, text) => {
      await mkdir(dirname(path(name)), { recursive: true });
      await writeFile(path(name), text);
    },
    read: (name) => readFile(path(name), "utf8"),
    run: async (argv, model, begun) => {
      const env = { HOME: root, PATH: process.env["PATH"] ?? "" };
      const terminal = testTerminal({ env, cwd: path("work") });
      const parsed = parseArguments([...argv], env);
      if (!parsed.ok) throw new Error(parsed.problem);
      const settings = await loadConfig({ arguments: parsed.value, env, cwd: path("work") });
      if (!settings.ok) throw new Error(settings.problem);
      const running = runHeadless({ terminal, settings: settings.value, model, given: parsed.value.flags });
      await begun?.(terminal);
      return { code: await running, out: terminal.printed(), err: terminal.reported() };
    },
    remove: () => rm(root, { recursive: true, force: true }),
  };
}
