import { expect, test } from "vitest";
import { bubblewrapCommand, type BubblewrapPlan, type SandboxMount } from "./mounts.ts";

const plan: BubblewrapPlan = {
  program: "/usr/bin/bwrap",
  mounts: [{ kind: "readable", path: "/" }],
  network: "own",
  asRoot: false,
  directory: "/work",
  command: ["true"],
};

test("the bubblewrap line has namespaces first, then the root, /dev and /proc, the directory and the command", () => {
  expect(bubblewrapCommand(plan)).toEqual({
    feeds: [],
    command: [
      "/usr/bin/bwrap",
      "--unshare-pid",
      "--unshare-ipc",
      "--unshare-uts",
      "--unshare-cgroup-try",
      "--unshare-net",
      "--unshare-user",
      "--disable-userns",
      "--cap-drop",
      "ALL",
      "--new-session",
      "--die-with-parent",
      "--ro-bind",
      "/",
      "/",
      "--dev",
      "/dev",
      "--proc",
      "/proc",
      "--remount-ro",
      "/proc",
      "--remount-ro",
      "/dev",
      "--chdir",
      "/work",
      "--",
      "true",
    ],
  });
});

test("the filter and mounted texts are read from descriptors 3, 4 and so on, in the order of the feeds", () => {
  const mounts: SandboxMount[] = [
    { kind: "readable", path: "/" },
    { kind: "text", path: "/a", text: "one" },
    { kind: "hidden-file", path: "/b" },
    { kind: "text", path: "/c", text: "two" },
  ];
  const { command, feeds } = bubblewrapCommand({ ...plan, mounts, filter: Buffer.from("filter") });
  expect(feeds.map((bytes) => Buffer.from(bytes).toString())).toEqual(["filter", "one", "two"]);
  const line = command.join(" ");
  expect(line).toContain("--seccomp 3 ");
  expect(line).toContain("--ro-bind-data 4 /a --ro-bind /dev/null /b --ro-bind-data 5 /c");
});

test("where what the command sees is mounted already, that is its root, with a /proc of its own", () => {
  expect(bubblewrapCommand({ ...plan, mounts: [] }).command.join(" ")).toContain(
    "--die-with-parent --dev-bind / / --proc /proc --remount-ro /proc --chdir /work -- true",
  );
});

test("with network there is no network namespace; as root only a package manager's capabilities are kept", () => {
  const { command } = bubblewrapCommand({ ...plan, network: "shared", asRoot: true });
  expect(command).not.toContain("--unshare-net");
  expect(command).not.toContain("--unshare-user");
  const kept = command.filter((_, at) => command[at - 1] === "--cap-add");
  expect(kept).toContain("CAP_CHOWN");
  for (const right of [
    "SYS_ADMIN",
    "SYS_PTRACE",
    "SYS_MODULE",
    "SYS_RAWIO",
    "MKNOD",
    "NET_ADMIN",
    "SYS_BOOT",
    "BPF",
  ])
    expect(kept).not.toContain(`CAP_${right}`);
});

test("an identity adds a user namespace with its ids, and a terminal keeps the session", () => {
  const { command } = bubblewrapCommand({ ...plan, identity: { uid: 7, gid: 8 }, terminal: true });
  expect(command.join(" ")).toContain(
    "--unshare-user --disable-userns --uid 7 --gid 8 --cap-drop ALL --die-with-parent",
  );
  expect(command).not.toContain("--new-session");
});

test("each kind of mount becomes its bubblewrap options", () => {
  const options = (mount: SandboxMount): string =>
    bubblewrapCommand({ ...plan, mounts: [mount] })
      .command.slice(12, -6)
      .join(" ");
  expect(options({ kind: "writable", path: "/w" })).toBe("--bind /w /w");
  expect(options({ kind: "readable", path: "/w", from: "/x" })).toBe("--ro-bind /x /w");
  expect(options({ kind: "temporary", path: "/tmp", bytes: 9, mode: "1777" })).toBe(
    "--perms 1777 --size 9 --tmpfs /tmp",
  );
  expect(options({ kind: "hidden-directory", path: "/s", passable: false })).toBe(
    "--perms 0000 --size 65536 --tmpfs /s",
  );
  expect(options({ kind: "hidden-directory", path: "/s", passable: true })).toBe(
    "--perms 0711 --size 65536 --tmpfs /s",
  );
});
