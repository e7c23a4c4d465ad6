/** Detects whether a program waits for terminal input, from what Linux reports about its processes. */

import { readdirSync, readFileSync, readlinkSync, statSync } from "node:fs";
import { attempt } from "../expected.ts";
import type { DeviceFile } from "./pty.ts";
import { waitsForInput } from "./waits-for-input.ts";

export type TerminalReader =
  /** A foreground program is blocked until something is typed. */
  | { kind: "reads"; pid: number; name: string }
  | { kind: "works"; name: string | undefined }
  /** The system does not tell; `sleeps`: it may be waiting. */
  | { kind: "unknown"; name: string | undefined; sleeps: boolean };

type Process = { pid: number; name: string; state: string; group: number; foreground: number };

/** `leader` is the first process on the terminal. Processes in other namespaces are included. */
export function readerOf(leader: number, terminal: DeviceFile | undefined): TerminalReader {
  const first = processAt(leader);
  if (!first || !terminal) return { kind: "unknown", name: undefined, sleeps: process.platform !== "linux" };
  const family = familyOf(first);
  const group = first.foreground > 0 ? family.filter(({ group }) => group === first.foreground) : family;
  const told = group.map((one) => ({
    ...one,
    waits: waitsForInput(one.pid, (pid, fd) => isIt(pid, fd, terminal)),
  }));
  const reader = told.findLast(({ waits }) => waits === true);
  if (reader) return { kind: "reads", pid: reader.pid, name: reader.name };
  const { name } = group.at(-1) ?? { name: undefined };
  const isHidden = told.length > 0 && told.every(({ waits }) => waits === undefined);
  if (!isHidden) return { kind: "works", name };
  return { kind: "unknown", name, sleeps: told.every(({ state }) => state === "S") };
}

/** Bytes that the process has read from any source; undefined if the system does not tell. */
export function bytesReadBy(pid: number): number | undefined {
  try {
    const read = /^rchar: (\d+)$/m.exec(readFileSync(`/proc/${pid}/io`, "utf8"))?.[1];
    return read === undefined ? undefined : Number(read);
  } catch {
    return undefined;
  }
}

/** The process and all its descendants. */
export function familyAt(pid: number): number[] {
  const first = processAt(pid);
  return first ? familyOf(first).map((one) => one.pid) : [];
}

/** The number of descendants of the process. */
export const countBelow = (pid: number): number => Math.max(0, familyAt(pid).length - 1);

type NamedProcess = { pid: number; name: string };

const shells =
  /^(?:r?bash|sh|dash|zsh|fish|[mp]?d?ksh(?:93)?|m?ksh|ash|yash|t?csh|nu|xonsh|elvish|pwsh|busybox)$/;

/** Judges by the name alone. */
export const isShell = ({ name }: Pick<NamedProcess, "name">): boolean => shells.test(name);

/** Whether the process is a shell that reads commands from a person, not from a script. */
export function isInteractiveShell(process: NamedProcess): boolean {
  if (!isShell(process)) return false;
  const given = argumentsOf(process.pid);
  if (!given) return true;
  const [first = "", ...rest] = given;
  return readsCommands(process.name === "busybox" && /^(?:ba|a|hu)?sh$/.test(first) ? rest : given);
}

/** Shell options that take the next word as their value. */
const withValue = /^(?:--(?:rcfile|init-file|init-command)|[-+][A-Za-z]*[oOC])$/;
const terminalItself = /^(?:-|\/dev\/(?:tty|stdin|fd\/0)|\/proc\/self\/fd\/0)$/;

function readsCommands(given: readonly string[]): boolean {
  for (let at = 0; at < given.length; at++) {
    const word = given[at] ?? "";
    if (/^-[A-Za-z]*s/.test(word) || terminalItself.test(word)) return true;
    if (/^-[A-Za-z]*c/.test(word) || !/^[-+]/.test(word)) return false;
    if (withValue.test(word)) at += 1;
  }
  return true;
}

/** Programs that usually run a shell on another terminal or another machine. */
const carriers =
  /^(?:script|tmux(?:: client)?|screen|zellij|dtach|ssh|mosh(?:-client)?|docker|podman|kubectl|lxc|su|sudo|doas|runuser|nsenter)$/;

export const isShellElsewhere = ({ name }: Pick<NamedProcess, "name">): boolean => carriers.test(name);

/** The arguments after the program's name; undefined if the system does not tell. */
const argumentsOf = (pid: number): string[] | undefined =>
  attempt(() => readFileSync(`/proc/${pid}/cmdline`, "utf8").replace(/\0$/, "").split("\0").slice(1));

/** The working directory of the process; undefined if the system does not tell. */
export const directoryOf = (pid: number): string | undefined =>
  attempt(() => readlinkSync(`/proc/${pid}/cwd`));

const mostProcesses = 200;

function familyOf(first: Process): Process[] {
  const family = [first];
  for (const { pid } of family) {
    if (family.length > mostProcesses) break;
    family.push(...childrenOf(pid).flatMap((child) => processAt(child) ?? []));
  }
  return family;
}

function childrenOf(pid: number): number[] {
  try {
    const threads = readdirSync(`/proc/${pid}/task`);
    return threads.flatMap((thread) => {
      const text = readFileSync(`/proc/${pid}/task/${thread}/children`, "utf8").trim();
      return text === "" ? [] : text.split(" ").map(Number);
    });
  } catch {
    return [];
  }
}

/** Parses /proc/PID/stat, whose second field is a name in brackets that may hold any characters (proc_pid_stat(5)). */
function processAt(pid: number): Process | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const end = stat.lastIndexOf(")");
    const [state = "", , group, , , foreground] = stat.slice(end + 2).split(" ");
    const name = nameOf(pid, stat.slice(stat.indexOf("(") + 1, end));
    return { pid, name, state, group: Number(group), foreground: Number(foreground) };
  } catch {
    return undefined;
  }
}

/** A V8 program's /proc name is that of its first thread. */
function nameOf(pid: number, known: string): string {
  if (known !== "MainThread") return known;
  const [program = ""] = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
  return program.slice(program.lastIndexOf("/") + 1) || known;
}

/** The kernel's device number of /dev/tty, which is each process's controlling terminal. */
const ownTerminal = 0x500;

function isIt(pid: number, fd: number, terminal: DeviceFile): boolean {
  try {
    const { dev, ino, rdev } = statSync(`/proc/${pid}/fd/${fd}`);
    return rdev === ownTerminal || (dev === terminal.dev && ino === terminal.ino);
  } catch {
    return false;
  }
}
