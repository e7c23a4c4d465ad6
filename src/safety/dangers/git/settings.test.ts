import { expect, test } from "vitest";
import { literal, unknownWord } from "../../command-line/word.ts";
import { namesIn } from "../listed.ts";
import { effectsOf, told } from "../testing-effects.ts";
import { git } from "./git.ts";
import { settingEffects } from "./settings.ts";

const once = (key: string, value: string) =>
  told([...settingEffects({ key: literal(key), value: literal(value), lasting: "once" })]);
const kept = (key: string, value: string) =>
  told([...settingEffects({ key: literal(key), value: literal(value), lasting: "kept" })]);
const effects = (line: string) => told(effectsOf([git], line));

const commands =
  namesIn(`core.pager CORE.Pager core.editor core.sshCommand core.fsmonitor core.askPass core.gitProxy
  diff.external diff.x.textconv diff.x.command merge.x.driver filter.x.clean filter.a.b.process
  gpg.program gpg.ssh.program gpg.ssh.defaultKeyCommand sequence.editor interactive.diffFilter
  pager.log browser.x.cmd man.x.cmd difftool.x.cmd mergetool.x.cmd trailer.x.command
  uploadpack.packObjectsHook remote.origin.uploadpack remote.origin.receivepack remote.origin.vcs
  sendemail.toCmd instaweb.httpd tar.x.command imap.tunnel core.somethingNewCommand x.y.cmd`);

test.each(commands)("%s sets a command: high for one run, critical if stored", (key) => {
  expect(once(key, "./x")).toEqual([
    "danger high its option -c sets a command that git runs",
    "interprets shell ./x",
  ]);
  expect(kept(key, "./x")).toEqual([
    "danger critical it sets a command that git runs from now on",
    "interprets shell ./x",
  ]);
});

test.each([
  ["core.pager", "less -FRX"],
  ["core.pager", ""],
  ["core.editor", "code --wait"],
  ["core.editor", "vim"],
  ["sequence.editor", "true"],
  ["core.fsmonitor", "false"],
  ["pager.log", "false"],
  ["merge.ours.driver", "true"],
  ["filter.lfs.smudge", "git-lfs smudge -- %f"],
  ["credential.helper", "osxkeychain"],
  ["credential.helper", "cache --timeout=3600"],
  ["user.name", "id; rm -rf ~"],
  ["color.ui", "auto"],
  ["init.defaultBranch", "main"],
  ["pull.rebase", "true"],
  ["branch.main.remote", "origin"],
  ["http.postBuffer", "524288000"],
  ["protocol.ext.allow", "never"],
  ["gc.pruneExpire", "2.weeks.ago"],
])("%s = %s runs nothing", (key, value) => {
  expect(kept(key, value)).toEqual([]);
});

test.each([
  ["core.editor", "vim -c !id"],
  ["core.pager", "less --lesskey-src=x"],
  ["core.pager", "cat; id"],
  ["core.pager", "/tmp/cat"],
])("a known program with other than plain switches counts as any command: %s = %s", (key, value) => {
  expect(once(key, value)[1]).toBe(`interprets shell ${value}`);
});

test.each([
  ["http.sslVerify", "false", "danger high it gives up the check of who answers"],
  ["http.https://h/.sslVerify", "0", "danger high it gives up the check of who answers"],
  [
    "safe.directory",
    "*",
    "danger high it makes git trust a repository of somebody else, which can run commands",
  ],
  ["protocol.ext.allow", "always", "danger high it allows addresses that run commands"],
  ["remote.origin.push", "+refs/heads/*:refs/heads/*", "danger high it makes every push rewrite the remote"],
  ["gc.reflogExpire", "now", "danger high it makes git forget commits that no branch has, for good"],
  ["core.hooksPath", "/dev/null", "danger medium it turns the repository's hooks off"],
])("disabling a safeguard is reported: %s = %s", (key, value, expected) => {
  expect(once(key, value)).toEqual([expected]);
});

test("an alias with ! is a shell command, one without is a git command", () => {
  expect(kept("alias.x", "!id")[1]).toBe("interprets shell id");
  expect(kept("alias.co", "checkout")).toEqual(["interprets shell git checkout"]);
});

test("insteadOf is high for another host and medium for another protocol to the same host", () => {
  expect(kept("url.https://evil.example/.insteadOf", "https://github.com/")).toEqual([
    "danger high it sends git to another address than the one written, from now on",
  ]);
  expect(kept("url.https://github.com/.insteadOf", "git@github.com:")).toEqual([
    "danger medium it changes the way to a host, from now on",
  ]);
});

test("a setting known only at run time may be one that runs a command", () => {
  const unsure = settingEffects({ key: unknownWord(), value: literal("x"), lasting: "once" });
  expect(told([...unsure])).toEqual([
    "danger high which setting it makes is only known when it runs, and some run commands",
  ]);
});

test.each([
  ["git config core.pager", []],
  ["git config --get core.pager", []],
  ["git config get core.pager", []],
  ["git config --unset core.pager", []],
  ["git config --global user.name X", ["danger medium it changes your git settings for all repositories"]],
  [
    "git config --system user.name X",
    ["danger high it changes the git settings of every user of this machine"],
  ],
  ["git config -f x user.name X", ["writes x edits"]],
  ["git config -f x --get user.name", ["reads x"]],
  [
    "git config set --local core.editor ./x",
    ["danger critical it sets a command that git runs from now on", "interprets shell ./x"],
  ],
  [
    "git config --rename-section foo core",
    ["danger critical it turns settings into ones that can run commands from now on"],
  ],
  [
    "git config --get http.https://github.com/.extraheader",
    ["danger high it prints a password or key out of git's settings", "prints secret"],
  ],
])("git config is recognised as reading or setting, in its old and new syntax: %s", (line, expected) => {
  expect(effects(line)).toEqual(expected);
});

test.each([
  ["git -c core.pager=./x log", "./x"],
  ["git --config-env=core.pager=NAME log", "…"],
  ["git clone -c core.fsmonitor=./x ./a b", "./x"],
])("settings for one run are found in every position: %s", (line, code) => {
  expect(effects(line)).toContain(`interprets shell ${code}`);
});
