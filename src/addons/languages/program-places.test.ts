/** The directories that a server's programs need: those are exposed, and no more. */

import { chmod, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { programPlaces } from "./program-places.ts";

async function place(files: readonly string[]): Promise<string> {
  const root = await realpath(await mkdtemp(join(tmpdir(), "program-places-")));
  onTestFinished(() => rm(root, { recursive: true }));
  for (const file of files) {
    await mkdir(dirname(join(root, file)), { recursive: true });
    await writeFile(join(root, file), "");
    await chmod(join(root, file), 0o755);
  }
  return root;
}

test("an npm program needs its node_modules directory and the Node that runs it", async () => {
  const root = await place(["app/node_modules/server/bin/server.js", "node/bin/node"]);
  const link = join(root, "app/node_modules/.bin/server");
  await mkdir(dirname(link));
  await symlink("../server/bin/server.js", link);
  expect(programPlaces([link, "--stdio"], `relative:${root}/none:${root}/node/bin`)).toEqual([
    join(root, "app/node_modules"),
    join(root, "node/bin"),
  ]);
});

test("any other program needs its directory and that of its symlink target", async () => {
  const root = await place(["opt/server-1.2/gopls"]);
  await mkdir(join(root, "bin"));
  await symlink(join(root, "opt/server-1.2/gopls"), join(root, "bin/gopls"));
  expect(programPlaces([join(root, "bin/gopls")])).toEqual([join(root, "bin"), join(root, "opt/server-1.2")]);
});

test("arguments that are not existing files add no directories", () => {
  expect(programPlaces(["gopls", "/no/such/thing", "-x"])).toEqual([]);
});
