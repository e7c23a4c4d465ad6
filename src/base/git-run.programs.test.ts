/** Git is stopped where it would wait for somebody to write into what should be a file of its own. */

import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { plainEnvironment, runGit } from "./git-run.ts";

const cases: readonly (readonly [string, readonly string[]])[] = [
  [".gitignore", ["status"]],
  ["below/.gitattributes", ["add", "below/a"]],
  [".git/refs/heads/odd", ["for-each-ref"]],
  [".git/config", ["rev-parse", "HEAD"]],
];

test.runIf(process.platform === "linux")(
  "git that waits for a writer of a FIFO is stopped long before its time is over, and so is what it started",
  async () => {
    const ended = cases.map(async ([path, words]) => {
      const root = mkdtempSync(join(tmpdir(), "toolwright-git-"));
      onTestFinished(() => rmSync(root, { recursive: true }));
      const env = plainEnvironment(process.env, root);
      execFileSync("git", ["init", "--quiet", root], { env });
      mkdirSync(join(root, "below"));
      execFileSync("sh", ["-c", 'echo a > below/a; rm -f "$1"; mkfifo "$1"', "sh", path], { cwd: root });
      const run = { env, onBytes: () => undefined, patienceMs: 60_000 };
      const well = await runGit({ ...run, directory: root, arguments: words });
      const copy = ["-c", "protocol.file.allow=always", "clone", "--quiet", root, join(root, "copy")];
      const helped = path.startsWith(".git/")
        ? await runGit({ ...run, directory: root, arguments: copy, protocols: "file" })
        : false;
      return [path, well, helped];
    });
    expect(await Promise.all(ended)).toEqual(cases.map(([path]) => [path, false, false]));
  },
  20_000,
);
