import {
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { lookAtNames } from "./known-names.ts";

function place(): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "toolwright-names-")));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  return root;
}

test("what appears and what goes is seen by the next look, at any depth", () => {
  const root = place();
  const path = join(root, ".config", "gh", "hosts.yml");
  const mayExist = (): boolean => lookAtNames(root).mayExist(path);
  expect(mayExist()).toBe(false);
  mkdirSync(join(root, ".config", "gh"), { recursive: true });
  expect(mayExist()).toBe(false);
  writeFileSync(path, "");
  expect(mayExist()).toBe(true);
  unlinkSync(path);
  expect(mayExist()).toBe(false);
});

test("a link is followed to where it leads now", () => {
  const root = place();
  for (const name of ["one", "other"]) mkdirSync(join(root, name));
  writeFileSync(join(root, "other", "key"), "");
  symlinkSync("one", join(root, ".ssh"));
  expect(lookAtNames(root).mayExist(join(root, ".ssh", "key"))).toBe(false);
  unlinkSync(join(root, ".ssh"));
  symlinkSync("other", join(root, ".ssh"));
  expect(lookAtNames(root).mayExist(join(root, ".ssh", "key"))).toBe(true);
});

test("a name in other letters or another form may be the same file", () => {
  const root = place();
  for (const name of [".SSH", ".\u212Aube", ".aw\u017F", "u\u0308ber"]) writeFileSync(join(root, name), "");
  const { mayExist } = lookAtNames(root);
  expect([".ssh", ".kube", ".aws", "\u00FCber", ".gnupg"].map((name) => mayExist(join(root, name)))).toEqual([
    true,
    true,
    true,
    true,
    false,
  ]);
});

test("the root is looked into even if nothing lists it, and a file holds nothing", () => {
  const root = place();
  writeFileSync(join(root, "file"), "");
  const { mayExist, entriesIn } = lookAtNames(root);
  expect(mayExist(join(root, "file"))).toBe(true);
  expect(mayExist(join(root, "file", "below"))).toBe(false);
  expect(entriesIn(join(root, "file"))).toEqual([]);
  expect(mayExist("/etc/passwd")).toBe(true);
});

test("a directory that has not changed for a while is not read again", () => {
  const root = place();
  const settled = ["/usr", "/etc", "/"].find(
    (path) => lookAtNames(root).entriesIn(path) === lookAtNames(root).entriesIn(path),
  );
  expect(settled).toBeDefined();
});

test("what may not be listed may hold anything", () => {
  const root = place();
  const loop = join(root, "loop");
  symlinkSync("loop", loop);
  expect(lookAtNames(root).mayExist(join(loop, "key"))).toBe(true);
});
