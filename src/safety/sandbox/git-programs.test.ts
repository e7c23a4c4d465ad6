import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { unrunFilters, withoutPrograms } from "./git-programs.ts";

const directory = mkdtempSync(join(tmpdir(), "toolwright-git-programs-"));
afterEach(() => rmSync(directory, { recursive: true, force: true }));

function answered(text: string, path = "config") {
  mkdirSync(join(directory, path, ".."), { recursive: true });
  writeFileSync(join(directory, path), text);
  return withoutPrograms([directory]);
}

const filterIsAnswered = {
  ok: true,
  value: [
    ["filter.x.clean", ""],
    ["filter.x.required", "true"],
  ],
};

test.each([
  '[filter "x"]\n\tclean = sed s/a/b/\n',
  '[filter "x"] clean = a\n',
  "\uFEFF[FILTER.X]\r\nCLEAN=a\r\n",
  '; [y "\\n[core]\n[filter "x"]clean\n',
  '[user] name = "a # \\" b"\n[filter "x"] # clean\n  Clean = a ; b\n',
])("a filter is answered however it is written: %j", (text) => {
  expect(answered(text)).toEqual(filterIsAnswered);
});

test.each(["config.worktree", "worktrees/w/config.worktree", "modules/m/config"])(
  "programs that %s names are answered as well",
  (path) => expect(answered('[filter "x"]\nclean = a\n', path)).toEqual(filterIsAnswered),
);

test("what a name in quotes says is not taken for a section", () => {
  expect(answered('[diff "a\\"b.c]"]\n\ttextconv = x\n')).toEqual({
    ok: true,
    value: [['diff.a"b.c].textconv', "cat"]],
  });
});

test.each([
  ["a value that goes on in the next line", '[a] b = c\\\n[filter "x"]\nclean = d\n', "cannot be understood"],
  ["several sections in one line", '[core][filter "x"]\nclean = d\n', "cannot be understood"],
  ["other files", "[include]\npath = ../x\n", "includes other files"],
  ["other files under a condition", '[includeIf "gitdir:/"]\npath = ../x\n', "includes other files"],
  ["a remote's program", '[remote "o"]\nuploadpack = x\n', "sets remote.o.uploadpack"],
])("settings with %s are refused", (_, text, because) => {
  expect(answered(text)).toMatchObject({ ok: false, problem: expect.stringContaining(because) });
});

test("plain settings, and aliases for git's own commands, stay as they are", () => {
  const text = `[core]\n\tbare = false\n[remote "o"]\n\turl = x\n[alias]\n\tst = status\n[submodule "s"]\n\tupdate = rebase\n[lfs]\n\tlocksverify = true\n`;
  expect(answered(text)).toEqual({ ok: true, value: [] });
  expect(answered('[alias]\n\ta = "!id"\n\tb = -c core.pager=x log\n')).toEqual({
    ok: true,
    value: [
      ["alias.a", "false"],
      ["alias.b", "false"],
    ],
  });
});

test("the result names filters that did not run, for commands that filter", () => {
  const { value } = filterIsAnswered;
  const settings = value.map(([key = "", answer = ""]) => [key, answer] as const);
  expect(unrunFilters(settings, "git add .").join()).toContain("name did not run (x)");
  expect(unrunFilters(settings, "git log")).toEqual([]);
  expect(unrunFilters([], "git add .")).toEqual([]);
});
