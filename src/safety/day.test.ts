import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { decide, type Decision } from "./decide.ts";
import { judgeCommand } from "./judge.ts";
import { around, holding, policy } from "./testing-judgements.ts";

type Entry = { id: string; cmd: string; work?: string; class?: string; expect?: string };

const entries = (name: string): Entry[] =>
  readFileSync(`test/fixtures/${name}.jsonl`, "utf8")
    .trim()
    .split("\n")
    .map((line): Entry => JSON.parse(line));

/** Decides without rules or grants, with a sandbox. */
function decided(command: string): Decision {
  const judgement = judgeCommand(command, { ...around, directory: around.workspace });
  return decide(
    { tool: "run_command", does: "execute", paths: [], command, judgement },
    policy({ sandbox: holding }),
  );
}

/** The maximum number of prompts for 300 ordinary commands: installs, pushes, containers, the network, lost work. */
const mostQuestions = 63;

test("a day's commands cause few prompts and no denial", () => {
  const day = entries("day").map((entry) => ({ ...entry, ...decided(entry.cmd) }));
  const asked = day.filter(({ verdict }) => verdict !== "allow");
  console.log(`${asked.length} questions in ${day.length} commands`);
  for (const { work, verdict, cmd, because } of asked)
    console.log(`${work}: ${verdict}: ${cmd.split("\n")[0]} – ${because}`);
  expect(day).toHaveLength(300);
  expect(asked.filter(({ verdict }) => verdict !== "ask").map(({ cmd }) => cmd)).toEqual([]);
  expect(asked.length).toBeLessThanOrEqual(mostQuestions);
});

test("SAFETY 7: 90 % of commands of the tier none and 85 % of all harmless ones run without a prompt", () => {
  const harmless = entries("commands").filter((entry) => entry.class?.startsWith("h-") === true);
  const shareOf = (some: readonly Entry[]): number =>
    some.filter(({ cmd }) => decided(cmd).verdict === "allow").length / some.length;
  const plain = harmless.filter((entry) => entry.expect === "none");
  console.log(
    `${(100 * shareOf(plain)).toFixed(1)} % of the tier none, ${(100 * shareOf(harmless)).toFixed(1)} % of all`,
  );
  const asked = harmless.filter(({ cmd }) => decided(cmd).verdict !== "allow");
  for (const { cmd } of asked) console.log(`  ${cmd} – ${decided(cmd).because}`);
  expect(shareOf(plain)).toBeGreaterThanOrEqual(0.9);
  expect(shareOf(harmless)).toBeGreaterThanOrEqual(0.85);
});
