/**
 * Reads in which system call a process is blocked, and on which descriptors: /proc/PID/syscall (proc_pid_syscall(5)).
 */

import { closeSync, openSync, readdirSync, readFileSync, readSync } from "node:fs";
import { attempt } from "../expected.ts";

type BlockingCall = "read" | "poll" | "select" | "epoll";

/** Keyed by system call number, which differs between architectures. */
const calls: Readonly<Record<string, Readonly<Record<number, BlockingCall>>>> = {
  x64: {
    0: "read",
    7: "poll",
    17: "read",
    19: "read",
    23: "select",
    232: "epoll",
    270: "select",
    271: "poll",
    281: "epoll",
    441: "epoll",
  },
  arm64: { 22: "epoll", 63: "read", 65: "read", 72: "select", 73: "poll", 441: "epoll" },
};

const mostThreads = 64;

/**
 * Whether one of its threads is blocked on reading a descriptor for which `isWanted` is true. `undefined`: the system
 * does not tell, because the process belongs to another user or the architecture is unknown.
 */
export function waitsForInput(
  pid: number,
  isWanted: (pid: number, fd: number) => boolean,
): boolean | undefined {
  const known = calls[process.arch];
  if (!known) return undefined;
  let isTold = false;
  for (const thread of threadsOf(pid)) {
    const call = callOf(pid, thread);
    if (call === undefined) continue;
    isTold = true;
    const waiting = call.number === undefined ? undefined : known[call.number];
    if (waiting && descriptorsOf(pid, waiting, call.given).some((fd) => isWanted(pid, fd))) return true;
  }
  return isTold ? false : undefined;
}

const threadsOf = (pid: number): string[] =>
  attempt(() => readdirSync(`/proc/${pid}/task`).slice(0, mostThreads)) ?? [];

/** A process without a `number` is running. */
type SystemCall = { number: number | undefined; given: number[] };

function callOf(pid: number, thread: string): SystemCall | undefined {
  try {
    const [number = "", ...given] = readFileSync(`/proc/${pid}/task/${thread}/syscall`, "utf8").split(" ");
    return { number: /^\d+$/.test(number) ? Number(number) : undefined, given: given.map(Number) };
  } catch {
    return undefined;
  }
}

function descriptorsOf(pid: number, waiting: BlockingCall, given: readonly number[]): number[] {
  const [first = 0, second = 0] = given;
  switch (waiting) {
    case "read":
      return [first];
    case "poll":
      return pollDescriptors(memoryAt(pid, first, Math.min(second, 1024) * 8));
    case "select":
      return second === 0
        ? []
        : selectDescriptors(memoryAt(pid, second, Math.ceil(Math.min(first, 1024) / 64) * 8));
    case "epoll":
      return epollDescriptors(pid, first);
    default:
      return waiting satisfies never;
  }
}

const readable = 1;

/** Parses an array of `struct pollfd`: four bytes of descriptor, two of events. */
function pollDescriptors(bytes: Buffer): number[] {
  const count = Math.floor(bytes.length / 8);
  const entries = Array.from({ length: count }, (_, at) => at * 8);
  return entries.filter((at) => bytes.readInt16LE(at + 4) & readable).map((at) => bytes.readInt32LE(at));
}

/** Parses an `fd_set`: one bit per descriptor. */
function selectDescriptors(bytes: Buffer): number[] {
  const numbers = Array.from({ length: bytes.length * 8 }, (_, number) => number);
  return numbers.filter((number) => ((bytes[number >> 3] ?? 0) >> (number & 7)) & 1);
}

/** The descriptors that an epoll instance watches, one per line of its fdinfo. */
function epollDescriptors(pid: number, fd: number): number[] {
  try {
    const lines = readFileSync(`/proc/${pid}/fdinfo/${fd}`, "utf8").matchAll(
      /^tfd:\s*(\d+)\s+events:\s*([0-9a-f]+)/gm,
    );
    return [...lines]
      .filter(([, , events = "0"]) => Number.parseInt(events, 16) & readable)
      .map(([, number]) => Number(number));
  } catch {
    return [];
  }
}

function memoryAt(pid: number, address: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  let memory: number | undefined;
  try {
    memory = openSync(`/proc/${pid}/mem`, "r");
    return bytes.subarray(0, readSync(memory, bytes, 0, length, address));
  } catch {
    return Buffer.alloc(0);
  } finally {
    if (memory !== undefined) closeSync(memory);
  }
}
