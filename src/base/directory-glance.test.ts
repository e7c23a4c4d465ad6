/** Tests that a directory is looked at again after its entries changed, and only then. */

import { existsSync, statSync } from "node:fs";
import { rename, rm, writeFile, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { temporaryWorkspace } from "../testing/workspace.ts";
import { directoryGlance } from "./directory-glance.ts";

/** A look for one name, counted, so long after the directory's last change. */
async function countedLook(afterMs = 60_000) {
  const workspace = await temporaryWorkspace({ "one/other.txt": "" });
  onTestFinished(() => workspace.remove());
  const directory = join(workspace.root, "one");
  let looks = 0;
  const glance = directoryGlance(
    (at) => {
      looks += 1;
      return existsSync(join(at, "AGENTS.md"));
    },
    () => (statSync(directory, { throwIfNoEntry: false })?.ctimeMs ?? 0) + afterMs,
  );
  return { directory, look: () => ({ found: glance(directory), looks }) };
}

test("an unchanged directory is looked at once; a name that comes or goes is seen", async () => {
  const { directory, look } = await countedLook();
  expect(look()).toEqual({ found: false, looks: 1 });
  await writeFile(join(directory, "other.txt"), "changed");
  expect(look()).toEqual({ found: false, looks: 1 });
  await writeFile(join(directory, "AGENTS.md"), "");
  expect(look()).toEqual({ found: true, looks: 2 });
  await rm(join(directory, "AGENTS.md"));
  expect(look()).toEqual({ found: false, looks: 3 });
});

test("a directory that changed just now is looked at each time, because a further change may not show", async () => {
  const { look } = await countedLook(1);
  expect(look().looks).toBe(1);
  expect(look().looks).toBe(2);
});

test("a directory that is replaced, removed or made is looked at again", async () => {
  const { directory, look } = await countedLook();
  look();
  await rename(directory, `${directory}-old`);
  expect(look()).toEqual({ found: false, looks: 2 });
  await mkdir(directory);
  await writeFile(join(directory, "AGENTS.md"), "");
  expect(look()).toEqual({ found: true, looks: 3 });
});
