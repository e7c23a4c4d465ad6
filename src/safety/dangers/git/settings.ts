/** git's settings, for one run or kept by `git config`: which run a command, lead git elsewhere, or give up a guard. */

import { isLiteral, isUnknown, joinWords, literal, type Word, withText } from "../../command-line/word.ts";
import { danger, interprets, loads } from "../effect-makers.ts";
import type { Effect } from "../effect.ts";
import { cutAt, namesIn } from "../parts.ts";
import type { Use } from "../program.ts";

/** `isKept`: every later git command obeys it; otherwise it is for one run, as with `git -c`. */
type GitConfigSetting = { key: Word; value: Word; isKept: boolean };

/** `section.middle.name` without its middle, which is free text. */
const nameOf = ({ text }: Word): string =>
  text.replace(/^([^.]*)\.(?:.*\.)?([^.]*)$/su, "$1.$2").toLowerCase();

/** Their value is passed to a shell or names a program that git starts. */
const running =
  /^(?:pager|alias)\.|(?:command|cmd|program|hook|editor|askpass|textconv|driver|fsmonitor|gitproxy|difffilter)$|^(?:core\.pager|diff\.external|filter\.(?:clean|smudge|process)|(?:browser|man|guitool|difftool|mergetool|lfs)\.path|(?:web|help)\.browser|instaweb\.\w+|credential\.helper|remote\.(?:uploadpack|receivepack|vcs)|imap\.tunnel|lfs\.(?:clean|smudge|standalonetransferagent))$/u;
/** `short`: as `nameOf` gives it. */
export const namesCommand = (short: string): boolean => running.test(short);

/** Only if the value is a path or begins with "!". */
const maybeRunning = /^(?:submodule\.update|sendemail\.smtpserver)$/u;
/** Credential helpers that come with git or with the system, with options; all of the text goes to a shell. */
const keepers =
  /^(?:|(?:cache|store|osxkeychain|manager|manager-core|libsecret|wincred|oauth)(?: [\w./~=-]+)*)$/u;
/** The subject, hashes, names and dates of a commit: nothing that could be a line of its own in a rebase's list. */
const oneLine = /^(?:[^%\n]|%(?:[hHsS%]|[ac][nerdsi]))*$/u;
const loading = /^(?:include|includeif)\.path$|^core\.hookspath$|^init\.templatedir$/u;
/** With these values; git accepts several spellings of true and false. */
const grave =
  /^(?:url\.|(?:remote\.(?:push)?|submodule\.|lfs\.)url=|core\.hookspath=|(?:core\.protect(?:hfs|ntfs)|http\.sslverify|clean\.requireforce)=(?:false|no|off|0|)$|safe\.barerepository=all$|safe\.directory=|remote\.mirror=(?:true|yes|on|1)$|remote\.push=[+:]|(?:http|remote)\.(?:proxy|curloptresolve|sslca\w+)=|core\.worktree=|protocol\.allow=(?!never|user)|push\.default=matching$|gc\.\w*expire\w*=(?!never|false|\d+[. ](?:day|week|month|year)))/u;

function settingEffects({ key, value, isKept }: GitConfigSetting): readonly Effect[] {
  const name = nameOf(key);
  const severity = isKept ? "critical" : "high";
  if (isUnknown(withText(key, name)))
    return [danger("high", "which setting it makes is only known when it runs, and some run commands")];
  if (name.startsWith("alias.") && !value.text.startsWith("!"))
    return [interprets("shell", joinWords([literal("git "), value]))];
  if (name === "credential.helper" && keepers.test(value.text)) return [];
  if (running.test(name) || (maybeRunning.test(name) && /^[!/~]/u.test(value.text))) {
    const code = withText(value, value.text.replace(/^!/u, ""));
    return isHarmlessProgram(code)
      ? []
      : [danger(severity, "it sets a command that git runs"), interprets("shell", code)];
  }
  if (name === "rebase.instructionformat" && !(isLiteral(value) && oneLine.test(value.text)))
    return [danger(severity, "it lets the text of commits say what a rebase runs")];
  if (loading.test(name) && !["", "/dev/null"].includes(value.text))
    return [danger(severity, "it makes git obey files from elsewhere"), loads(value, "shell")];
  return grave.test(`${name}=${value.text.toLowerCase()}`)
    ? [danger("high", "it gives up a guard of git's, or leads it elsewhere")]
    : [];
}

/** `name=value`, as for `git -c`. */
export function settingOnce(setting: Word): readonly Effect[] {
  const { before: key, after: value } = cutAt(setting, "=") ?? { before: setting, after: literal("true") };
  return settingEffects({ key, value, isKept: false });
}

/** Pagers and editors that are usual in settings. */
const programs = new Set(
  namesIn(`true false : yes no on off 0 1
  cat less more most bat batcat delta diff-so-fancy difft
  vi vim nvim nano pico emacs emacsclient micro hx helix kak joe ed code codium cursor subl zed atom mate gedit kate
  ssh gpg gpg2 ssh-keygen git-lfs firefox chromium vimdiff nvimdiff meld kdiff3 opendiff`),
);

/** Options of editors and pagers that take no value: `--wait`, `-FRX`, `-nw`. */
const plainSwitch = /^(?:--[a-z-]+|-[FRXSnwi]+)$/u;

function isHarmlessProgram(value: Word): boolean {
  if (!isLiteral(value)) return false;
  if (value.text.trim() === "") return true;
  const [name = "", ...rest] = value.text.trim().split(/[ \t]+/u);
  return programs.has(name.toLowerCase()) && rest.every((word) => plainSwitch.test(word));
}

const looking = ["get", "get-all", "get-regexp", "get-urlmatch", "get-color", "get-colorbool", "list", "l"];
const others = ["unset", "unset-all", "rename-section", "remove-section", "edit", "e"];

/** The action and its words, in either form. */
function taskOf({ operands, has }: Use): { task: string; words: readonly Word[] } {
  const [first, ...rest] = operands;
  if (first && /^(?:list|get|set|unset|rename-section|remove-section|edit)$/u.test(first.text))
    return { task: first.text === "list" ? "get" : first.text, words: rest };
  if (has(...looking)) return { task: "get", words: operands };
  const task = others.find((name) => has(name)) ?? (first ? undefined : "edit");
  if (task !== undefined) return { task, words: operands };
  const isSetting =
    rest.length > 0 || has("add", "replace-all") || (first && isUnknown(first) && first.mayBeSeveral);
  return { task: isSetting ? "set" : "get", words: operands };
}

export const isAsking = (use: Use): boolean => taskOf(use).task === "get";

const secret = /extraheader|passw|secret|token|smtppass|imap\.pass|cookie/iu;
/** Renaming a section can turn settings that git ignored into ones that it obeys. */
const graveSection = /^(?:alias|pager|core|diff|merge|filter|gpg|include|credential|remote|url|init|.*\0)/iu;

export function* settings(use: Use): Iterable<Effect> {
  const { task, words } = taskOf(use);
  const [key, value = literal("true")] = words;
  const file = use.value("f", "file");
  if (file)
    yield task === "get" ? { type: "reads", path: file } : { type: "writes", path: file, how: "edits" };
  if (task === "get") {
    if (use.has("name-only") || !words.some(({ text }) => secret.test(text))) return;
    yield danger("high", "it prints a password or key out of git's settings");
    yield { type: "prints", flows: ["secret"] };
    return;
  }
  if (task === "set" && key) yield* settingEffects({ key, value, isKept: true });
  if (task === "rename-section" && graveSection.test(value.text))
    yield danger("critical", "it turns settings into ones that can run commands from now on");
}
