/** What a sandbox shows of the file system, as data, and the bubblewrap options that make it so. */

export type Mount =
  | { kind: "readable" | "writable"; path: string; from?: string }
  /** An empty place of its own, gone with the command. */
  | { kind: "temporary"; path: string; bytes: number; mode: string }
  | { kind: "hidden-directory"; path: string; passable: boolean }
  | { kind: "hidden-file"; path: string }
  | { kind: "text"; path: string; text: string };

type BubblewrapPlan = {
  program: string;
  mounts: readonly Mount[];
  /** The host's network. */
  network: boolean;
  /** The rights of an ordinary container's root, and no user namespace: only for root, and what a person approved. */
  asRoot: boolean;
  /** Who the command is, where it starts in a user namespace of ours in which it would be another. */
  identity?: { uid: number; gid: number };
  /** It keeps the terminal that it is started on: one that nobody else has. */
  terminal?: boolean;
  directory: string;
  filter?: Uint8Array;
  command: readonly string[];
};

/**
 * What an approved command keeps when it already was root: enough for a package manager, nothing that reaches the
 * kernel.
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

/** The whole command, and what it must be given to read on its descriptors 3, 4 and so on. */
export function bubblewrapCommand(plan: BubblewrapPlan): { command: string[]; feeds: Uint8Array[] } {
  const feeds: Uint8Array[] = [];
  const feed = (bytes: Uint8Array): string => String(2 + feeds.push(bytes));
  const command = [
    plan.program,
    ...namespaces(plan),
    ...(plan.filter ? ["--seccomp", feed(plan.filter)] : []),
    ...plan.mounts.flatMap((mount) => optionsFor(mount, feed)),
    "--chdir",
    plan.directory,
    "--",
    ...plan.command,
  ];
  return { command, feeds };
}

function namespaces({ asRoot, network, identity, terminal }: BubblewrapPlan): string[] {
  const who = identity ? ["--uid", String(identity.uid), "--gid", String(identity.gid)] : [];
  return [
    "--unshare-pid",
    "--unshare-ipc",
    "--unshare-uts",
    "--unshare-cgroup-try",
    ...(network ? [] : ["--unshare-net"]),
    ...(asRoot ? [] : ["--unshare-user", "--disable-userns", ...who]),
    "--cap-drop",
    "ALL",
    ...(asRoot ? rootsRights.flatMap((right) => ["--cap-add", right]) : []),
    ...(terminal ? [] : ["--new-session"]),
    "--die-with-parent",
  ];
}

/**
 * /dev and /proc are made anew, right after the root. All of /proc is read-only: its settings of the kernel belong to
 * root, also to one without rights, and bubblewrap does not cover them.
 */
function optionsFor(mount: Mount, feed: (bytes: Uint8Array) => string): string[] {
  const { path } = mount;
  switch (mount.kind) {
    case "readable":
    case "writable": {
      const bind = [mount.kind === "readable" ? "--ro-bind" : "--bind", mount.from ?? path, path];
      return path === "/" ? [...bind, "--dev", "/dev", "--proc", "/proc", "--remount-ro", "/proc"] : bind;
    }
    case "temporary":
      return ["--perms", mount.mode, "--size", String(mount.bytes), "--tmpfs", path];
    case "hidden-directory":
      return ["--perms", mount.passable ? "0711" : "0000", "--size", "65536", "--tmpfs", path];
    // A device on a mount without devices: nobody may open it, and programs see that it is no file.
    case "hidden-file":
      return ["--ro-bind", "/dev/null", path];
    case "text":
      return ["--ro-bind-data", feed(Buffer.from(mount.text)), path];
    default:
      return mount satisfies never;
  }
}
