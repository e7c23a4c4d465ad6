/** Completion in real shells, of the built command. zsh and fish are tried where they are installed. */

import { execFileSync, spawnSync } from "node:child_process";
import { chmod, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { commandFile, newHome, put } from "./support/command.ts";

/** The command in PATH under both of its names, a server of one's own with a model, and the shell's script. */
async function shellPlace(shell: string) {
  const home = await newHome();
  const bin = join(home.root, "bin");
  await mkdir(bin);
  for (const name of ["toolwright", "tw"]) {
    await writeFile(join(bin, name), `#!/bin/sh\nexec '${process.execPath}' '${commandFile}' "$@"\n`);
    await chmod(join(bin, name), 0o755);
  }
  await put(join(home.root, "config", "toolwright"), {
    "config.json": '{ "providers": { "box": { "baseUrl": "http://127.0.0.1:9", "models": ["qwen3:8b"] } } }',
  });
  const env = { ...home.env, PATH: `${bin}:${home.env["PATH"] ?? ""}`, TERM: "dumb" };
  const script = execFileSync("toolwright", ["completion", shell], { env, encoding: "utf8" });
  await put(home.workspace, { script });
  return (program: string): string[] =>
    execFileSync(shell, ["-c", program], { env, cwd: home.workspace, encoding: "utf8" })
      .trimEnd()
      .split("\n");
}

/** Of the two that not every machine has. */
const isThere = (shell: "zsh" | "fish"): boolean => spawnSync(shell, ["-c", "true"]).status === 0;

test("bash offers commands, values behind = and models with a colon", async () => {
  const run = await shellPlace("bash");
  const complete = (line: string): string[] =>
    run(`. ./script
      COMP_WORDBREAKS=$' \\t\\n"\\'><=;|&(:'; COMP_LINE=${JSON.stringify(line)}; COMP_POINT=\${#COMP_LINE}
      complete -p tw >/dev/null && _toolwright toolwright && printf '%s\\n' "\${COMPREPLY[@]}"`);
  expect(complete("toolwright mod")).toEqual(["models"]);
  expect(complete("toolwright --mode=pl")).toEqual(["plan"]);
  expect(complete("tw --model box/qwen3:")).toEqual(["8b"]);
  expect(complete("toolwright config set onLimit ")).toEqual(["stop", "ask", "extend"]);
});

test.runIf(isThere("zsh"))("zsh offers them with what they mean", async () => {
  const run = await shellPlace("zsh");
  const complete = (...words: string[]): string[] =>
    run(`compdef() { :; }; _files() { echo files; }; _describe() { print -rl -- $found; }
      . ./script
      words=(toolwright ${words.map((word) => `'${word}'`).join(" ")}); CURRENT=\${#words}; PREFIX=$words[CURRENT]; _toolwright`);
  expect(complete("mod")).toEqual(["models:List the available models."]);
  expect(complete("--mode", "pl")).toEqual(["plan:only reads"]);
  expect(complete("--model", "box/")).toEqual(["box/qwen3\\:8b:box"]);
  expect(complete("-C", "x")).toEqual(["files"]);
});

test.runIf(isThere("fish"))("fish offers them with what they mean", async () => {
  const run = await shellPlace("fish");
  const complete = (line: string): string[] => run(`source script; complete -C '${line}'`);
  expect(complete("toolwright mod")).toEqual(["models\tList the available models."]);
  expect(complete("tw --mode pl")).toEqual(["plan\tonly reads"]);
  expect(complete("toolwright --mode=pl")).toEqual(["--mode=plan\tonly reads"]);
  expect(complete("toolwright --model box/")).toEqual(["box/qwen3:8b\tbox"]);
  expect(complete("toolwright ")).toContain("demo\tWatch a scripted model do a small task, offline.");
  expect(complete("toolwright -C scr")).toEqual(["script"]);
});
