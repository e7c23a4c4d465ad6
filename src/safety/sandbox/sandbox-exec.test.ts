import { expect, test } from "vitest";
import type { CheckedRequest } from "./request.ts";
import { sandboxExecRules } from "./sandbox-exec.ts";

const request: CheckedRequest = {
  profile: "build",
  command: ["true"],
  directory: "/Users/dev/proj",
  workspace: "/Users/dev/proj",
  env: {},
  stateDir: "/Users/dev/.local/state/toolwright",
  home: "/Users/dev",
  unmasked: [],
  named: [],
  hosts: [],
};
const item = (path: string) => ({ path, kind: "directory" as const, identity: "1:1", parent: "1:2" });
const plan: Parameters<typeof sandboxExecRules>[1] = {
  found: {
    protected: [item("/Users/dev/proj/.vscode")],
    git: [item("/Users/dev/proj/.git")],
    environmentFiles: [],
    sockets: [],
    filled: [],
    truncated: false,
  },
  git: [],
  masks: [{ kind: "hidden-directory", path: "/Users/dev/.ssh", passable: false }],
  cache: "/Users/dev/.local/state/toolwright/sandbox/caches/x",
};

const lines = (over: Partial<CheckedRequest> = {}): string[] =>
  sandboxExecRules({ ...request, ...over }, plan).split("\n");

test("the rule that lets a build write the workspace comes before those for protected and secret paths", () => {
  const rules = lines();
  const order = [
    "(deny network*)",
    "(deny file-write*)",
    '(allow file-write* (subpath "/Users/dev/proj"))',
    '(deny file-write* (subpath "/Users/dev/proj/.vscode"))',
    '(deny file-read* file-write* (subpath "/Users/dev/.ssh"))',
    '(deny file-read* file-write* (subpath "/Users/dev/.local/state/toolwright"))',
    '(allow file-read* file-write* (subpath "/Users/dev/.local/state/toolwright/sandbox/caches/x"))',
  ].map((rule) => rules.indexOf(rule));
  expect(order).not.toContain(-1);
  expect(order).toEqual(order.toSorted((one, other) => one - other));
});

test("the profile read cannot write the workspace, and open may use the network but no secrets", () => {
  expect(lines({ profile: "read" })).not.toContain('(allow file-write* (subpath "/Users/dev/proj"))');
  const open = lines({ profile: "open" });
  expect(open).not.toContain("(deny network*)");
  expect(open).toContain('(deny file-read* file-write* (subpath "/Users/dev/.ssh"))');
});

test("quotes and backslashes in a path are escaped", () => {
  expect(lines({ workspace: '/Users/dev/a") (allow default) ("\\' })).toContain(
    '(allow file-write* (subpath "/Users/dev/a\\") (allow default) (\\"\\\\"))',
  );
});
