/** What completion of the command line offers; test/completion.test.ts asks real shells. */

import fc from "fast-check";
import { expect, test } from "vitest";
import { commands } from "../../configuration/options/commands.ts";
import { testTerminal } from "../../tui/testing/terminal.ts";
import { runCli } from "../main.ts";
import { candidatesFor } from "./candidates.ts";
import { splitLine, withoutBreaks } from "./line.ts";

const name = (word: string) => async () => [{ word, help: "" }];
const names = { sessions: name("a1b2c3"), models: name("ollama/qwen3:8b"), providers: name("anthropic") };
const offered = async (...words: string[]) =>
  (await candidatesFor(words.slice(0, -1), words.at(-1) ?? "", names)).map(({ word }) => word);

test("the first word is a command, or help", async () => {
  expect(await offered("")).toEqual([...commands.map((one) => one.name), "help"]);
  expect(await offered("mo")).toEqual(["models"]);
  expect(await offered("--model", "x", "co")).toEqual(["config", "completion", "context"]);
  expect(await offered("help", "und")).toEqual(["undo"]);
  expect(await offered("say", "hel")).toEqual([]);
});

test.each([
  [
    ["--mode", "a"],
    ["ask", "accept-edits", "auto"],
  ],
  [["--mode=pl"], ["--mode=plan"]],
  [["-m", "oll"], ["ollama/qwen3:8b"]],
  [["--model", "ollama/qwen3:"], ["ollama/qwen3:8b"]],
  [["--resume", ""], ["a1b2c3"]],
  [["resume", ""], ["a1b2c3"]],
  [["sessions", "e"], ["export"]],
  [["sessions", "show", "a"], ["a1b2c3"]],
  [["sessions", "list", ""], []],
  [["login", "an"], ["anthropic"]],
  [
    ["config", ""],
    ["all", "get", "set", "unset", "path", "schema"],
  ],
  [
    ["config", "set", "mod"],
    ["model", "mode"],
  ],
  [
    ["config", "set", "onLimit", ""],
    ["stop", "ask", "extend"],
  ],
  [["config", "set", "model", ""], ["ollama/qwen3:8b"]],
  [
    ["lm-server", "keys", ""],
    ["list", "add", "revoke"],
  ],
  [
    ["completion", ""],
    ["bash", "zsh", "fish"],
  ],
  [["-C", "/tm"], []],
  [["-p", "fix "], []],
  [["--", "mo"], []],
  [["explain", "--", "--mo"], []],
])("behind %j comes %j", async (words, expected) => {
  expect(await offered(...words)).toEqual(expected);
});

test("options are those of the command, and none that was given already", async () => {
  expect(await offered("undo", "--h")).toEqual(["--hunk", "--help"]);
  expect(await offered("models", "--hu")).toEqual([]);
  expect(await offered("--ma")).toEqual(["--max-rounds", "--max-cost", "--max-tokens", "--max-minutes"]);
  expect(await offered("--max-cost", "1", "--max-c")).toEqual([]);
  expect(await offered("--allow", "x", "--all")).toEqual(["--allow"]);
  const [mode] = await candidatesFor(["--mode"], "plan", names);
  expect(mode).toEqual({ word: "plan", help: "only reads" });
});

test("a line is taken apart as a shell does, and bash gets only what it will replace", () => {
  expect(splitLine(`tw -p "a b" it\\'s 'c d`)).toEqual({
    before: ["tw", "-p", "a b", "it's"],
    current: "c d",
  });
  expect(splitLine("tw  ''  ")).toEqual({ before: ["tw", ""], current: "" });
  expect(withoutBreaks("--mode=plan", "--mode=p", " =:")).toBe("plan");
  expect(withoutBreaks("ollama/qwen3:8b", "ollama/qwen3:", " =:")).toBe("8b");
  expect(withoutBreaks("ollama/qwen3:8b", "ollama/qwen3:", " ")).toBe("ollama/qwen3:8b");
  fc.assert(fc.property(fc.string(), (line) => splitLine(line).before.length <= line.length));
});

test("whatever stands there, completing it does not fail", async () => {
  const word = fc.oneof(
    fc.string(),
    fc.constantFrom("--", "-", "--=", "--mode", "config", "set", "keys", "__proto__"),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(word, { maxLength: 5 }), async (words) => {
      for (const one of await offered(...words)) expect(one.startsWith(words.at(-1) ?? "")).toBe(true);
    }),
  );
});

test("a shell that is not known is refused", async () => {
  const terminal = testTerminal({ env: { HOME: "/nowhere" } });
  expect(await runCli(["completion", "tcsh"], terminal)).toBe(2);
  expect(terminal.reported()).toBe("toolwright: Which shell? toolwright completion bash|zsh|fish\n");
});
