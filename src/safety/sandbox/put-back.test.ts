import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { namesIn, statusOf } from "../on-disk.ts";
import { guardWorkspace } from "./guard.ts";
import { keepPlaces, putBackKept } from "./put-back.ts";
import { indexWorkspace } from "./workspace-index.ts";

function kept() {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "toolwright-put-back-")));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const [workspace, stateDir, own] = [join(root, "workspace"), join(root, "state"), join(root, "state/own")];
  const settings = join(workspace, "sub/.gdbinit");
  for (const path of [join(workspace, "sub"), own]) mkdirSync(path, { recursive: true });
  writeFileSync(settings, "ours\n");
  const index = indexWorkspace(workspace);
  const found = index.look();
  const asked = { profile: "git", workspace, stateDir, home: root } as const;
  const guard = guardWorkspace(asked, { found, index, git: [] });
  const copies = keepPlaces(asked, { places: [settings], hidden: [], guard, own, others: [] });
  if (!copies.ok) throw new Error(copies.problem);
  return { root, workspace, stateDir, own, settings, copies: copies.value };
}

test("once put back, a kill while the copies are being removed makes the next start move nothing", () => {
  const { stateDir, own, settings, copies } = kept();
  writeFileSync(settings, "theirs\n");
  expect(copies.restore()).toEqual([expect.stringContaining("has been put back")]);
  rmSync(join(own, "kept", "0"));
  expect(putBackKept(dirname(own), "own.json", stateDir)).toEqual([]);
  expect(readFileSync(settings, "utf8")).toBe("ours\n");
});

test("what a killed process has left is put back where it was, not where a link leads", () => {
  const { root, workspace, stateDir, own, settings } = kept();
  mkdirSync(join(root, "home"));
  renameSync(join(workspace, "sub"), join(workspace, "was"));
  symlinkSync(join(root, "home"), join(workspace, "sub"));
  expect(putBackKept(dirname(own), "own.json", stateDir)).toEqual([
    expect.stringContaining("sub/.gdbinit, a protected place,"),
  ]);
  expect(readFileSync(settings, "utf8")).toBe("ours\n");
  expect(namesIn(join(root, "home"))).toEqual([]);
  expect(statusOf(join(workspace, "sub"))?.isDirectory()).toBe(true);
  expect(putBackKept(dirname(own), "own.json", stateDir)).toEqual([]);
});

test.each(["", "{", "null", '{"git":true,"workspace":"/","paths":["/etc"]}', "[".repeat(1 << 20)])(
  "a record that is damaged (%#) moves nothing and is told once",
  (text) => {
    const { stateDir, own, settings } = kept();
    writeFileSync(settings, "theirs\n");
    writeFileSync(`${own}.json`, text);
    expect(putBackKept(dirname(own), "own.json", stateDir)).toEqual([
      expect.stringContaining("Look for new files in .git"),
    ]);
    expect(putBackKept(dirname(own), "own.json", stateDir)).toEqual([]);
    expect(readFileSync(settings, "utf8")).toBe("theirs\n");
  },
);
