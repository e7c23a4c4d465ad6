/** Which mounts hold files, and how a held place is recognised when something else stands there. */

import { renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { temporaryWorkspace } from "../../testing/workspace.ts";
import { heldMounts, heldPlaces, isAround, placesWithin } from "./held-places.ts";

async function place(files: Record<string, string>) {
  const workspace = await temporaryWorkspace(files);
  onTestFinished(() => workspace.remove());
  const { root } = workspace;
  const request = {
    workspace: root,
    directory: root,
    command: ["true"],
    env: {},
    home: "/h",
    stateDir: "/s",
  };
  const mountsOf = (held: string[], merged?: string) => {
    const { inside } = heldMounts(
      {
        ...request,
        profile: "build",
        unmasked: [],
        named: [],
        hosts: [],
        held: held.map((path) => join(root, path)),
      },
      merged,
    );
    return inside.map((mount) => `${mount.kind} ${mount.path.slice(root.length + 1)}`);
  };
  return { root, mountsOf };
}

test("a file is read-only, the directories above it can be written but not moved, and a missing file is left out", async () => {
  const { mountsOf } = await place({ "a/b/x.sh": "", "y.sh": "" });
  expect(mountsOf(["a/b/x.sh", "y.sh", "none/z.sh"])).toEqual([
    "writable a",
    "writable a/b",
    "readable y.sh",
    "readable a/b/x.sh",
  ]);
});

test("a directory that counts as a whole, or that holds a link to what counts, is read-only with everything in it", async () => {
  const { root, mountsOf } = await place({ "a/x.sh": "", "bin/y": "", "deep/z.sh": "" });
  symlinkSync("../deep/z.sh", join(root, "bin/z"));
  expect(mountsOf(["a/", "a/x.sh", "bin/z"])).toEqual([
    "readable a",
    "readable bin",
    "writable deep",
    "readable deep/z.sh",
  ]);
});

test("a link beside everything else cannot be held, which is known", async () => {
  const { root } = await place({ "a/x.sh": "" });
  symlinkSync("a/x.sh", join(root, "x"));
  const places = heldPlaces([join(root, "x")]);
  expect(places.filter((one) => isAround(one, { workspace: root })).map(({ path }) => path)).toEqual([root]);
  expect(placesWithin(places, { profile: "build", workspace: root }).map(({ as }) => as)).toEqual([
    "way",
    "file",
  ]);
});

test("links that lead in a circle end", async () => {
  const { root } = await place({});
  symlinkSync("b", join(root, "a"));
  symlinkSync("a", join(root, "b"));
  expect(heldPlaces([join(root, "a")]).some(({ as }) => as === "file")).toBe(false);
});

test("what replaces a file, or a directory above it, is another place", async () => {
  const { root } = await place({ "a/x.sh": "1", "b/x.sh": "1" });
  const identities = () => heldPlaces([join(root, "a/x.sh")]).map(({ identity }) => identity);
  const before = identities();
  writeFileSync(join(root, "a/x.sh"), "2");
  expect(identities()).toEqual(before);
  writeFileSync(join(root, "new"), "2");
  renameSync(join(root, "new"), join(root, "a/x.sh"));
  expect(identities().at(-1)).not.toBe(before.at(-1));
  rmSync(join(root, "a"), { recursive: true });
  renameSync(join(root, "b"), join(root, "a"));
  expect(identities().at(-2)).not.toBe(before.at(-2));
});
