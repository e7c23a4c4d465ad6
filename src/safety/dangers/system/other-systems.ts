/** Administration programs of macOS and Windows, found on those systems and in command lines written for them. */

import { isUnknown, joined, type Word, withText } from "../../command-line/word.ts";
import { danger, interprets, loads, reads, replaces } from "../effect-makers.ts";
import type { Effect } from "../effect.ts";
import { type Program, program, type Use } from "../program.ts";
import { command } from "../wrappers/wrapping.ts";
import { changes, onlyWithOption, shows, unlessOption, unlessVerb } from "./administering.ts";

const protection = [danger("critical", "it weakens the system's protection")];
const disks = [danger("critical", "it destroys or divides what is on a disk")];
const settings = [danger("high", "it changes the system's settings")];
const startsItself = danger("critical", "it has a program start by itself from now on");
const services = [danger("high", "it starts, stops or changes services")];
const downloads = danger("high", "it fetches or decodes a file past the usual ways");
const runsCode = danger("critical", "it runs code that hides in a file or an address");

const macos: readonly Program[] = [
  unlessVerb("csrutil", "status report", protection),
  unlessOption("spctl", "status a assess list v", protection, { short: "t" }),
  program("osascript", scripted, { kind: "interpreter", options: { short: "el" } }),
  unlessVerb("defaults", "read read-type domains find help", settings, { stopAtOperand: true }),
  unlessVerb("launchctl", "list print print-disabled blame dumpstate hostinfo version help", launched),
  unlessVerb("diskutil", "list info activity listFilesystems", disked),
  unlessVerb("tmutil", "latestbackup listbackups status destinationinfo listlocalsnapshots version", backup),
  program("networksetup systemsetup scutil", ({ words, name }) => {
    const [first] = words;
    const isShown =
      first === undefined || /^--?(?:get|list|dns|proxy|nwi|help|version|print|is)/u.test(first.text);
    return isShown || (name === "scutil" && words.length < 2 && !first.text.startsWith("--set"))
      ? []
      : settings;
  }),
  unlessOption("pmset", "g", settings),
  unlessOption("nvram", "p x", [danger("critical", "it changes how the machine starts")]),
  program("dscl", ({ words }) =>
    words.length === 0 || words.some(({ text }) => /^-?(?:read|list|search|readall)$/u.test(text))
      ? []
      : settings,
  ),
  unlessOption("softwareupdate", "l list history", [danger("high", "it changes the installed system")]),
  changes(
    "dseditgroup sysadminctl createhomedir kmutil kextcache tccutil mdutil profiles lsregister",
    settings,
  ),
  unlessVerb("xcode-select", "", ({ has }) => (has("s", "switch", "r", "reset", "install") ? settings : [])),
  onlyWithOption("codesign", "s sign remove-signature", [
    danger("medium", "it changes who a program says it is from"),
  ]),
  shows("ioreg vm_stat mdls lipo"),
];

const desktops: readonly Program[] = [
  program("open xdg-open gio-open kde-open gnome-open wslview start cygstart", opened, {
    options: { short: "abjst", long: ["env", "args", "stdin", "stdout", "stderr"] },
  }),
];

const windows: readonly Program[] = [
  changes("format diskpart format-volume clear-disk initialize-disk remove-partition", disks),
  program("rd erase remove-item ri", removed),
  unlessVerb("reg", "query compare export", settings),
  program("regedit set-itemproperty new-itemproperty remove-itemproperty", () => settings),
  program("schtasks", ({ words }) =>
    words.some(({ text }) => /^\/query$/iu.test(text)) || words.length === 0 ? [] : [startsItself],
  ),
  changes("register-scheduledtask new-service", [startsItself]),
  changes("taskkill tskill stop-process spps", [danger("high", "it stops processes")]),
  program("bcdedit", ({ words }) =>
    words.length === 0 || words.some(({ text }) => /^\/enum/iu.test(text))
      ? []
      : [danger("critical", "it changes how the machine starts")],
  ),
  unlessVerb("vssadmin wbadmin", "list get", [
    danger("critical", "it removes the copies that a loss could be restored from"),
  ]),
  unlessVerb("wmic", "os cpu bios", [danger("high", "it asks the system to do something")]),
  unlessVerb("sc sc.exe", "query queryex qc", services),
  unlessVerb("net net1", "view statistics help", settings),
  unlessVerb("netsh", "show dump", settings),
  program("icacls takeown cacls", ({ operands }) =>
    operands.length > 1 ? [danger("high", "it changes who may do what with files")] : [],
  ),
  unlessVerb("wevtutil fsutil", "qe gl el gli query", [
    danger("critical", "it changes or clears what the system keeps"),
  ]),
  unlessVerb("cipher", "", ({ words }) => (words.some(({ text }) => /^\/w/iu.test(text)) ? disks : [])),
  changes("certutil bitsadmin", [downloads]),
  changes("mshta rundll32 regsvr32 msiexec installutil cmstp", [runsCode]),
  program("cscript wscript", ({ operands }) => operands.slice(0, 1).map((path) => loads(path))),
  program("invoke-expression", evaluated, { kind: "interpreter" }),
  program("invoke-webrequest iwr invoke-restmethod irm start-bitstransfer", fetched),
  program("invoke-command icm start-process saps", started, { kind: "wrapper" }),
  changes("set-executionpolicy set-mppreference add-mppreference", protection),
  changes("stop-computer restart-computer", [
    danger("critical", "it turns the machine off or starts it anew"),
  ]),
  changes("stop-service start-service restart-service set-service suspend-service", services),
  shows(
    "get-childitem gci get-content gc get-location get-process get-service get-item write-host write-output",
  ),
  shows(
    `select-string select-object where-object sort-object measure-object test-path get-date get-command
      ver tasklist`,
  ),
  shows("systeminfo ipconfig findstr"),
];

export const otherSystems: readonly Program[] = [...macos, ...desktops, ...windows];

/** AppleScript: only the shell commands in it are analysed. */
function* scripted(use: Use): Iterable<Effect> {
  const codes = use.values("e");
  const isJavaScript = /^javascript$/iu.test(use.value("l")?.text ?? "");
  for (const code of codes) {
    yield interprets(isJavaScript ? "javascript" : "other", code);
    for (const [, line = ""] of code.text.matchAll(/do shell script\s+"((?:[^"\\]|\\.)*)"/gu)) {
      yield danger("high", "its script runs a command");
      yield interprets("shell", withText(code, line.replaceAll(/\\(.)/gu, "$1")));
    }
  }
  const [file] = use.operands;
  if (codes.length > 0) return;
  yield file && file.text !== "-" ? loads(file) : { type: "interprets-input", language: "other" };
}

function launched({ operands: [verb] }: Use): Effect[] {
  const persists = verb && /^(?:load|bootstrap|submit|enable|setenv|asuser|bsexec)$/u.test(verb.text);
  if (verb?.text === "reboot") return [danger("critical", "it starts the machine anew")];
  return persists ? [startsItself] : services;
}

function disked({ operands: [verb] }: Use): Effect[] {
  const mounts =
    verb && /^(?:mount|unmount|mountDisk|unmountDisk|umount|eject|verifyVolume|verifyDisk)$/u.test(verb.text);
  return mounts ? [danger("high", "it changes which disks are in use")] : disks;
}

function backup({ operands: [verb] }: Use): Effect[] {
  const loses = verb && /^(?:delete.*|thinlocalsnapshots|disable)$/u.test(verb.text);
  return [danger(loses ? "critical" : "high", "it changes or removes backups")];
}

/** `rd /s /q C:\x`, `Remove-Item -Recurse x`. */
function removed({ words }: Use): Effect[] {
  const deep = words.some(({ text }) => /^(?:\/s|-r\w*)$/iu.test(text));
  const paths = words.filter(({ text }) => !/^(?:\/[a-z]|-\w+)$/iu.test(text));
  return paths.map((path) => ({ type: "deletes", path, deep }));
}

function* evaluated({ words }: Use): Iterable<Effect> {
  const own = words.filter(({ text }) => !/^-\w+$/u.test(text));
  if (own.length > 0) yield interprets("shell", joined(own, " "));
  else yield { type: "interprets-input", language: "shell" };
}

function* fetched({ words }: Use): Iterable<Effect> {
  const target = after(words, /^-o(?:ut\w*)?$/iu);
  const address = after(words, /^-u(?:ri)?$/iu) ?? words.find(({ text }) => !text.startsWith("-"));
  yield { type: "fetches", from: address };
  yield* reads(words.filter((_, at) => /^-inf\w*$/iu.test(words[at - 1]?.text ?? "")));
  if (target) yield* replaces([target]);
  else yield { type: "prints", flows: ["network"] };
}

const after = (words: readonly Word[], option: RegExp): Word | undefined =>
  words[words.findIndex(({ text }) => option.test(text)) + 1 || words.length];

function* started({ words }: Use): Iterable<Effect> {
  const program = after(words, /^-f(?:ile\w*)?$/iu);
  yield danger("high", "it starts another program");
  yield* command(program ? [program] : words.filter(({ text }) => !/^-\w+$/u.test(text)));
}

/** A URL opens in a browser, a file in its associated program; a program opens by itself. */
function* opened({ operands, values }: Use): Iterable<Effect> {
  for (const application of values("a")) if (application.text.includes("/")) yield loads(application);
  for (const target of operands) {
    if (/^[a-z][a-z+.-]*:/iu.test(target.text) || isUnknown(target))
      yield target.carries.size > 0
        ? { type: "sends", to: target, words: [target] }
        : { type: "fetches", from: target };
    else if (
      /\.(?:app|command|desktop|sh|workflow|scpt|terminal|exe|bat|pkg|dmg|jar)\/?$/iu.test(target.text)
    )
      yield loads(target);
    else yield* reads([target]);
  }
}
