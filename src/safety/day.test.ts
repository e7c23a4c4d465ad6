import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { Grant, Mode } from "../protocol/facts.ts";
import { chosenHosts, mayReachChosen, type Remotes } from "./chosen-hosts.ts";
import { evaluatePolicy, type Decision, type Subject } from "./evaluate-policy.ts";
import { judgeCommand } from "./judge.ts";
import { around, holding, policy } from "./testing/judgements.ts";

type Entry = { id: string; cmd: string; work?: string; class?: string; expect?: string };

const entries = (name: string): Entry[] =>
  readFileSync(`test/fixtures/${name}.jsonl`, "utf8")
    .trim()
    .split("\n")
    .map((line): Entry => JSON.parse(line));

const remotes: Remotes = new Map([["origin", "https://github.com/acme/shop.git"]]);

/** Decides without rules, with a sandbox, in a project whose remote is on a forge. */
function decided(command: string, mode: Mode = "ask", grants: readonly Grant[] = []): Decision {
  const judgement = judgeCommand(command, { ...around, directory: around.workspace });
  const subject: Subject = { tool: "run_command", does: "execute", paths: [], command, judgement };
  const mayReach = mode === "auto" && mayReachChosen(subject, around, holding);
  const reaches = mayReach ? chosenHosts(judgement.requests ?? [], { remotes, added: [] }) : undefined;
  return evaluatePolicy(
    { ...subject, ...(reaches ? { reaches } : {}) },
    policy({ sandbox: holding, mode, grants }),
  );
}

/** The most questions before 300 ordinary commands run: pushes, containers, the network. */
test.each<[Mode, number]>([
  ["ask", 17],
  ["auto", 12],
])("a day's commands cause few prompts and no denial in the mode %s", (mode, mostQuestions) => {
  const day = entries("day").map((entry) => ({ ...entry, ...decided(entry.cmd, mode) }));
  const asked = day.filter(({ verdict }) => verdict !== "allow");
  console.log(`${asked.length} questions in ${day.length} commands`);
  for (const { work, verdict, cmd, because } of asked)
    console.log(`${work}: ${verdict}: ${cmd.split("\n")[0]} – ${because}`);
  expect(day).toHaveLength(300);
  expect(asked.filter(({ verdict }) => verdict !== "ask").map(({ cmd }) => cmd)).toEqual([]);
  expect(asked.length).toBeLessThanOrEqual(mostQuestions);
});

test.each<[Mode, number]>([
  ["ask", 10],
  ["auto", 9],
])("a person who answers for the session sees fewer in the mode %s", (mode, mostQuestions) => {
  const grants: Grant[] = [];
  const asked = entries("day").filter(({ cmd }) => {
    const { verdict, offer } = decided(cmd, mode, grants);
    if (offer?.covers && offer.scopes.includes("session")) grants.push(offer.covers);
    return verdict !== "allow";
  });
  console.log(`${asked.length} questions in a day, answered for the session`);
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
