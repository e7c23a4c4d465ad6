/** Programs that run the command following their own options. */

import { isUnknown, joined, type Word } from "../../command-line/word.ts";
import { danger, interprets, loads, replaces, runs } from "../effect-makers.ts";
import type { Effect } from "../effect.ts";
import { type Program, program, type Use } from "../program.ts";
import { command, readAgain, wrapper } from "./wrapping.ts";

const writesTo =
  (...options: readonly string[]) =>
  (use: Use): Effect[] =>
    replaces(use.values(...options));

export const wrappers: readonly Program[] = [
  wrapper("nohup setsid eatmydata catchsegv noglob nocorrect chronic ifne"),
  wrapper("builtin winpty stdoutisatty tini catatonit with-contenv -", { short: "eprc" }),
  wrapper("dumb-init", { short: "r", long: ["rewrite"] }),
  wrapper("command", {}, { idle: ["v", "V"] }),
  wrapper("exec", { short: "a" }),
  wrapper("coproc"),
  wrapper("unbuffer"),
  wrapper(
    "timeout gtimeout",
    { short: "ks", long: ["kill-after", "signal"], known: ["foreground", "preserve-status", "verbose"] },
    { skip: 1 },
  ),
  wrapper("nice gnice", { short: "n", long: ["adjustment"] }),
  wrapper("ionice", { short: "cnpPu", long: ["class", "classdata", "pid", "pgid", "uid"] }),
  program("chrt", scheduled, { kind: "wrapper", options: { short: "TPD", stopAtOperand: true } }),
  wrapper("taskset", {}, { skip: 1, idle: ["p", "pid"] }),
  wrapper("choom", { short: "np", long: ["adjust", "pid"] }),
  wrapper("prlimit", { short: "po", long: ["pid", "output"] }),
  wrapper("uclampset", { short: "mMp", long: ["pid"] }),
  wrapper("stdbuf gstdbuf", { short: "ioe", long: ["input", "output", "error"] }),
  wrapper("numactl", {
    short: "iNmCpPlw",
    long: ["interleave", "cpunodebind", "membind", "physcpubind", "preferred"],
  }),
  wrapper("cpulimit", { short: "lpePc", long: ["limit", "pid", "exe", "path", "cpu"] }),
  wrapper("trickle", { short: "udwtnsL" }),
  wrapper("caffeinate", { short: "tw" }),
  wrapper("xcrun", { oneDash: true, long: ["sdk", "toolchain"] }, { idle: ["find", "f", "show-sdk-path"] }),
  wrapper("arch", { oneDash: true, long: ["e", "d"] }),
  wrapper("time gtime", { short: "fo", long: ["format", "output"] }, { beside: writesTo("o", "output") }),
  wrapper("rlwrap", { short: "bCDfgHilmMOPqSstTwz" }, { beside: filtered }),
  wrapper("softlimit chpst", { short: "acdeflmnoprstuU/" }),
  wrapper("setlock lckdo envdir envuidgid", { short: "W" }, { skip: 1 }),
  wrapper("fakeroot fakeroot-ng fakechroot pseudo", { short: "lsib", long: ["lib", "faked"] }),
  wrapper("faketime", { short: "p", long: ["date-prog"] }, { skip: 1 }),
  wrapper("dbus-run-session dbus-launch", { long: ["config-file", "dbus-daemon"] }),
  wrapper("xvfb-run", {
    short: "efnpsw",
    long: ["error-file", "auth-file", "server-num", "server-args", "xauth-protocol", "wait"],
  }),
  wrapper("systemd-inhibit", { long: ["what", "who", "why", "mode"] }, { idle: ["list"] }),
  wrapper("systemd-cat", { short: "tp", long: ["identifier", "priority"] }),
  wrapper(
    "bear scan-build intercept-build heaptrack",
    { short: "o", long: ["output"] },
    { beside: writesTo("o", "output") },
  ),
  wrapper("kcov", {}, { skip: 1, beside: ({ operands }) => replaces(operands.slice(0, 1)) }),
  wrapper("ccache sccache distcc icecc", { short: "FMdo" }),
  wrapper("firejail", { short: "c" }, { beside: (use) => shellCode(use.value("c")) }),
  wrapper("qemu-x86_64 qemu-aarch64 qemu-arm qemu-i386 qemu-riscv64 wine wine64", {
    short: "LEgsp",
    oneDash: false,
  }),
  program("setarch", architecture, { kind: "wrapper", options: { stopAtOperand: true } }),
  wrapper("linux32 linux64 i386 i686 x86_64", {}, { beside: shellWithoutCommand }),
  wrapper("busybox toybox", {}, { beside: installsApplets, idle: ["list", "list-full", "install"] }),
  program(
    `ld.so ld-linux.so.2 ld-linux-x86-64.so.2 ld-linux-aarch64.so.1 ld-linux-armhf.so.3
      ld-musl-x86_64.so.1 ld64.so.2`,
    loadedDirectly,
    {
      kind: "wrapper",
      options: { long: ["preload", "library-path", "audit", "inhibit-rpath", "argv0"], stopAtOperand: true },
    },
  ),
  program("flock gflock", locked, {
    kind: "wrapper",
    options: { short: "wE", long: ["wait", "timeout", "conflict-exit-code"], stopAtOperand: true },
  }),
  program("watch gwatch", watched, {
    kind: "wrapper",
    options: { short: "nqs", long: ["interval", "equexit", "shotsdir"], stopAtOperand: true },
  }),
];

function shellCode(code: Word | undefined): Effect[] {
  return code ? [interprets("shell", code)] : [];
}

/** Without a command it runs a shell that executes its standard input. */
function shellWithoutCommand({ operands }: Use): Effect[] {
  return operands.length > 0 ? [] : [{ type: "interprets-input", language: "shell" }];
}

function* scheduled({ operands, has }: Use): Iterable<Effect> {
  if (has("p", "pid", "m", "max")) return;
  const [priority] = operands;
  yield* command(operands.slice(priority && /^\d+$/u.test(priority.text) ? 1 : 0));
  if (priority && isUnknown(priority)) yield* command(operands.slice(1));
}

function filtered(use: Use): Effect[] {
  return use.values("z").map((filter) => runs([filter]));
}

/** `setarch [architecture] [options] [command]`. */
function* architecture(use: Use): Iterable<Effect> {
  const form = { stopAtOperand: true };
  const [first, ...rest] = use.operands;
  if (use.has("list")) return;
  const inner =
    first === undefined ? use : readAgain(use, use.options.length > 0 ? use.operands : rest, form);
  yield* command(inner.operands);
  if (use.options.length > 0) yield* command(rest);
  yield* shellWithoutCommand(inner);
}

function installsApplets(use: Use): Effect[] {
  return use.has("install") ? [danger("high", "it puts itself in the place of many programs")] : [];
}

/** The dynamic loader, called directly, runs the program named by its first operand. */
function* loadedDirectly(use: Use): Iterable<Effect> {
  if (use.has("list", "verify", "help", "version")) return;
  for (const library of use.values("preload", "audit")) {
    yield danger("high", "it loads a library into the program");
    yield loads(library);
  }
  for (const path of use.values("library-path")) yield loads(path);
  yield* command(use.operands);
}

/** `flock file command …`, `flock file -c 'shell code'`, `flock 9`. */
function* locked({ operands }: Use): Iterable<Effect> {
  const rest = operands.slice(1);
  const [flag, code] = rest;
  if (flag?.text === "-c" || flag?.text === "--command" || flag?.text.startsWith("--command=")) {
    const inline = flag.text.startsWith("--command=") ? { ...flag, text: flag.text.slice(10) } : code;
    if (inline) yield interprets("shell", inline);
  } else yield* command(rest);
}

/** The words are joined into one shell command line. */
function* watched(use: Use): Iterable<Effect> {
  if (use.operands.length === 0) return;
  if (use.has("x", "exec")) yield* command(use.operands);
  else yield interprets("shell", joined(use.operands, " "));
}
