/**
 * What tables of damaged patches share: the patch that they damage, and the check that each comes out right or is
 * refused.
 */

import { afterAll, afterEach, beforeEach, expect } from "vitest";
import { type Case, resultOf, verdictOn } from "../tools/patch/testing-patch.ts";
import { type TemporaryWorkspace, temporaryWorkspace } from "./workspace.ts";

export const abc = "a\nb\nc\n";
/** What `hunk` makes of the file `f` that holds `abc`. */
export const changed = { f: "a\nB\nc\n" };
export const hunk = [" a", "-b", "+B", " c"];

export const envelope = (...lines: string[]): string[] => ["*** Begin Patch", ...lines, "*** End Patch"];
export const update = envelope("*** Update File: f", "@@", ...hunk);

/** The check of one case in a workspace of its own; how many patches came to what is told after the last. */
export function patchCheck(about: string): (one: Case) => Promise<void> {
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
