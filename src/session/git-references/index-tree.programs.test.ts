import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { scale } from "../../testing/scale.ts";
import { indexTree } from "./index-tree.ts";
import { gitPlace } from "./testing/git-place.ts";

function made(format = "sha1") {
  const { workspace: root, git, script } = gitPlace(`--object-format=${format}`);
  const put = (path: string, text: string): void => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  const index = (): Buffer => readFileSync(join(root, ".git/index"));
  const hash = "0".repeat(format === "sha1" ? 40 : 64);
  return { git, script, put, index, read: () => indexTree(index(), hash) };
}

const paths = ["a", "a.b/c", "a.b/d/e", "b/é/f", "b/é/g", "b.txt", "b-/x", "long/".repeat(60)].map((path) =>
  path.endsWith("/") ? `${path}end` : path,
);
const step = fc.oneof(
  fc.record({ put: fc.constantFrom(...paths), text: fc.constantFrom("1", "2") }),
  fc.record({ remove: fc.constantFrom(...paths) }),
  fc.constantFrom("commit" as const, "reset" as const, "version 4" as const, "version 2" as const),
);

function lineOf(one: string | { put: string; text: string } | { remove: string }): string {
  if (one === "commit") return "git commit -q --allow-empty -m more";
  if (one === "reset") return "git reset -q --hard";
  if (typeof one === "string") return `git update-index --index-version ${one.slice(-1)}`;
  if ("remove" in one) return `git rm -q --cached --ignore-unmatch '${one.remove}'`;
  return `mkdir -p "$(dirname '${one.put}')"; printf ${one.text} > '${one.put}'; git add '${one.put}'`;
}

test.each(["sha1", "sha256"])(
  "the tree of an index is the one that git writes of it, whatever was staged (%s)",
  { timeout: 600_000 },
  (format) => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 3, maxLength: 12 }), (steps) => {
        const { git, script, read } = made(format);
        script([
          "set -e",
          "git commit -q --allow-empty -m first",
          ": > start",
          "git add start",
          ...steps.map(lineOf),
        ]);
        const found = read();
        expect(found?.hash).toBe(git("write-tree").trim());
        expect(read()).toEqual({ hash: found?.hash, isWritten: true });
      }),
      { numRuns: 6 * scale },
    );
  },
);

test("git is asked where its file alone does not say it: a merge, an intent, a sparse, split or damaged index", () => {
  const { git, put, index, read } = made();
  put("a/b", "1");
  git("add", ".");
  git("commit", "-qm", "first");
  const whole = index();
  const zeros = "0".repeat(40);
  for (const length of [0, 11, 12, 40, 90, whole.length - 1])
    expect(indexTree(whole.subarray(0, length), zeros)).toBeUndefined();
  expect(indexTree(Buffer.from("no index at all, whatever it is called"), zeros)).toBeUndefined();
  put("c", "1");
  git("add", "-N", "c");
  expect(read()).toBeUndefined();
  git("rm", "-q", "--cached", "c");
  git("update-index", "--split-index");
  expect(read()).toBeUndefined();
  git("update-index", "--no-split-index");
  expect(read()).toBeDefined();
  git("checkout", "-qb", "side");
  put("a/b", "2");
  git("commit", "-qam", "side");
  git("checkout", "-q", "main");
  put("a/b", "3");
  git("commit", "-qam", "other");
  try {
    git("merge", "-q", "side");
  } catch {
    // It stops, as both have changed the file.
  }
  expect(read()).toBeUndefined();
});
