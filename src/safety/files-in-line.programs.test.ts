import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { namedFiles } from "./files-in-line.ts";
import { mayHaveSeen, mayMeet } from "./named-files.ts";

const root = mkdtempSync(join(tmpdir(), "toolwright-named-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const named = (line: string, { directory = ".", PATH = "/usr/bin", ...env }: Record<string, string> = {}) =>
  namedFiles(line, { workspace: root, directory, environment: { PATH, ...env } });

test.each([
  ["sleep 1; echo 3 > out-3", ["out-3"]],
  ["cat <<'EOF' > a/b.txt && wc -l < a/b.txt 2>/dev/null\n$x\nEOF", ["a/b.txt", "a/b.txt", "l"]],
  ["echo '$x' \"two words\" | tee -a log >&2", ["a", "log"]],
  ["cp a.txt docs", ["a.txt", "docs", "docs/a.txt", "docs/docs"]],
  [`cat ${root}/c`, ["c"]],
  ["[ -f a ] || head -n5 -- b", ["f", "a", "]", "n5", "5", "-", "b"]],
  ["true", []],
])("the files of a line: %s", (line, paths) => {
  expect(named(line)?.paths).toEqual(paths?.filter((path) => path !== ""));
});

test.each([
  "npm test",
  "cat *.txt",
  "cat $x",
  "cat ~/a",
  "cat a{b,c}",
  "cat ../a",
  "cat /etc/passwd",
  "cat .git/config",
  "echo $(cat a)",
  "echo `cat a`",
  "cat <<EOF\n$(cat a)\nEOF",
  "x=1 cat a",
  "[[ -f a ]]",
  "test -v 'a[$(cat b)]'",
  "printf -v 'a[$(cat b)]' c",
  "for x in a b; do cat $x; done",
  "cat a &",
  "cd a && cat b",
  "grep -r a",
  "touch a",
  "date +%s > a",
  "printf '%(%s)T' -1 > a",
  "[ a -nt b ]",
  "date --ref=a",
  "cp -r a b",
  "wc --files0-from=a",
  "exec 3<a",
  "echo a >{x}",
  "cat < /dev/tcp/127.0.0.1/80",
  `head -n${"1".repeat(60_000)} a`,
  `cat ${"a ".repeat(300)}`,
])("nothing is known of a line that may see more than it names: %s", (line) => {
  expect(named(line)).toBeUndefined();
});

test("what steers every program counts, and so does a program of the workspace", () => {
  expect(named("cat a", { LD_PRELOAD: "a.so" })).toBeUndefined();
  expect(named("cat a", { BASH_ENV: "a" })).toBeUndefined();
  expect(named("cat a", { PATH: `/usr/bin:${root}/bin:` })?.paths).toEqual(["a", "bin", ""]);
});

test("a link leads where no word says", () => {
  execFileSync("/bin/sh", ["-c", "mkdir d && ln -s ../b d/a"], { cwd: root });
  expect(named("cat d/a")).toBeUndefined();
  expect(named("cp a d")).toBeUndefined();
  expect(named("cat a", { directory: "d/a" })).toBeUndefined();
  expect(named("cat x", { directory: "d" })).toEqual({ directory: "d", paths: ["d/x"] });
  rmSync(join(root, "d"), { recursive: true });
});

test("what lies above, in and at a name may have been seen, and nothing beside it", () => {
  const seen = { directory: "src", paths: ["src/a/b"] };
  const asked = ["src", "src/a", "src/a/b", "src/a/b/c", "src/a/c", "src/ab", "a/b", ""];
  expect(asked.filter((path) => mayHaveSeen(seen, path))).toEqual([
    "src",
    "src/a",
    "src/a/b",
    "src/a/b/c",
    "",
  ]);
  expect(mayMeet(seen, { directory: "", paths: ["src/c"] })).toBe(false);
  expect(mayMeet(seen, { directory: "", paths: ["src/a"] })).toBe(true);
});
