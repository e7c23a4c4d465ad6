/** Tests /copy: by the terminal, and by the system's program for the clipboard. */

import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { scriptedModel } from "../../providers/scripted-model.ts";
import { testTerminal } from "../../tui/testing/terminal.ts";
import { testRuntime, testSettings } from "../testing/runtime.ts";
import { converseIn } from "./conversation.ts";
import { clipboardProgram } from "./copy-command.ts";
import { controlD, enter } from "./testing/conversation.ts";

async function copied(answer: string, env: Record<string, string>, mark: string): Promise<string> {
  const terminal = testTerminal({ terminal: true, env: { NO_COLOR: "1", TERM: "xterm", ...env } });
  const runtime = await testRuntime(scriptedModel([[{ say: answer }]]));
  const over = converseIn({ terminal, settings: testSettings() }, runtime, "");
  await terminal.until("> ");
  terminal.type(`/copy${enter}`);
  await terminal.until("There is no answer yet.");
  await terminal.until("> ");
  terminal.type(`Go${enter}`);
  await terminal.until("> ");
  terminal.type(`/copy${enter}`);
  await terminal.until(mark);
  terminal.type(controlD);
  await over;
  await runtime.close();
  return terminal.printed();
}

const osc52 = (text: string): string => `\u001B]52;c;${Buffer.from(text).toString("base64")}\u0007`;

test("the terminal is given the last answer, whatever characters it has", async () => {
  const answer = "Grüße, 世界\u001B[31m";
  const printed = await copied(answer, {}, "Gave the last answer to the terminal to copy");
  expect(printed).toContain(osc52(answer));
});

test("the system's program gets it as well, if there is one", async () => {
  const directory = await mkdtemp(join(tmpdir(), "toolwright-copy-"));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  const program = join(directory, "wl-copy");
  await writeFile(program, `#!/bin/sh\nexec cat >"${directory}/copied"\n`);
  await chmod(program, 0o755);
  const env = { WAYLAND_DISPLAY: "wayland-0", PATH: `${directory}:${process.env["PATH"] ?? ""}` };
  await copied("Hello\n there", env, "Copied the last answer (12 characters).");
  expect(await readFile(join(directory, "copied"), "utf8")).toBe("Hello\n there");
});

test("a program that is not installed, or an answer too long for the terminal, is told", async () => {
  await copied(
    "Hello",
    { DISPLAY: ":0", PATH: "/nowhere" },
    "If it does not allow that, install wl-copy or xclip.",
  );
  await copied(
    "x".repeat(200_000),
    {},
    "there is no clipboard program: install wl-copy or xclip, or use /export.",
  );
});

test.each([
  [{}, "darwin", ["pbcopy"]],
  [{}, "win32", ["clip.exe"]],
  [{ WSL_DISTRO_NAME: "Debian" }, "linux", ["clip.exe"]],
  [{ WAYLAND_DISPLAY: "w", DISPLAY: ":0" }, "linux", ["wl-copy"]],
  [{ DISPLAY: ":0" }, "linux", ["xclip", "-selection", "clipboard"]],
  [{}, "linux", undefined],
] as const)("of %j on %s the program is %j", (env, platform, program) => {
  expect(clipboardProgram(env, platform)).toEqual(program);
});
