import { execFileSync } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { keysIn } from "./git-configuration.ts";
import { settingsFiles, withoutPrograms } from "./git-programs.ts";
import { unrunFilters } from "./unrun-programs.ts";

const workspace = realpathSync(mkdtempSync(join(tmpdir(), "toolwright-git-programs-")));
const directory = join(workspace, ".git");
const env = { PATH: process.env["PATH"] ?? "", HOME: workspace };
const git = (...words: string[]): string =>
  execFileSync("git", ["-c", "user.name=A", "-c", "user.email=a@b", ...words], {
    cwd: workspace,
    env,
  }).toString();
beforeEach(() => {
  for (const part of ["objects", "refs"]) mkdirSync(join(directory, part), { recursive: true });
  writeFileSync(join(directory, "HEAD"), "ref: refs/heads/main\n");
  writeFileSync(join(directory, "config"), "[core]\n\trepositoryformatversion = 0\n\tbare = false\n");
});
afterEach(() => rmSync(workspace, { recursive: true, force: true }));

/** A repository with these settings besides its own, in this file of it. */
function answered(text: string, path = "config") {
  const file = join(directory, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text, { flag: "a" });
  return withoutPrograms([directory], { workspace, env });
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
  "[FILTER.X]\r\nCLEAN=a\r\n",
  '; [y "\\n[core]\n[filter "x"]clean\n',
  '[user] name = "a # \\" b"\n[filter "x"] # clean\n  Clean = a ; b\n',
  '[core][filter "x"]\nclean = d\n',
])("a filter is answered however it is written: %j", async (text) => {
  expect(await answered(text)).toEqual(filterIsAnswered);
});

test.each(["a.b", "A.b", "a b", "a/b", "a=b"])("a filter called %j is answered", async (name) => {
  const answers = [
    [`filter.${name}.clean`, ""],
    [`filter.${name}.required`, "true"],
  ];
  expect(await answered(`[filter "${name}"]\n\tclean = x\n`)).toEqual({ ok: true, value: answers });
});

test("programs that a working tree's own settings name are answered, if git reads those", async () => {
  expect(await answered('[filter "x"]\nclean = a\n', "config.worktree")).toEqual({ ok: true, value: [] });
  git("config", "extensions.worktreeConfig", "true");
  expect(await answered("")).toEqual(filterIsAnswered);
  rmSync(join(directory, "config.worktree"));
  git("commit", "-q", "--allow-empty", "-m", "first");
  git("worktree", "add", "-q", "w");
  expect(await answered('[filter "x"]\nclean = a\n', "worktrees/w/config.worktree")).toEqual(
    filterIsAnswered,
  );
});

test.each(["m", "lib/a.b/c", "m/modules/lib/n"])(
  "programs that the settings of the submodule %s name are answered",
  async (name) => {
    for (const path of name.startsWith("m/") ? ["m", name] : [name])
      git("init", "-q", "--bare", join(directory, "modules", path));
    const gone = "[core]\n\tbare = false\n\tworktree = ../../../../gone\n";
    expect(await answered(`${gone}[filter "x"]\nclean = a\n`, `modules/${name}/config`)).toEqual(
      filterIsAnswered,
    );
  },
);

test("what a name in quotes says is not taken for a section", async () => {
  expect(await answered('[diff "a\\"b.c]"]\n\ttextconv = x\n')).toEqual({
    ok: true,
    value: [['diff.a"b.c].textconv', "cat"]],
  });
});

test("a value that goes on in the next line is read as git reads it", async () => {
  expect(await answered('[a] b = c\\\n[filter "x"]\nclean = d\n')).toEqual({ ok: true, value: [] });
});

test.each([
  ["other files", "[include]\npath = ../x\n", "include other files"],
  ["other files under a condition", '[includeIf "gitdir:/"]\npath = ../x\n', "include other files"],
  ["a remote's program", '[remote "o"]\nuploadpack = x\n', "set remote.o.uploadpack"],
  ["several programs under one name", "[gc]\nrecentObjectsHook = x\n", "set gc.recentobjectshook"],
  ["what git cannot read", "[core\n", "git cannot read"],
])("settings with %s are refused", async (_, text, because) => {
  expect(await answered(text)).toMatchObject({ ok: false, problem: expect.stringContaining(because) });
});

test("settings in another place are refused", async () => {
  writeFileSync(join(directory, "commondir"), "../shared\n");
  expect(await answered("")).toMatchObject({
    ok: false,
    problem: expect.stringContaining("in another place"),
  });
});

test("a program that no list names, but its key does, is answered", async () => {
  const text = '[lfs "extension.x"]\n\tclean = a\n[made] upCommand = b\n[hook "x"]\n\tcommand = c\n';
  expect(await answered(text)).toEqual({
    ok: true,
    value: [
      ["lfs.extension.x.clean", "false"],
      ["made.upcommand", "false"],
      ["hook.x.command", "true"],
    ],
  });
});

test("a look without git finds the keys that git finds", () => {
  const texts = [
    '[filter "a.b"]\n\tclean = x\n[filter.C.d]\n\tclean = y\n[filter.e "f.G"]\n\tclean = z\n',
    '[A "B\\\\c\\"d"] e = f\n[g]\n\th\n[i.j]k=l ; m\n# n\n[o]\n',
  ];
  for (const text of texts) {
    const file = join(workspace, "settings");
    writeFileSync(file, text);
    const names = git("config", "--file", file, "--list", "--name-only", "-z").split("\0").slice(0, -1);
    expect(keysIn(readFileSync(file, "utf8"))?.map(({ full }) => full)).toEqual(names);
  }
});

test("plain settings, and aliases for git's own commands, stay as they are", async () => {
  const text = `[core]\n\tbare = false\n[remote "o"]\n\turl = x\n[alias]\n\tst = status\n[submodule "s"]\n\tupdate = rebase\n[lfs]\n\tlocksverify = true\n`;
  expect(await answered(text)).toEqual({ ok: true, value: [] });
  expect(await answered('[alias]\n\ta = "!id"\n\tb = -c core.pager=x log\n')).toEqual({
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

test("settings are read again when they have changed, also through a link, and when their place becomes a repository", async () => {
  const settings = join(directory, "config");
  const before = readFileSync(settings, "utf8");
  const seen = async (): Promise<string[]> => {
    // Old enough to be kept: no later change can carry the same time.
    await new Promise((resolve) => setTimeout(resolve, 40));
    const answers = await withoutPrograms([directory], { workspace, env });
    return answers.ok ? answers.value.map(([key]) => key) : [answers.problem];
  };
  expect([await seen(), await seen()]).toEqual([[], []]);
  writeFileSync(settings, `${before}[filter "x"]\n\tclean = a\n`);
  expect(await seen()).toEqual(["filter.x.clean", "filter.x.required"]);
  const other = join(workspace, "other");
  writeFileSync(other, before);
  rmSync(settings);
  symlinkSync(other, settings);
  expect([await seen(), await seen()]).toEqual([[], []]);
  writeFileSync(other, `${before}[filter "y"]\n\tclean = a\n`);
  expect(await seen()).toEqual(["filter.y.clean", "filter.y.required"]);
  const head = readFileSync(join(directory, "HEAD"));
  rmSync(join(directory, "HEAD"));
  expect(await seen()).toEqual(["filter.y.clean", "filter.y.required"]);
  writeFileSync(other, `${before}[filter "z"]\n\tclean = a\n`);
  await seen();
  writeFileSync(join(directory, "HEAD"), head);
  expect(await seen()).toEqual(["filter.z.clean", "filter.z.required"]);
});

test.skipIf(process.platform === "win32")(
  "a FIFO in the place of a path leads nowhere, and is not waited for",
  () => {
    execFileSync("mkfifo", [join(directory, "commondir")]);
    expect(settingsFiles(directory)).toEqual([join(directory, "config"), join(directory, "config.worktree")]);
  },
);
