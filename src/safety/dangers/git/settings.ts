/** The effects of git settings: which of them run a command, redirect git, or disable a protection. */

import { isUnknown, joined, literal, type Word, withText } from "../../command-line/word.ts";
import { danger, interprets, loads } from "../effect-makers.ts";
import type { Effect } from "../effect.ts";
import { namesIn } from "../listed.ts";
import { wayTo } from "./address.ts";
import { isHarmlessProgram } from "./harmless-programs.ts";

/** `once`: for one run, as with `git -c`; `kept`: in a file that every later git command obeys. */
type Lasting = "once" | "kept";

type Setting = { key: Word; value: Word; lasting: Lasting };

type Key = { section: string; middle: string; name: string };

/** `section.middle.name`: the outer parts are case-insensitive, the middle is free text. */
function keyOf(text: string): Key {
  const first = text.indexOf(".");
  const last = text.lastIndexOf(".");
  return {
    section: text.slice(0, Math.max(first, 0)).toLowerCase(),
    middle: first < last ? text.slice(first + 1, last) : "",
    name: text.slice(last + 1).toLowerCase(),
  };
}

/** Settings whose value is passed to a shell or names a program that git starts. */
const commands = new Set(
  namesIn(`core.pager core.editor core.sshcommand core.fsmonitor core.askpass core.gitproxy core.alternaterefscommand
  diff.external diff.command diff.textconv merge.driver filter.clean filter.smudge filter.process
  gpg.program gpg.defaultkeycommand sequence.editor interactive.difffilter
  browser.cmd browser.path web.browser help.browser man.cmd man.path guitool.cmd
  difftool.cmd difftool.path mergetool.cmd mergetool.path trailer.command trailer.cmd
  uploadpack.packobjectshook remote.uploadpack remote.receivepack remote.vcs
  sendemail.sendmailcmd sendemail.tocmd sendemail.cccmd sendemail.headercmd sendemail.composecmd
  instaweb.httpd instaweb.browser instaweb.modulepath tar.command imap.tunnel hook.command
  lfs.path lfs.clean lfs.smudge lfs.standalonetransferagent`),
);

/** Typical endings of settings that run something, for later git versions and other programs. */
const commandLike = /(?:command|cmd|program|hook|editor|askpass|textconv|driver)$/u;

type Rule = (setting: Setting, key: Key) => readonly Effect[];

const high =
  (because: string): Rule =>
  () => [danger("high", because)];
const medium =
  (because: string): Rule =>
  () => [danger("medium", because)];

const bringsHooks = "its templates bring hooks, which run";
const anotherFile: Rule = ({ value, lasting }) => [
  danger(graveness(lasting), "it makes git obey another file of settings, which can run commands"),
  loads(value),
];

const rules: ReadonlyMap<string, Rule> = new Map<string, Rule>([
  ["include.path", anotherFile],
  ["includeif.path", anotherFile],
  ["core.hookspath", hooksPath],
  [
    "init.templatedir",
    ({ value, lasting }) => (value.text === "" ? [] : [danger(graveness(lasting), bringsHooks)]),
  ],
  ["credential.helper", credentialHelper],
  [
    "submodule.update",
    ({ value, lasting }) => (value.text.startsWith("!") ? runsValue(withoutMark(value), lasting) : []),
  ],
  [
    "sendemail.smtpserver",
    ({ value, lasting }) => (value.text.startsWith("/") ? runsValue(value, lasting) : []),
  ],
  ["core.worktree", high("it makes git work on another directory")],
  ["core.protecthfs", guard("false", "a guard against names that mean .git")],
  ["core.protectntfs", guard("false", "a guard against names that mean .git")],
  ["safe.barerepository", guard("all", "a guard against repositories that run commands")],
  [
    "safe.directory",
    ({ value }) => [danger(value.text === "*" || isUnknown(value) ? "high" : "medium", trusts)],
  ],
  ["http.sslverify", guard("false", "the check of who answers")],
  ["http.proxy", high("it sends git's traffic through another host")],
  ["remote.proxy", high("it sends git's traffic through another host")],
  ["http.curloptresolve", high("it sends git's traffic to another host")],
  ["http.sslcainfo", medium("it changes whose certificates git trusts")],
  ["http.sslcapath", medium("it changes whose certificates git trusts")],
  ["url.insteadof", insteadOf],
  ["url.pushinsteadof", insteadOf],
  ["remote.url", address],
  ["remote.pushurl", address],
  ["submodule.url", address],
  ["lfs.url", address],
  [
    "remote.push",
    ({ value }) =>
      /^[+:]/u.test(value.text) ? [danger("high", "it makes every push rewrite the remote")] : [],
  ],
  ["remote.mirror", guard("true", "what only the remote has")],
  ["protocol.allow", protocol],
  ["clean.requireforce", guard("false", "the guard of git clean")],
  ["gc.pruneexpire", expires],
  ["gc.reflogexpire", expires],
  ["gc.reflogexpireunreachable", expires],
  [
    "push.default",
    ({ value }) => (value.text === "matching" ? [danger("medium", "it makes a push send all branches")] : []),
  ],
]);

const trusts = "it makes git trust a repository of somebody else, which can run commands";

/** The dangerous effects of this setting, if any. */
export function settingEffects(setting: Setting): readonly Effect[] {
  const { value, lasting } = setting;
  const key = keyOf(setting.key.text);
  if (isUnknown(withText(setting.key, key.section + key.name)))
    return [danger("high", "which setting it makes is only known when it runs, and some run commands")];
  if (key.section === "alias") return alias(value, lasting);
  if (key.section === "pager") return runsValue(value, lasting);
  const full = `${key.section}.${key.name}`;
  const rule = rules.get(full);
  if (rule) return rule(setting, key);
  return commands.has(full) || commandLike.test(key.name) ? runsValue(value, lasting) : [];
}

/** Whether a section of this name can hold settings that run something. */
export const isGraveSection = (name: string): boolean => {
  const section = name.replace(/\..*$/su, "").toLowerCase();
  return (
    ["alias", "pager"].includes(section) ||
    [...commands, ...rules.keys()].some((key) => key.startsWith(`${section}.`))
  );
};

const graveness = (lasting: Lasting): "high" | "critical" => (lasting === "once" ? "high" : "critical");

function runsValue(value: Word, lasting: Lasting): readonly Effect[] {
  if (isHarmlessProgram(value)) return [];
  const because =
    lasting === "once"
      ? "its option -c sets a command that git runs"
      : "it sets a command that git runs from now on";
  return [danger(graveness(lasting), because), interprets("shell", value)];
}

const withoutMark = (value: Word): Word => withText(value, value.text.slice(1));

/** With `!` a shell command; otherwise a git command, judged by its own words. */
function alias(value: Word, lasting: Lasting): readonly Effect[] {
  if (value.text.startsWith("!")) return runsValue(withoutMark(value), lasting);
  return [interprets("shell", joined([literal("git "), value]))];
}

function hooksPath({ value, lasting }: Setting): readonly Effect[] {
  if (["", "/dev/null"].includes(value.text))
    return [danger("medium", "it turns the repository's hooks off")];
  return [
    danger(graveness(lasting), "it makes git run the hooks of another directory"),
    loads(value, "shell"),
  ];
}

/** Credential helpers that come with git or with the system. */
const keepers = /^(?:|cache|osxkeychain|manager|manager-core|libsecret|wincred|gnome-keyring|oauth)$/u;

function credentialHelper({ value, lasting }: Setting): readonly Effect[] {
  const [name = ""] = value.text.split(" ");
  if (keepers.test(name)) return [];
  if (name === "store") return [danger("medium", "it keeps passwords in a plain file")];
  if (value.text.startsWith("!")) return runsValue(withoutMark(value), lasting);
  const isPath = /^(?:\/|~|[A-Za-z]:)/u.test(name);
  return runsValue(isPath ? value : joined([literal("git-credential-"), value]), lasting);
}

/** A setting that is dangerous with only one value. Git accepts several spellings of true and false. */
function guard(dangerous: string, what: string): Rule {
  const words: readonly string[] =
    dangerous === "false"
      ? ["false", "no", "off", "0", ""]
      : dangerous === "true"
        ? ["true", "yes", "on", "1"]
        : [dangerous];
  return ({ value }) =>
    words.includes(value.text.toLowerCase()) || isUnknown(value)
      ? [danger("high", `it gives up ${what}`)]
      : [];
}

function address({ value }: Setting): readonly Effect[] {
  return [...wayTo(value), danger("medium", "it changes where git fetches from and pushes to")];
}

const hostOf = (text: string): string =>
  text
    .replace(/^[\w+]+:\/\//u, "")
    .replace(/^[^/@]*@/u, "")
    .replace(/[:/].*$/su, "")
    .toLowerCase();

/** `url.<base>.insteadOf <original>`: harmless if both URLs lead to the same host. */
function insteadOf({ key, value, lasting }: Setting, { middle }: Key): readonly Effect[] {
  const target = withText(key, middle);
  const same = hostOf(middle) === hostOf(value.text) && !isUnknown(target) && !isUnknown(value);
  const because = same
    ? "it changes the way to a host"
    : "it sends git to another address than the one written";
  return [
    ...wayTo(target),
    danger(same ? "medium" : "high", lasting === "kept" ? `${because}, from now on` : because),
  ];
}

function protocol({ value }: Setting, { middle }: Key): readonly Effect[] {
  if (["never", "user"].includes(value.text) && middle !== "ext") return [];
  if (value.text === "never" || ["https", "ssh", "http", "git"].includes(middle)) return [];
  return middle === "file"
    ? [danger("medium", "it allows repositories to take others from this machine")]
    : [danger("high", "it allows addresses that run commands")];
}

function expires({ value }: Setting): readonly Effect[] {
  return /^(?:never|false|\d+\.(?:day|week|month|year)s?\.ago|\d+ (?:day|week|month|year)s?(?: ago)?)$/u.test(
    value.text,
  )
    ? []
    : [danger("high", "it makes git forget commits that no branch has, for good")];
}
