import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { controlState, suspicious } from "./git-watch.ts";

function repository(files: Readonly<Record<string, string>>) {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), "toolwright-git-watch-")));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const put = (path: string, text: string): void => {
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    writeFileSync(join(directory, path), text);
  };
  for (const [path, text] of Object.entries(files)) put(path, text);
  const before = controlState(directory);
  const found = (): string[] => suspicious(directory, before).map((path) => path.slice(directory.length + 1));
  return { directory, put, found };
}

const settings =
  '[core]\n\tbare = false\n[color]\n\tui = auto\n[filter "x"] clean = mine\n\trequired = true\n';

test.each([
  ["the upstream of a branch", '[branch "x"]\n\tremote = o\n\tmerge = refs/heads/x\n'],
  ["a remote", '[remote "o"]\n\turl = ../o\n\tfetch = +refs/heads/*:refs/remotes/o/*\n'],
])("settings to which a person's git has added %s are no work of a command", (_, added) => {
  const { put, found } = repository({ config: settings });
  put("config", settings + added);
  expect(found()).toEqual([]);
});

test.each([
  ["a monitor", settings.replace("bare = false", "bare = false\n\tfsmonitor = evil")],
  ["another program of a filter", settings.replace("mine", "evil")],
  ["a program in a section that is not the one of the line above", `${settings}\tclean = evil\n`],
  ["a program behind a second section in one line", `${settings}[color][core]\n\tfsmonitor = evil\n`],
  ["a plain key that goes on in the next line", `${settings}[branch "x"]\n\tremote = o\\\n\tmerge = evil\n`],
  ["other files", `${settings}[include]\n\tpath = ../evil\n`],
  ["an alias by a plain key's name", `${settings}[alias]\n\tmerge = !evil\n`],
  ["settings that are none", "\0"],
])("settings that have %s now are", (_, text) => {
  const { put, found } = repository({ config: settings });
  put("config", text);
  expect(found()).toEqual(["config"]);
});

test("the next line of a value that goes on is no plain setting, whatever it looks like", () => {
  const text = "[core]\n\tpager = less \\\n\teol = mine\n";
  const { put, found } = repository({ config: text });
  put("config", text.replace("mine", "; evil"));
  expect(found()).toEqual(["config"]);
});

test("a loop of links, and a link out, hide nothing else", () => {
  const { directory, put, found } = repository({ config: settings, "objects/pack/x": "" });
  put("commondir", "/evil\n");
  symlinkSync("info", join(directory, "objects/info"));
  symlinkSync("modules", join(directory, "modules"));
  expect(found()).toEqual(["modules", "commondir"]);
});

test("very many planted files are found, new hooks together with their directory", () => {
  const { put, found } = repository({ config: settings });
  const many = 500;
  for (let at = 0; at < many; at += 1) {
    put(`hooks/hook-${at}`, "evil");
    put(`worktrees/w${at}/gitdir`, "/evil/.git\n");
  }
  const all = found();
  expect(all.filter((path) => path.startsWith("hooks"))).toEqual(["hooks"]);
  expect(all).toHaveLength(many + 1);
});
