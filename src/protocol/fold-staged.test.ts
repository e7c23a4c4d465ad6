import { expect, test } from "vitest";
import { factBounds } from "./bounds.ts";
import type { FactOf } from "./facts.ts";
import { stage, type StagedChanges, stagedForMs, usable, useUp } from "./fold-staged.ts";

const staged = (token: string, expiresAt = stagedForMs): FactOf<"change-staged"> => ({
  type: "change-staged",
  callId: `call of ${token}`,
  token,
  changes: [],
  expiresAt,
});

test("B8: a token is valid until it expires, for one use, and only in the session that issued it", () => {
  const all: StagedChanges = new Map();
  stage(all, staged("t"));
  expect(usable(all, "t", stagedForMs - 1)).toEqual({
    ok: true,
    staged: { callId: "call of t", changes: [], expiresAt: stagedForMs, used: false },
  });
  const problems = [usable(all, "t", stagedForMs), usable(all, "x".repeat(500), 0)];
  useUp(all, "t");
  useUp(all, "of nobody");
  expect([...problems, usable(all, "t", 0)]).toEqual([
    { ok: false, problem: expect.stringMatching(/^This token has expired: one holds for \d+ minutes\./u) },
    { ok: false, problem: expect.stringMatching(/^There is no staged change "x{80}" in this session\./u) },
    { ok: false, problem: expect.stringMatching(/^This token was used already/u) },
  ]);
});

test("beyond the limit, the oldest staged change is dropped", () => {
  const all: StagedChanges = new Map();
  for (let at = 0; at <= factBounds.stagedChanges.most; at += 1) stage(all, staged(`t${at}`));
  expect([all.size, all.has("t0"), all.has("t1")]).toEqual([factBounds.stagedChanges.most, false, true]);
});
