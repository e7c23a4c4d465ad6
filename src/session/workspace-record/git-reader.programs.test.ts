import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { gitReader } from "./git-reader.ts";
import {
  bash,
  commitAll,
  git,
  inShort,
  makeOld,
  makePlace,
  plainEnv,
  throughCommand,
  write,
} from "./testing/record.ts";

const onlyGit = { caps: { otherBytes: 0, otherFiles: 0 } };

/** Writes programs that leave a trace when run. */
function traps(root: string): { trap: (name: string) => string; sprung: () => string[] } {
  const traces = join(root, "traces");
  mkdirSync(traces);
  return {
    trap(name) {
      const path = join(root, `trap-${name}`);
      writeFileSync(path, `#!/bin/sh\ntouch ${traces}/${name}\ncat\n`);
      chmodSync(path, 0o755);
      return path;
    },
    sprung: () => readdirSync(traces),
  };
}

test("no program named by a repository, its attributes or the environment is run (SAFETY 2.4)", async () => {
  using outside = makePlace();
  const { trap, sprung } = traps(outside.root);
  using place = makePlace({ "a.ts": "a\n", "b.txt": "b\n", "c.md": "c\n" });
  commitAll(place.root);
  const settings = {
    "core.fsmonitor": trap("fsmonitor"),
    "filter.evil.clean": trap("clean"),
    "filter.evil.smudge": trap("smudge"),
    "filter.evil.process": trap("process"),
    "filter.evil.required": "true",
    "diff.external": trap("diff"),
    "diff.evil.textconv": trap("textconv"),
    "core.pager": trap("pager"),
    "core.hooksPath": join(outside.root),
    "core.sshCommand": trap("ssh"),
    "core.askPass": trap("askpass"),
    "remote.origin.url": "ssh://host/x",
    "remote.origin.promisor": "true",
    "remote.origin.partialclonefilter": "blob:none",
    "extensions.partialClone": "origin",
    "remote.evil.url": `ext::${trap("ext")}`,
    "protocol.allow": "always",
    "protocol.ssh.allow": "always",
    "protocol.ext.allow": "always",
    "alias.ls-files": `!${trap("alias")}`,
  };
  for (const [key, value] of Object.entries(settings)) git(place.root, "config", key, value);
  git(place.root, "config", "core.repositoryFormatVersion", "1");
  write(place.root, {
    ".gitattributes": "*.txt filter=evil diff=evil\n",
    "b.txt": "changed\n",
    "program/git": "",
  });
  writeFileSync(join(place.root, "program/git"), readFileSync(trap("git")), { mode: 0o755 });
  rmSync(join(place.root, ".git/objects", readObject(place.root, "c.md")));
  const hostile = {
    ...plainEnv,
    PATH: `${place.root}/program:.:program:${plainEnv.PATH}`,
    GIT_CONFIG_COUNT: "1",
    GIT_CONFIG_KEY_0: "core.fsmonitor",
    GIT_CONFIG_VALUE_0: trap("variable"),
    GIT_DIR: "/nonexistent",
    GIT_SSH_COMMAND: trap("ssh-variable"),
    GIT_EXEC_PATH: outside.root,
    GIT_ALLOW_PROTOCOL: "ext:ssh",
  };
  const done = await throughCommand(place, "echo 1 >> a.ts; rm b.txt c.md", {
    caps: { otherBytes: 7, otherFiles: 3 },
    git: gitReader({ workspace: place.root, env: hostile }),
  });
  expect(inShort(done.changes)).toContain("modified a.ts");
  expect(done.uncovered).toContain("c.md");
  expect(sprung()).toEqual([]);
});

/** "ab/cdef…": the path of a committed file's object. */
const readObject = (root: string, path: string): string =>
  git(root, "rev-parse", `HEAD:${path}`).trim().replace(/^../, "$&/");

test("git's content is not used for a file with a filter or another encoding, even at the same size", async () => {
  using place = makePlace({ "a.rot": "uryyb\n", "b.ts": "b\n", "id.c": "$Id$\n", "latin.txt": "caf\xe9\n" });
  write(place.root, {
    ".gitattributes": "*.rot filter=rot\n*.c ident\nlatin.txt working-tree-encoding=latin1\n",
  });
  git(place.root, "init", "--quiet");
  git(place.root, "config", "filter.rot.clean", "tr a-z n-za-m");
  git(place.root, "config", "filter.rot.smudge", "tr a-z n-za-m");
  makeOld(place.root);
  commitAll(place.root);
  expect(git(place.root, "cat-file", "blob", "HEAD:a.rot")).toBe("hello\n");
  const done = await throughCommand(place, "rm a.rot b.ts id.c latin.txt", onlyGit);
  expect(inShort(done.changes)).toEqual(["deleted b.ts"]);
  expect(done.uncovered).toEqual(["a.rot", "id.c", "latin.txt"]);
  const read = await throughCommand(place, "rm -f a.rot id.c latin.txt; echo 2 >> b.ts");
  expect(read.restored).toEqual(read.before);
});

test("converted line endings are detected by the size; unconverted files are covered", async () => {
  using place = makePlace({ "crlf.txt": "one\r\ntwo\r\n", "lf.txt": "one\ntwo\n", "none.txt": "no end" });
  git(place.root, "init", "--quiet");
  git(place.root, "config", "core.autocrlf", "input");
  commitAll(place.root);
  const done = await throughCommand(place, "rm *.txt", onlyGit);
  expect(inShort(done.changes)).toEqual(["deleted lf.txt", "deleted none.txt"]);
  expect(done.uncovered).toEqual(["crlf.txt"]);
  expect(done.restored["lf.txt"]).toEqual(done.before["lf.txt"]);
});

test("a file as new as git's index is not trusted to match it", async () => {
  using place = makePlace({ "a.ts": "one\n" });
  git(place.root, "init", "--quiet");
  git(place.root, "add", "a.ts");
  const { mtimeMs } = statSync(join(place.root, "a.ts"));
  utimesSync(join(place.root, ".git/index"), mtimeMs / 1000, mtimeMs / 1000);
  const done = await throughCommand(place, "rm a.ts", onlyGit);
  expect(done.uncovered).toEqual(["a.ts"]);
});

test("a false index entry is detected by its size or times", async () => {
  using place = makePlace({ "a.ts": "one\n", "b.ts": "two\n" });
  commitAll(place.root);
  const other = git(place.root, "rev-parse", "HEAD:b.ts").trim();
  git(place.root, "update-index", "--cacheinfo", `100644,${other},a.ts`);
  git(place.root, "update-index", "--assume-unchanged", "b.ts");
  write(place.root, { "b.ts": "TWO\n" });
  const done = await throughCommand(place, "rm a.ts b.ts", onlyGit);
  expect(done).toMatchObject({ changes: [], uncovered: ["a.ts", "b.ts"] });
});

test("git's replaced objects are ignored", async () => {
  using place = makePlace({ "a.ts": "one\n", "b.ts": "two\n" });
  commitAll(place.root);
  const [a = "", b = ""] = ["a.ts", "b.ts"].map((path) =>
    git(place.root, "rev-parse", `HEAD:${path}`).trim(),
  );
  git(place.root, "replace", a, b);
  const done = await throughCommand(place, "rm a.ts", onlyGit);
  expect(done.restored["a.ts"]?.content).toBe("one\n");
});

test("a symlink older than git's index is restored from git", async () => {
  using place = makePlace({ "a.ts": "one\n" });
  bash(place.root, "ln -s a.ts link; touch -h -d @1600000000 link");
  commitAll(place.root);
  const done = await throughCommand(place, "ln -sf b.ts link", onlyGit);
  expect(inShort(done.changes)).toEqual(["modified link"]);
  expect(done.restored).toEqual(done.before);
});

test("repositories with SHA-256 object names are covered", async () => {
  using place = makePlace({ "a.ts": "one\n" });
  git(place.root, "init", "--quiet", "--object-format=sha256");
  commitAll(place.root);
  const done = await throughCommand(place, "rm a.ts", onlyGit);
  expect(inShort(done.changes)).toEqual(["deleted a.ts"]);
  expect(done.restored["a.ts"]).toEqual(done.before["a.ts"]);
});

test("without a repository, with a broken index, or without git, the reader knows less but does not fail", async () => {
  using place = makePlace({ "a.ts": "a\n" });
  const signal = new AbortController().signal;
  const here = gitReader({ workspace: place.root, env: plainEnv });
  expect(await here.index(place.root, signal)).toBeUndefined();
  commitAll(place.root);
  writeFileSync(join(place.root, ".git/index"), "rubbish");
  expect(await here.index(place.root, signal)).toBeUndefined();
  const nowhere = gitReader({ workspace: place.root, env: { PATH: "/nonexistent" } });
  expect(await nowhere.index(place.root, signal)).toBeUndefined();
  expect(await nowhere.contents(place.root, [{ id: "a".repeat(40), size: 1 }])).toEqual(new Map());
  expect(await nowhere.ignored(place.root, ["a.ts"])).not.toContain("a.ts");
  expect(existsSync(join(place.root, "a.ts"))).toBe(true);
});
