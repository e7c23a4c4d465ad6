/** System calls that no sandboxed command needs, with their numbers on the supported architectures. */

/** `missing` fails as on an old kernel (programs then use a fallback), `forbidden` as for an unprivileged user. */
export type SystemCallRefusal = "missing" | "forbidden";

type RefusedCall = {
  name: string;
  refusal: SystemCallRefusal;
  /** The call's number; undefined if the architecture lacks it. */
  x64?: number;
  arm64?: number;
};

const both = (number: number): { x64: number; arm64: number } => ({ x64: number, arm64: number });
const call = (name: string, refusal: SystemCallRefusal, x64: number, arm64?: number): RefusedCall => ({
  name,
  refusal,
  x64,
  ...(arm64 === undefined ? {} : { arm64 }),
});

/** From the kernel's tables: arch/x86/entry/syscalls/syscall_64.tbl and include/uapi/asm-generic/unistd.h. */
export const refusedCalls: readonly RefusedCall[] = [
  { name: "io_uring_setup", refusal: "missing", ...both(425) },
  { name: "io_uring_enter", refusal: "missing", ...both(426) },
  { name: "io_uring_register", refusal: "missing", ...both(427) },
  // Its flags are in memory, where a filter cannot see them: the C library falls back to clone.
  { name: "clone3", refusal: "missing", ...both(435) },
  call("bpf", "forbidden", 321, 280),
  call("perf_event_open", "forbidden", 298, 241),
  call("userfaultfd", "forbidden", 323, 282),
  call("keyctl", "forbidden", 250, 219),
  call("add_key", "forbidden", 248, 217),
  call("request_key", "forbidden", 249, 218),
  call("open_by_handle_at", "forbidden", 304, 265),
  call("setns", "forbidden", 308, 268),
  call("mount", "forbidden", 165, 40),
  call("umount2", "forbidden", 166, 39),
  call("pivot_root", "forbidden", 155, 41),
  call("chroot", "forbidden", 161, 51),
  { name: "open_tree", refusal: "forbidden", ...both(428) },
  { name: "move_mount", refusal: "forbidden", ...both(429) },
  { name: "fsopen", refusal: "forbidden", ...both(430) },
  { name: "fsconfig", refusal: "forbidden", ...both(431) },
  { name: "fsmount", refusal: "forbidden", ...both(432) },
  { name: "fspick", refusal: "forbidden", ...both(433) },
  { name: "mount_setattr", refusal: "forbidden", ...both(442) },
  { name: "open_tree_attr", refusal: "forbidden", ...both(467) },
  call("init_module", "forbidden", 175, 105),
  call("finit_module", "forbidden", 313, 273),
  call("delete_module", "forbidden", 176, 106),
  call("kexec_load", "forbidden", 246, 104),
  call("kexec_file_load", "forbidden", 320, 294),
  call("reboot", "forbidden", 169, 142),
  call("swapon", "forbidden", 167, 224),
  call("swapoff", "forbidden", 168, 225),
  call("acct", "forbidden", 163, 89),
  call("quotactl", "forbidden", 179, 60),
  { name: "quotactl_fd", refusal: "forbidden", ...both(443) },
  call("syslog", "forbidden", 103, 116),
  call("settimeofday", "forbidden", 164, 170),
  call("clock_settime", "forbidden", 227, 112),
  call("clock_adjtime", "forbidden", 305, 266),
  call("adjtimex", "forbidden", 159, 171),
  call("lookup_dcookie", "forbidden", 212, 18),
  call("vhangup", "forbidden", 153, 58),
  call("fanotify_init", "forbidden", 300, 262),
  call("uselib", "forbidden", 134),
  call("iopl", "forbidden", 172),
  call("ioperm", "forbidden", 173),
  call("nfsservctl", "forbidden", 180),
];

/**
 * Calls that can give a file set-id bits, and the argument that holds its mode. Making a directory cannot: the kernel
 * ignores the bits there.
 */
export const modeCalls: readonly (Omit<RefusedCall, "refusal"> & {
  mode: number;
  /** The argument with the flags: only with certain ones the call reads the mode at all. */
  flags?: number;
})[] = [
  { name: "chmod", x64: 90, mode: 1 },
  { name: "fchmod", x64: 91, arm64: 52, mode: 1 },
  { name: "fchmodat", x64: 268, arm64: 53, mode: 2 },
  { name: "fchmodat2", ...both(452), mode: 2 },
  { name: "mknod", x64: 133, mode: 1 },
  { name: "mknodat", x64: 259, arm64: 33, mode: 2 },
  { name: "creat", x64: 85, mode: 1 },
  { name: "open", x64: 2, mode: 2, flags: 1 },
  { name: "openat", x64: 257, arm64: 56, mode: 3, flags: 2 },
];

/** Its mode is in memory, where a filter cannot see it: programs fall back to openat. */
export const openat2 = 437;

/** Calls that are refused only with certain arguments; see `seccomp.ts`. */
export const inspectedCalls = {
  ioctl: { x64: 16, arm64: 29 },
  socket: { x64: 41, arm64: 198 },
  clone: { x64: 56, arm64: 220 },
  unshare: { x64: 272, arm64: 97 },
  socketpair: { x64: 53, arm64: 199 },
  prlimit64: { x64: 302, arm64: 261 },
} as const;

/** What reaches other programs wherever a command has no IPC namespace of its own. */
export const sharedCalls: readonly RefusedCall[] = [
  call("shmget", "missing", 29, 194),
  call("shmat", "missing", 30, 196),
  call("shmctl", "missing", 31, 195),
  call("semget", "missing", 64, 190),
  call("semop", "missing", 65, 193),
  call("semctl", "missing", 66, 191),
  call("semtimedop", "missing", 220, 192),
  call("msgget", "missing", 68, 186),
  call("msgsnd", "missing", 69, 189),
  call("msgrcv", "missing", 70, 188),
  call("msgctl", "missing", 71, 187),
  call("mq_open", "missing", 240, 180),
  call("mq_unlink", "missing", 241, 181),
];

/** What changes a file's mode, owner, times and attributes; Landlock restricts none of it. */
export const attributeCalls: readonly RefusedCall[] = [
  call("chmod", "forbidden", 90),
  call("fchmod", "forbidden", 91, 52),
  call("fchmodat", "forbidden", 268, 53),
  { name: "fchmodat2", refusal: "forbidden", ...both(452) },
  call("chown", "forbidden", 92),
  call("fchown", "forbidden", 93, 55),
  call("lchown", "forbidden", 94),
  call("fchownat", "forbidden", 260, 54),
  call("utime", "forbidden", 132),
  call("utimes", "forbidden", 235),
  call("futimesat", "forbidden", 261),
  call("utimensat", "forbidden", 280, 88),
  call("setxattr", "forbidden", 188, 5),
  call("lsetxattr", "forbidden", 189, 6),
  call("fsetxattr", "forbidden", 190, 7),
  call("removexattr", "forbidden", 197, 14),
  call("lremovexattr", "forbidden", 198, 15),
  call("fremovexattr", "forbidden", 199, 16),
  { name: "setxattrat", refusal: "forbidden", ...both(463) },
  { name: "removexattrat", refusal: "forbidden", ...both(466) },
  { name: "file_setattr", refusal: "forbidden", ...both(469) },
];
