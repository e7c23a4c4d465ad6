import { access, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { carryWalkthrough, picturesIn } from "./walkthrough.ts";

const folder = join(import.meta.dirname, "..");

test("the packaged walkthrough has every picture of the README, beside its texts, in each language", async () => {
  const target = await mkdtemp(join(tmpdir(), "toolwright-walkthrough-"));
  onTestFinished(() => rm(target, { recursive: true }));
  await carryWalkthrough(join(folder, "walkthrough"), target);
  const names = await readdir(target);
  const shown = { own: new Set<string>(), de: new Set<string>() };
  for (const name of names.filter((one) => one.endsWith(".md"))) {
    for (const path of picturesIn(await readFile(join(target, name), "utf8"))) {
      expect(path).toMatch(/^[\w-]+\.png$/u);
      await access(join(target, path));
      shown[name.endsWith(".de.md") ? "de" : "own"].add(path);
    }
  }
  const readme = picturesIn(await readFile(join(folder, "README.md"), "utf8"));
  const wanted = new Set(readme.map((path) => path.replace(/^.*\//u, "")));
  expect(shown).toEqual({ own: wanted, de: wanted });
  expect(names.filter((name) => name.endsWith(".png")).toSorted()).toEqual([...wanted].toSorted());
});
