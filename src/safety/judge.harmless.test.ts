/**
 * Everyday commands of every ecosystem (test/fixtures/more-commands-harmless.jsonl): none may be judged above its
 * tier.
 */

import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { Risk } from "../protocol/facts.ts";
import { judgeCommand } from "./judge.ts";
import { around } from "./testing/around.ts";

type Case = { readonly cmd: string; readonly expect: Risk; readonly accept?: readonly Risk[] };

const cases = readFileSync("test/fixtures/more-commands-harmless.jsonl", "utf8")
  .trim()
  .split("\n")
  .map((line): Case => JSON.parse(line));

test("no harmless command is flagged above its tier (SAFETY 7: at most 2 %, and no false critical)", () => {
  const flagged = cases.flatMap(({ cmd, expect: tier, accept = [] }) => {
    const { severity, because } = judgeCommand(cmd, around);
    return severity === tier || accept.includes(severity) ? [] : [`${severity}: ${cmd} – ${because}`];
  });
  expect(flagged).toEqual([]);
});
