import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { shellLine } from "./shell-line.ts";

/** An interactive shell has a history, in which it would look for what follows a `!`. */
async function printedBy(command: string): Promise<string> {
  const line = shellLine(command, "bash");
  if (!line.ok) return line.problem;
  expect(line.value).not.toMatch(/\p{Cc}/u);
  const { stdout } = await promisify(execFile)("bash", ["-c", `set -H\n${line.value}`]).catch(
    (error: { stdout: string }) => error,
  );
  return stdout;
}

test.each([
  ["a heredoc", "cat <<'END'\none\n  two $HOME\nEND", "one\n  two $HOME\n"],
  ["a loop", 'for one in a b\ndo\n  echo "$one"\ndone', "a\nb\n"],
  ["quotes, backslashes and history", `printf '%s|' "a'b" 'c"d' \\\\ '!!' "\\$x"`, `a'b|c"d|\\|!!|$x|`],
  [
    "tabs, carriage returns and other controls",
    "printf '%s' '\t\r\u0007' | od -An -c",
    String.raw`  \t  \r  \a`,
  ],
  ["other scripts", "echo 'grün 日本 🙂'", "grün 日本 🙂\n"],
  ["an open quote", "echo 'never closed", ""],
  ["an open heredoc", "cat <<END\nstill there", "still there\n"],
  ["a line that goes on", "echo on \\", "on \\\n"],
])("%s is one line for bash, which does not wait for more", async (_, command, printed) => {
  expect((await printedBy(command)).trimEnd()).toBe(printed.trimEnd());
});

test("a shell without such quotes gets single lines as they are, and several lines not at all", () => {
  expect(shellLine("npm test", "pwsh")).toEqual({ ok: true, value: "npm test" });
  expect(shellLine("one\ntwo", "pwsh")).toMatchObject({
    ok: false,
    problem: "The user's shell (pwsh) takes one line at a time: write the lines to a script and run that.",
  });
  expect(shellLine("one\ntwo", undefined)).toMatchObject({ ok: false });
});

test.each([" \n", "echo \0"])("%j is no command", (command) => {
  expect(shellLine(command, "bash").ok).toBe(false);
});
