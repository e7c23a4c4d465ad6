import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { scale } from "../testing/scale.ts";
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
  ["[ -f a ] || touch -rb c", ["f", "a", "]", "rb", "b", "c"]],
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
  "cp -r a b",
  "wc --files0-from=a",
  "exec 3<a",
  "echo a >{x}",
  "cat < /dev/tcp/127.0.0.1/80",
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

const name = fc.constantFrom("a", "b", "d/a", "d/b", "d", "d/e/a", "d/e", "l", "d/l");
const text = fc.constantFrom("1", "'x y'", '"two"', "a");
const simple = fc.oneof(
  fc.tuple(text, name).map(([words, to]) => `echo ${words} > ${to}`),
  fc.tuple(text, name).map(([words, to]) => `printf %s ${words} >> ${to}`),
  fc.tuple(name, name).map(([from, to]) => `cat ${from} > ${to}`),
  fc.tuple(name, name).map(([from, to]) => `cp -f ${from} ${to}`),
  fc.tuple(name, name).map(([from, to]) => `sort -u -o ${to} ${from}`),
  fc.tuple(name, name).map(([from, to]) => `head -n1 < ${from} | tee -a ${to}`),
  fc.tuple(fc.constantFrom("-f", "-d", "-s", "-x"), name).map(([is, at]) => `[ ${is} ${at} ]`),
  fc.tuple(name, name).map(([one, other]) => `test ${one} -ef ${other}`),
  fc.tuple(text, name).map(([words, at]) => `grep -c ${words} ${at}`),
  name.map((at) => `rm -rf ${at}`),
  name.map((at) => `mkdir -p ${at}`),
  name.map((at) => `truncate -s 1 ${at}`),
  name.map((at) => `cat <<'END' > ${at}\n$x\nEND\n`),
);
const joint = fc.constantFrom("; ", " && ", " || ");
const line = fc.array(fc.tuple(simple, joint), { minLength: 1, maxLength: 3 }).map((parts) =>
  parts
    .map(([part, joined], at) => (at === parts.length - 1 ? part : part.endsWith("\n") ? part : part + joined))
    .join(""),
);
const change = fc.oneof(
  name.map((at) => [at, `rm -rf ${at}; mkdir -p $(dirname ${at}); echo other > ${at}`] as const),
  name.map((at) => [at, `rm -rf ${at}`] as const),
  name.map((at) => [at, `rm -rf ${at}; mkdir -p ${at}`] as const),
  name.map((at) => [at, `[ -d ${at} ] || chmod +x ${at}`] as const),
);

const tree = "mkdir -p d/e; echo a > a; echo b > b; echo da > d/a; echo ea > d/e/a; ln -s ../b d/l";
/** Every path with its kind, mode and target, and every line of every file. */
const look = "find . -printf '%p:%y %m %l\\n'; grep -r '' .";
const next = "printf '\\n#\\n'";

/** What each of these scripts prints, each in the same new tree; the lines are sorted where they are of a tree. */
function inTree(...scripts: string[]): string[] {
  const all = scripts.map((script) => `{ ${script}\n} 2>/dev/null; ${next}`).join("\n");
  const { stdout } = spawnSync("bash", ["--noprofile", "--norc", "-c", all], { cwd: work, encoding: "utf8" });
  return stdout.split("\n#\n").map((printed) => printed.split("\n").sort().join("\n"));
}

const [work, kept] = [join(root, "work"), join(root, "kept")];
const fresh = `cd ${root} && rm -rf ${work} && mkdir ${work} && cd ${work} && { ${tree}; }`;

/** Every path that differs. */
function differing(before: string, after: string): string[] {
  const [old, now] = [before.split("\n"), after.split("\n")];
  const lines = [...old.filter((one) => !now.includes(one)), ...now.filter((one) => !old.includes(one))];
  return [...new Set(lines.map((one) => one.slice(2).split(":")[0] ?? ""))];
}

test("what changes somewhere else changes nothing of what a line does: random lines and changes, in bash", () => {
  mkdirSync(work);
  inTree(fresh);
  execFileSync("cp", ["-r", work, kept]);
  const place = { workspace: kept, directory: ".", environment: { PATH: "/usr/bin" } };
  let disjoint = 0;
  fc.assert(
    fc.property(line, change, (command, [at, made]) => {
      const files = namedFiles(command, place);
      const ran = `{ ${command}\n}; echo "=$?"`;
      const [, before = "", , changed = "", late, after, , early, , end] = inTree(
        ...[fresh, look, made, look, ran, look, fresh, ran, made, look],
      );
      const paths = [at, ...differing(before, changed)];
      if (!files || paths.some((path) => mayHaveSeen(files, path))) return;
      disjoint += 1;
      expect([early, end]).toEqual([late, after]);
    }),
    { numRuns: 60 * scale, seed: Number(process.env["TOOLWRIGHT_SEED"] ?? 7) },
  );
  expect(disjoint).toBeGreaterThan(5 * scale);
});
