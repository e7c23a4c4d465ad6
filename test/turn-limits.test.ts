/** Limits and completion on the command line: the output, the stored facts and the exit code. */

import { expect, test } from "vitest";
import { scriptedModel, type ModelScript } from "../src/providers/scripted-model.ts";
import { newHome, put, runCommand } from "./support/command.ts";
import { lead, ollamaRoad, serve } from "./support/roads.ts";
import { lastEnd, wholeSession } from "./support/whole-log.ts";

const files = Object.fromEntries(Array.from({ length: 12 }, (_, at) => [`${at}.txt`, `${at}\n`]));
/** Reads another file in each round, for this many rounds. */
const reads =
  (rounds: number): ModelScript =>
  (_, round) =>
    round <= rounds
      ? [
          { call: "read_file", with: { path: `${round}.txt` } },
          { usage: { inputTokens: 900, outputTokens: 100 } },
        ]
      : [{ say: "I have read them." }];

async function run(script: ModelScript, flags: readonly string[], config?: object) {
  const home = await newHome(files);
  if (config) await put(home.root, { "config/toolwright/config.jsonc": JSON.stringify(config) });
  const model = scriptedModel(script);
  const server = await serve(model);
  const request = flags.includes("-p") ? [] : ["-p", "Read on."];
  const ended = await runCommand(home, [...lead(home, ollamaRoad, server.url), ...flags, ...request]);
  return { ended, model, entries: await wholeSession(home.stateDir) };
}

test("D11: without a person a limit stops the run; --on-limit extend continues and records it", async () => {
  const asks = await run(reads(7), ["--max-rounds", "5"]);
  expect(asks.ended.code).toBe(4);
  expect(asks.ended.stderr).toMatch(/^Stopped: the limit of 5 rounds was reached\. What was done:$/mu);
  const extends_ = await run(reads(7), ["--max-rounds", "5", "--on-limit", "extend"]);
  expect(extends_.ended).toMatchObject({ code: 0, stdout: "I have read them.\n" });
  expect(extends_.entries.filter(({ type }) => type === "limit-answered")).toMatchObject([
    { limit: "rounds", answer: "extend", most: 8, by: "toolwright" },
  ]);
});

test("a token limit ends the run with exit code 4, from the flag or the configuration", async () => {
  for (const [flags, config] of [
    [["--max-tokens", "3000"], undefined],
    [[], { maxTokens: 3000 }],
  ] as const) {
    const { ended, entries } = await run(reads(11), flags, config);
    expect(ended.code).toBe(4);
    expect(ended.stderr).toMatch(
      /^Stopped: the limit of 3,000 tokens was reached \(used: 3,000 tokens\)\. What was done:$/mu,
    );
    expect(lastEnd(entries)).toMatchObject({ stopped: "limit" });
  }
});

test("A12: a model that only claims to have written is corrected, and the turn's end says that nothing was written", async () => {
  const { ended, model, entries } = await run(
    () => [{ say: "I have created it. [TASK_COMPLETE]" }],
    ["-p", "Create hello.txt"],
  );
  expect(model.prompts).toHaveLength(3);
  expect(ended.stdout + ended.stderr).not.toContain("TASK_COMPLETE");
  expect(lastEnd(entries)).toMatchObject({
    stopped: "done",
    because: "nothing was written, although the request asks for changes",
  });
});

test("A11: with --completion marker a model goes on until it sends the marker", async () => {
  const script: ModelScript = [
    [{ say: "I will read 1.txt." }],
    [{ call: "read_file", with: { path: "1.txt" } }],
    [{ say: "It says 1. [TASK_COMPLETE]" }],
  ];
  const { ended, model } = await run(script, ["--completion", "marker"]);
  expect(ended.code, ended.stderr).toBe(0);
  expect(ended.stdout).toContain("It says 1.");
  expect(ended.stdout).not.toContain("TASK_COMPLETE");
  expect(model.prompts).toHaveLength(3);
});
