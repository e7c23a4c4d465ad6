/**
 * Helpers for the tables of damaged patches: the patch to damage, and the check that each is applied correctly or
 * refused.
 */

import { afterAll, afterEach, beforeEach, expect } from "vitest";
import { type PatchCase, resultOf, verdictOn } from "../tools/patch/testing/patch.ts";
import { type TemporaryWorkspace, temporaryWorkspace } from "./workspace.ts";

export const abc = "a\nb\nc\n";
/** The result of applying `hunk` to the file `f` that contains `abc`. */
export const changed = { f: "a\nB\nc\n" };
export const hunk = [" a", "-b", "+B", " c"];

export const envelope = (...lines: string[]): string[] => ["*** Begin Patch", ...lines, "*** End Patch"];
export const update = envelope("*** Update File: f", "@@", ...hunk);

/**
 * Returns the check of one case, run in its own workspace; after the last case it prints how many patches were applied.
 */
export function patchCheck(about: string): (one: PatchCase) => Promise<void> {
  let workspace: TemporaryWorkspace;
  beforeEach(async () => void (workspace = await temporaryWorkspace({})));
  afterEach(() => workspace.remove());

  const figure = { right: 0, refused: 0, wrong: 0 };
  afterAll(() => {
    const { right, refused, wrong } = figure;
    process.stdout.write(`${about}: ${right} applied rightly, ${refused} refused, ${wrong} silently wrong\n`);
  });

  return async (one) => {
    const { got, wanted, words } = await resultOf(one, workspace.root);
    figure[verdictOn(got, wanted)]++;
    expect(got, words).toEqual(wanted);
  };
}
