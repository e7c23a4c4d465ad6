/** The system calls that are watched in a contained command: what tells what the kernel may be about to refuse. */

import {
  allow,
  archField,
  archWord,
  argumentField,
  assembleFilter,
  give,
  ifEqual,
  type Instruction,
  load,
  type MachineArchitecture,
  numberField,
  unlessBits,
  unlessEqual,
} from "./seccomp.ts";

/**
 * What a call does, and which of its arguments say with what: `connect` and `send` (address, length), `listen`, `signal`
 * (process, signal), `open`
 * (directory, path, flags; without them O_WRONLY, O_CREAT and O_TRUNC), `open2` (directory, path, structure), and, each
 * with a directory and a path, `make`, `remove` and `change`; `rename` has two pairs. A directory of -1 is the current
 * one.
 */
type WatchedCall = { does: string; given: readonly number[]; x64?: number; arm64?: number };

const watchedCall = (does: string, given: readonly number[], x64?: number, arm64?: number): WatchedCall => ({
  does,
  given,
  ...(x64 === undefined ? {} : { x64 }),
  ...(arm64 === undefined ? {} : { arm64 }),
});

/** From the kernel's tables: arch/x86/entry/syscalls/syscall_64.tbl and include/uapi/asm-generic/unistd.h. */
const calls: readonly WatchedCall[] = [
  watchedCall("connect", [1, 2], 42, 203),
  watchedCall("listen", [], 50, 201),
  watchedCall("send", [4, 5], 44, 206),
  watchedCall("signal", [0, 1], 62, 129), // kill; not tgkill, by which threads signal each other all the time
  watchedCall("open", [-1, 0, 1], 2),
  watchedCall("open", [0, 1, 2], 257, 56),
  watchedCall("open2", [0, 1, 2], 437, 437),
  watchedCall("open", [-1, 0], 85), // creat
  watchedCall("make", [-1, 0], 83), // mkdir
  watchedCall("make", [0, 1], 258, 34),
  watchedCall("make", [-1, 0], 133), // mknod
  watchedCall("make", [0, 1], 259, 33),
  watchedCall("make", [-1, 1], 86), // link
  watchedCall("make", [2, 3], 265, 37),
  watchedCall("make", [-1, 1], 88), // symlink
  watchedCall("make", [1, 2], 266, 36),
  watchedCall("remove", [-1, 0], 84), // rmdir
  watchedCall("remove", [-1, 0], 87), // unlink
  watchedCall("remove", [0, 1], 263, 35),
  watchedCall("rename", [-1, 0, -1, 1], 82),
  watchedCall("rename", [0, 1, 2, 3], 264, 38),
  watchedCall("rename", [0, 1, 2, 3], 316, 276), // renameat2
  watchedCall("change", [-1, 0], 76, 45), // truncate
  watchedCall("change", [-1, 0], 90), // chmod
  watchedCall("change", [0, 1], 268, 53),
  watchedCall("change", [0, 1], 452, 452), // fchmodat2
  watchedCall("change", [-1, 0], 92), // chown
  watchedCall("remove", [-1, 0], 94), // lchown: of the link itself, too
  watchedCall("change", [0, 1], 260, 54),
];

/** What an opening that may change something has in its flags: O_WRONLY, O_RDWR, O_CREAT, O_TRUNC. */
const changingFlags = 0x243;

/** The size that the watching program gives, which no other does: the kernel ignores zeros at the end. */
const ownSize = 64;

const notify = give(0x7fc0_0000);

/** Each call of this machine: its number, what it does, and its arguments, as words for the watching program. */
export const watchedWords = (machine: MachineArchitecture): string[] =>
  calls.flatMap(({ [machine]: number, does, given }) =>
    number === undefined ? [] : [[number, does, ...given].join(" ")],
  );

/** The filter that notifies; bubblewrap's own decides on all calls. */
export function watchingFilter(machine: MachineArchitecture): Uint8Array {
  const blocks = calls.flatMap(({ [machine]: number, does, given }): Instruction[] => {
    if (number === undefined) return [];
    const [address = 0, signal = 0, flags] = given;
    if (does === "open" && flags !== undefined)
      return onlyIf(number, flags, [unlessBits(changingFlags, 1), notify, allow]);
    if (does === "open2") return onlyIf(number, 3, [ifEqual(ownSize, 1), notify, allow]);
    // Without an address it sends on what is connected.
    if (does === "send") return onlyIf(number, address, [ifEqual(0, 1), notify, allow]);
    // Signal 0 only asks whether somebody is there.
    if (does === "signal") return onlyIf(number, signal, [ifEqual(0, 1), notify, allow]);
    return [unlessEqual(number, 1), notify];
  });
  const foreign = [load(archField), ifEqual(archWord[machine], 1), allow];
  return assembleFilter([...foreign, load(numberField), ...blocks, allow]);
}

const onlyIf = (number: number, argument: number, then: readonly Instruction[]): Instruction[] => [
  unlessEqual(number, then.length + 1),
  load(argumentField(argument)),
  ...then,
];
