/** Programs that inspect the machine and print the result. Some have an option that changes a setting instead. */

import { posix } from "node:path";
import { isLiteral, literal, unknownWord, type Word, withText } from "../../command-line/word.ts";
import { isSecretVariable } from "../../secret-variables.ts";
import { danger, doesMore, printsVariables, runs } from "../effect-makers.ts";
import type { Effect } from "../effect.ts";
import { directoryOf, nameOf, nothing, readsFiles, writes } from "../file-effect-makers.ts";
import { program, type Program, type Use } from "../program.ts";
import { printing } from "../text/printing.ts";

/** Resolves a path, as far as its text allows. */
function tellsPlace({ operands: [path, ...more], around: { directory }, has }: Use): Effect[] {
  if (!path || more.length > 0 || !isLiteral(path) || has("relative-to", "relative-base")) return [];
  const isAbsolute = path.text.startsWith("/");
  if (!isAbsolute && directory === undefined) return [];
  return [{ type: "prints", text: literal(posix.resolve(directory ?? "/", path.text)) }];
}

const setsClock = danger("high", "it sets the clock of this machine");
const printsSecrets: Effect = { type: "prints", flows: ["secret"] };

export const looking: readonly Program[] = [
  ...printing,

  program("stat gstat du gdu df gdf pathchk", nothing),
  program("realpath grealpath", tellsPlace, { options: { long: ["relative-to", "relative-base"] } }),
  program("readlink greadlink", (use) => (use.has("f", "e", "m", "canonicalize") ? tellsPlace(use) : [])),
  program("dust duf ncdu diskus broot nnn lf ranger", nothing),
  program("dirname gdirname", ({ operands: [path] }) => namePrinted(path, directoryOf)),
  program("basename gbasename", ({ operands: [path, ending], has }) =>
    namePrinted(ending || has("a", "s", "suffix", "multiple") ? undefined : path, nameOf),
  ),
  program("file", looksAtFiles, {
    options: {
      short: "eFfmP",
      long: ["magic-file", "files-from", "exclude", "separator", "parameter", "exclude-quiet"],
      known: ["compile", "brief", "mime", "mime-type", "mime-encoding", "uncompress"],
    },
  }),
  program("whoami id gid groups logname users who w last lastb lastlog finger pinky tty", nothing),
  program("getent", ({ operands }) =>
    /^g?shadow$/u.test(operands[0]?.text ?? "")
      ? readsFiles([literal("/etc/shadow")])
      : /^a?hosts/u.test(operands[0]?.text ?? "") && operands[1]
        ? [{ type: "fetches", from: operands[1] }]
        : [],
  ),
  program(
    `uname guname nproc gnproc getconf lsb_release sw_vers system_profiler machine hostid hwinfo
      dmidecode inxi neofetch fastfetch screenfetch pfetch cpuid nvidia-smi rocm-smi sensors acpi upower`,
    nothing,
  ),
  program(
    `uptime free vmstat iostat mpstat pidstat sar slabtop htop btop btm bpytop glances atop iotop nmon
      top gtop`,
    nothing,
  ),
  program("ps procs", listsProcesses),
  program("pwd gpwd", ({ around: { directory } }) => [
    { type: "prints", text: directory === undefined ? unknownWord() : literal(directory) },
  ]),
  program("pgrep pidof pstree pwdx pmap lslocks lsns lsipc ipcs lslogins", nothing),
  program("mountpoint", nothing),
  program("date gdate", tellsTime, {
    options: {
      short: "dfrsvz",
      attached: "I",
      long: ["date", "file", "reference", "set", "rfc-3339"],
      known: ["universal", "utc", "iso-8601", "rfc-email", "debug"],
    },
  }),
  program("cal ncal gcal zdump tzselect hebcal ddate", nothing),
  program("sleep gsleep usleep", nothing),
  program("hostname", tellsName, { options: { short: "F", long: ["file"] } }),
  program("dnsdomainname domainname nisdomainname", ({ operands }) =>
    operands.length > 0 ? [danger("high", "it renames this machine")] : [],
  ),
  program("hostnamectl timedatectl localectl", setsByVerb, {
    options: { short: "HM", long: ["host", "machine"] },
  }),
  program("printenv", printsEnvironment),
  program("locale", nothing),
  program("tput clear cls reset tset stty setterm infocmp toe tabs resize consoletype", nothing),
  program("expr gexpr", nothing),
  program("uuidgen mcookie pwgen apg diceware", () => [{ type: "prints", flows: ["random"] }]),
  program("logger", logs, {
    options: {
      short: "fnptPSiu",
      long: [
        "file",
        "server",
        "port",
        "priority",
        "tag",
        "size",
        "socket",
        "rfc3164",
        "rfc5424",
        "id",
        "sd-id",
      ],
    },
  }),
  program(
    "getopt gettext ngettext dircolors errno manpath xdg-user-dir zoxide z autojump cygpath wslpath",
    nothing,
  ),
  program("pidwait pslog prtstat peekfd tload fincore lsfd lsirq utmpdump isosize runlevel", nothing),
  program("xprop xwininfo xdpyinfo xlsclients xlsfonts xev xrandr xset fc-query fc-scan", nothing),
  program("dialog whiptail zenity kdialog charm", nothing),
  program(
    "gum",
    ({ operands: [verb, ...rest] }) => (verb?.text === "spin" && rest.length > 0 ? [runs(rest)] : []),
    {
      kind: "wrapper",
      options: {
        short: "s",
        long: ["spinner", "title", "title.foreground", "spinner.foreground", "align", "timeout"],
      },
    },
  ),
  program(
    "inotifywait inotifywatch fswatch",
    ({ values }) => [...readsFiles(values("fromfile")), ...writes(values("o", "outfile"), "replaces")],
    {
      options: {
        short: "etofl",
        long: ["event", "timeout", "outfile", "fromfile", "exclude", "format", "timefmt"],
      },
    },
  ),
  program("lpstat lpq", nothing),
  program(
    "lp lpr a2ps enscript",
    ({ operands, values }) => [
      ...readsFiles(operands),
      ...writes(
        values("o", "output").filter(({ text }) => !text.includes("=")),
        "replaces",
      ),
    ],
    { options: { short: "doPnp", long: ["output"] } },
  ),
  program("ascii unicode uni", nothing),
  program("editorconfig", ({ operands }) => readsFiles(operands)),
];

/** The exact output if the path is known. */
function namePrinted(path: Word | undefined, part: (path: Word) => Word): Effect[] {
  if (!path || !isLiteral(path)) return [];
  return [{ type: "prints", text: withText(path, `${part(path).text}\n`) }];
}

function* looksAtFiles(use: Use): Iterable<Effect> {
  yield* readsFiles([...use.operands, ...use.values("f", "files-from", "m", "magic-file")]);
  if (!use.has("C", "compile")) return;
  const [magic = literal("magic")] = use.values("m", "magic-file");
  yield* writes([{ ...magic, text: `${magic.text}.mgc` }], "replaces");
}

/** Without a dash, `e` adds the environment of every process: `ps auxe`. */
function listsProcesses({ words: [first] }: Use): Effect[] {
  return /^(?=.*e)[aAcefgGhHjklmnNosStTuvwWxXZ]+$/u.test(first?.text ?? "") ? [printsSecrets] : [];
}

/** Writes to the log of this machine or of another. */
function* logs({ operands, values, value }: Use): Iterable<Effect> {
  const files = values("f", "file");
  const to = value("n", "server");
  yield doesMore;
  if (to) yield { type: "sends", to, words: operands, files, input: operands.length + files.length === 0 };
  else yield* readsFiles(files);
}

/** A bare number sets the clock; a format starts with a plus. */
function* tellsTime(use: Use): Iterable<Effect> {
  yield* readsFiles(use.values("f", "file").filter(({ text }) => !text.includes("%")));
  const isMac = use.has("j", "v") || use.values("f").some(({ text }) => text.includes("%"));
  const isNumber = use.operands.some(({ text }) => /^\d{4,}(?:\.\d+)?$/u.test(text));
  if (use.has("s", "set") || (isNumber && !isMac)) yield setsClock;
  const format = use.operands.find(({ text }) => text.startsWith("+"));
  if (format) yield { type: "prints", text: withText(format, `${dated(format.text.slice(1))}\n`) };
}

/** A digit represents the clock's output: no date contains characters that matter where it is used. */
function dated(format: string): string {
  const plain: Readonly<Record<string, string>> = { "%%": "%", "%n": "\n", "%t": "\t" };
  return format.replaceAll(
    /%(?:[-_0^#+:]{0,4}\d{0,3}[EO]?[a-zA-Z]|%)/gu,
    (directive) => plain[directive] ?? "0",
  );
}

function* tellsName(use: Use): Iterable<Effect> {
  yield* readsFiles(use.values("F", "file"));
  if (use.operands.length > 0 || use.has("F", "file", "b", "boot"))
    yield danger("high", "it renames this machine");
}

function setsByVerb({ operands }: Use): Effect[] {
  return operands.some(({ text }) => text.startsWith("set-"))
    ? [danger("high", "it changes settings of this machine")]
    : [];
}

/** Prints the whole environment, or the named variables. */
function printsEnvironment({ operands }: Use): Effect[] {
  if (operands.length === 0) return [printsVariables];
  return operands.some(({ text }) => isSecretVariable(text)) ? [printsSecrets] : [];
}
