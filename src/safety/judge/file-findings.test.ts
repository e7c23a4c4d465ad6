import { expect, test } from "vitest";
import type { Risk } from "../../protocol/facts.ts";
import { isUnknown, literal, unknown, type Word } from "../command-line/word.ts";
import type { Around } from "../dangers/program.ts";
import { type FileEffect, fileFinding } from "./file-findings.ts";
import { placeOf } from "./place.ts";

const here: Around = { home: "/home/dev", workspace: "/home/dev/proj", directory: "/home/dev/proj" };
const nowhere: Around = { ...here, directory: undefined };

/** In a path, `…` stands for a part known only at run time. */
function pathOf(text: string): Word {
  const word = literal(text.replaceAll("…", unknown));
  return { ...word, isPattern: /[*?]/u.test(text), mayBeSeveral: isUnknown(word) };
}

const tier = (effect: FileEffect, around = here): Risk =>
  fileFinding(effect, placeOf(effect.path.text, around))?.severity ?? "none";

test.each<[string, Risk]>([
  ["a.ts", "none"],
  ["~/notes.txt", "none"],
  ["/etc/hosts", "none"],
  [".env", "high"],
  ["~/.ssh/id_rsa", "high"],
  ["/dev/sda", "high"],
  ["/dev/tcp/x.example/80", "high"],
  ["/dev/tcp/localhost/80", "none"],
])("reading %s is %s", (path, expected) => {
  expect(tier({ type: "reads", path: pathOf(path) })).toBe(expected);
});

test.each<[string, Risk]>([
  ["a.ts", "none"],
  ["/tmp/a", "none"],
  ["/dev/null", "none"],
  [".env", "medium"],
  ["~/notes.txt", "high"],
  ["…/a", "high"],
  ["~/.bashrc", "critical"],
  ["~/.npmrc", "critical"],
  [".vscode/tasks.json", "critical"],
  ["/etc/hosts", "critical"],
  ["/dev/sda", "critical"],
  ["/proc/sys/kernel/core_pattern", "critical"],
  [".git/COMMIT_EDITMSG", "high"],
  ...[
    "hooks/pre-commit",
    "config",
    "info/attributes",
    "modules/x/config",
    "worktrees/x/gitdir",
    "commondir",
  ].map((name): [string, Risk] => [`.git/${name}`, "critical"]),
  ...["attributes", "gitdir", "objects/info/alternates"].map((name): [string, Risk] => [
    `.git/${name}`,
    "critical",
  ]),
])("writing %s is %s", (path, expected) => {
  for (const how of ["replaces", "appends", "edits", "creates"] as const)
    expect(tier({ type: "writes", path: pathOf(path), how })).toBe(expected);
});

/** Risk of deleting the path recursively, and as a single file or empty directory. */
test.each<[string, Risk, Risk]>([
  ["a.ts", "high", "medium"],
  ["dist", "medium", "none"],
  ["package-lock.json", "medium", "medium"],
  ["*.ts", "high", "high"],
  [".", "critical", "none"],
  ["..", "critical", "none"],
  [".git", "critical", "critical"],
  [".git/index.lock", "critical", "high"],
  ["/", "critical", "none"],
  ["/etc/hosts", "critical", "critical"],
  ["~", "critical", "none"],
  ["~/*", "critical", "critical"],
  ["~/Photos", "critical", "high"],
  ["~/Downloads", "critical", "high"],
  ["~/CacheOfPhotos", "critical", "high"],
  ["~/.cache", "high", "high"],
  ["~/.bashrc", "critical", "critical"],
  ["~/other/src", "high", "high"],
  ["/srv/www", "high", "high"],
  ["/tmp/a", "none", "none"],
  ["/tmp/*", "medium", "none"],
  ["/tmp", "critical", "none"],
  ["…/", "critical", "critical"],
  ["…/a", "high", "high"],
  ["/dev/null", "none", "none"],
])("deleting %s recursively is %s, not recursively %s", (path, deep, alone) => {
  const effect = { type: "deletes", path: pathOf(path) } as const;
  expect([tier({ ...effect, deep: true }), tier({ ...effect, deep: false })]).toEqual([deep, alone]);
});

test.each([".", "*", "./*", "./.*", "??*"])("in an unknown directory, deleting %s is critical", (path) => {
  expect(tier({ type: "deletes", path: pathOf(path), deep: true }, nowhere)).toBe("critical");
  expect(tier({ type: "deletes", path: pathOf("./dist"), deep: true }, nowhere)).toBe("high");
});

test.each<[string, Risk]>([
  ["a.ts", "none"],
  ["/tmp/a", "none"],
  ["…/a", "none"],
  ["/srv/www", "high"],
  ["~/.bashrc", "critical"],
  [".git", "critical"],
  ["~", "critical"],
  ["/etc", "critical"],
])("moving %s away is %s", (path, expected) => {
  expect(tier({ type: "deletes", path: pathOf(path), deep: true, moved: true })).toBe(expected);
});

test.each<[string, string, Risk]>([
  ["a.sh", "755", "none"],
  ["a.sh", "+x", "none"],
  ["a.sh", "777", "high"],
  ["a.sh", "o+w", "high"],
  ["a.sh", "4755", "critical"],
  ["a.sh", "u+s", "critical"],
  ["a.sh", "…", "high"],
  ["~/.ssh", "700", "none"],
  ["~/.ssh", "go-rwx", "none"],
  ["~/.ssh", "755", "high"],
  ["/srv/www", "755", "high"],
  ["/etc", "755", "critical"],
  [".", "000", "high"],
])("changing the mode of %s to %s is %s", (path, mode, expected) => {
  expect(tier({ type: "permits", path: pathOf(path), mode: pathOf(mode), deep: false })).toBe(expected);
});

test("a change of owner is at least high anywhere", () => {
  const effect = { type: "permits", path: pathOf("a.ts"), mode: undefined, deep: true } as const;
  expect(tier(effect)).toBe("high");
  expect(tier({ ...effect, path: pathOf("~") })).toBe("critical");
});
