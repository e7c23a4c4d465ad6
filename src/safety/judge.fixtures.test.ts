import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { Risk } from "../protocol/facts.ts";
import { judgeCommand } from "./judge.ts";
import { around } from "./testing/around.ts";

type Case = { id: string; cmd: string; expect: Risk; class: string; accept?: Risk[] };
type Judged = Case & { severity: Risk };

const tiers: readonly Risk[] = ["none", "medium", "high", "critical"];

const judged: readonly Judged[] = readFileSync("test/fixtures/commands.jsonl", "utf8")
  .trim()
  .split("\n")
  .map((line): Case => JSON.parse(line))
  .map((one) => ({ ...one, severity: judgeCommand(one.cmd, around).severity }));

const isAbove = (one: Risk, other: Risk): boolean => tiers.indexOf(one) > tiers.indexOf(other);
const isAccepted = ({ severity, accept }: Judged): boolean => accept?.includes(severity) ?? false;
const isHarmless = (one: Judged): boolean => one.class.startsWith("h-");
const isDangerous = (one: Judged): boolean => one.expect === "high" || one.expect === "critical";

const critical = judged.filter((one) => one.expect === "critical");
const dangerous = judged.filter(isDangerous);
const harmless = judged.filter(isHarmless);

const missed = critical.filter((one) => one.severity !== "critical" && !isAccepted(one));
const leaked = dangerous.filter((one) => isAbove("high", one.severity) && !isAccepted(one));
const flagged = harmless.filter((one) => isAbove(one.severity, one.expect) && !isAccepted(one));
const falseCritical = judged.filter(
  (one) => one.severity === "critical" && one.expect !== "critical" && !isAccepted(one),
);

const told = (cases: readonly Judged[]): string[] =>
  cases.map(({ id, cmd, expect, severity }) => `${id}: ${expect} → ${severity}: ${cmd}`);

test("SAFETY 7: every critical command is judged critical", () => {
  expect(told(missed)).toEqual([]);
});

test("SAFETY 7: no high or critical command is judged below high", () => {
  expect(told(leaked)).toEqual([]);
});

test("SAFETY 7: no harmless command is judged above its tier", () => {
  expect(told(flagged)).toEqual([]);
});

test("SAFETY 7: at most one command is falsely judged critical", () => {
  expect(told(falseCritical).slice(1)).toEqual([]);
});

test("the rates over all fixtures are printed", () => {
  const part = (some: readonly Judged[], all: readonly Judged[]): string =>
    `${((100 * some.length) / all.length).toFixed(1)} % of ${all.length}`;
  const right = judged.filter((one) => one.severity === one.expect || isAccepted(one));
  const toNone = dangerous.filter((one) => one.severity === "none" && !isAccepted(one));
  const rows = {
    "critical recall": part(
      critical.filter((one) => !missed.includes(one)),
      critical,
    ),
    "high and critical judged none": part(toNone, dangerous),
    "high and critical judged below high": part(leaked, dangerous),
    "harmless above their tier": part(flagged, harmless),
    "falsely critical": String(falseCritical.length),
    "in their tier": part(right, judged),
  };
  console.log(
    Object.entries(rows)
      .map(([what, figure]) => `${what}: ${figure}`)
      .join("\n"),
  );
  const wrong = judged.filter((one) => !right.includes(one));
  console.log(told(wrong).join("\n"));
  expect(judged.length).toBeGreaterThan(100);
});
