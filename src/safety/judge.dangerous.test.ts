import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { Risk } from "../protocol/facts.ts";
import { judgeCommand } from "./judge.ts";
import { around } from "./testing/around.ts";

type Case = { id: string; cmd: string; expect: Risk; class: string; accept?: Risk[] };

const cases = readFileSync("test/fixtures/more-commands-dangerous.jsonl", "utf8")
  .trim()
  .split("\n")
  .map((line): Case => JSON.parse(line));

test("SAFETY 7: every dangerous command written without knowledge of the judge is in its tier", () => {
  const judged = cases.map((one) => ({ ...one, severity: judgeCommand(one.cmd, around).severity }));
  const wrong = judged.filter(
    ({ severity, expect: tier, accept }) => severity !== tier && !accept?.includes(severity),
  );
  expect(wrong.map(({ id, cmd, expect: tier, severity }) => `${id}: ${tier} → ${severity}: ${cmd}`)).toEqual(
    [],
  );
  expect(judged.length).toBeGreaterThan(2_290);
});

test("every class of danger has at least 40 samples", () => {
  const sizes = new Map<string, number>();
  for (const { class: name } of cases) sizes.set(name, (sizes.get(name) ?? 0) + 1);
  expect([...sizes.keys()].toSorted()).toEqual(
    [
      "container decode-exec disk-kernel env-prefix exfil find-action git-exec interpreter perms persistence process",
      "publish-remote quoting redirect-path rm-target separator substitution tool-exec unicode wrapper",
    ].flatMap((names) => names.split(" ")),
  );
  expect(Math.min(...sizes.values())).toBeGreaterThanOrEqual(40);
});
