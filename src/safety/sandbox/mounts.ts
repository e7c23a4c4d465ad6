/** The sandbox's view of the file system as data, and its translation into bubblewrap options. */

export type SandboxMount =
  | { kind: "readable" | "writable"; path: string; from?: string }
  /** A private empty directory that disappears with the command. */
  | { kind: "temporary"; path: string; bytes: number; mode: string }
  | { kind: "hidden-directory"; path: string; passable: boolean }
  | { kind: "hidden-file"; path: string }
  | { kind: "text"; path: string; text: string };

export type BubblewrapPlan = {
  program: string;
  /** The first is the root; none if what the command sees is mounted already, but for /proc. */
  mounts: readonly SandboxMount[];
  /** `shared`: the host's; `inherited`: the one that it is started in is the command's alone already. */
  network: "own" | "shared" | "inherited";
  /**
   * Gives the command the capabilities of root in an ordinary container and no user namespace: only for root, and only
   * for approved commands.
   */
  asRoot: boolean;
  /** The command's user and group, if our own user namespace would otherwise change them. */
  identity?: { uid: number; gid: number };
  /** `inherited`: the one that it is started in is the command's alone already. */
  ipc?: "inherited";
  /** Keeps the terminal that it is started on, which must be exclusive to it. */
  terminal?: boolean;
  directory: string;
  filter?: Uint8Array;
  command: readonly string[];
};

/**
 * Capabilities that an approved command run by root retains: enough for a package manager, none that reach the kernel.
 */
const rootsRights = [
  "CAP_CHOWN",
  "CAP_DAC_OVERRIDE",
  "CAP_FOWNER",
  "CAP_FSETID",
  "CAP_KILL",
  "CAP_SETGID",
  "CAP_SETUID",
  "CAP_SETFCAP",
  "CAP_NET_BIND_SERVICE",
];

/** The full command line, and the data it must be given on `descriptor` and those after it. */
export function bubblewrapCommand(
  plan: BubblewrapPlan,
  descriptor = 3,
): { command: string[]; feeds: Uint8Array[] } {
  const feeds: Uint8Array[] = [];
  const feed = (bytes: Uint8Array): string => String(descriptor - 1 + feeds.push(bytes));
  const command = [
    plan.program,
    ...namespaces(plan),
    ...(plan.filter ? ["--seccomp", feed(plan.filter)] : []),
    ...(plan.mounts.length === 0
      ? ["--dev-bind", "/", "/", ...ownProc]
      : // /dev has no size of its own; its devices and /dev/shm are mounts of their own, and stay writable.
        [...plan.mounts.flatMap((mount) => optionsFor(mount, feed)), "--remount-ro", "/dev"]),
    "--chdir",
    plan.directory,
    "--",
    ...plan.command,
  ];
  return { command, feeds };
}

function namespaces({ asRoot, network, identity, ipc, terminal }: BubblewrapPlan): string[] {
  const who = identity ? ["--uid", String(identity.uid), "--gid", String(identity.gid)] : [];
  return [
    "--unshare-pid",
    ...(ipc === "inherited" ? [] : ["--unshare-ipc"]),
    "--unshare-uts",
    "--unshare-cgroup-try",
    ...(network === "own" ? ["--unshare-net"] : []),
    ...(asRoot ? [] : ["--unshare-user", "--disable-userns", ...who]),
    "--cap-drop",
    "ALL",
    ...(asRoot ? rootsRights.flatMap((right) => ["--cap-add", right]) : []),
    ...(terminal ? [] : ["--new-session"]),
    "--die-with-parent",
  ];
}

/**
 * All of /proc is read-only: kernel settings are writable by uid 0 even without capabilities, and bubblewrap does not
 * cover them.
 */
const ownProc = ["--proc", "/proc", "--remount-ro", "/proc"];

/** /dev and /proc are mounted fresh, right after the root. */
function optionsFor(mount: SandboxMount, feed: (bytes: Uint8Array) => string): string[] {
  const { path } = mount;
  switch (mount.kind) {
    case "readable":
    case "writable": {
      const bind = [mount.kind === "readable" ? "--ro-bind" : "--bind", mount.from ?? path, path];
      return path === "/" ? [...bind, "--dev", "/dev", ...ownProc] : bind;
    }
    case "temporary":
      return ["--perms", mount.mode, "--size", String(mount.bytes), "--tmpfs", path];
    case "hidden-directory":
      return ["--perms", mount.passable ? "0711" : "0000", "--size", "65536", "--tmpfs", path];
    // A device node on a nodev mount: opening it always fails, and programs see that it is no regular file.
    case "hidden-file":
      return ["--ro-bind", "/dev/null", path];
    case "text":
      return ["--ro-bind-data", feed(Buffer.from(mount.text)), path];
    default:
      return mount satisfies never;
  }
}
