import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { commandToGoOn } from "./again.ts";
import { parseArguments } from "./arguments.ts";

test("the command that goes on has the options of the one before, and a shell reads them as they were", () => {
  const flags = {
    prompt: "do it",
    attach: "a.txt",
    mode: "auto",
    cwd: "/some/dir with 'quotes' $HOME",
    maxRounds: 5,
    retryFor: 90_000,
    verbose: true,
    output: "json",
  } as const;
  const line = commandToGoOn(flags, "s-1");
  const argv = execFileSync("sh", ["-c", `toolwright() { printf '%s\\0' "$@"; }; ${line}`], {
    encoding: "utf8",
  });
  const { prompt: _, attach: __, ...same } = flags;
  expect(parseArguments(argv.split("\0").slice(0, -1), {})).toMatchObject({
    ok: true,
    value: { command: "chat", words: [], flags: { ...same, resume: "s-1", prompt: "Go on." } },
  });
});
