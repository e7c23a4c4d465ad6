/** Escape probes through the kernel: mounts, system calls, other processes, the network. */

import { all, call, contained, type Probe, writing } from "./sandbox-probe.ts";

export const kernel: readonly Probe[] = [
  {
    title: "mounting",
    profiles: all,
    script: () =>
      "mount -t tmpfs none /mnt && echo ESCAPED; mount --bind /etc a.txt && echo ESCAPED; mount -o remount,rw / && echo ESCAPED; mount -o remount,rw,bind .git && echo ESCAPED; umount -l .git && echo ESCAPED",
  },
  {
    title: "a nested user namespace",
    profiles: all,
    script: () =>
      "unshare -Ur true && echo ESCAPED; unshare -Urm mount -t tmpfs none /mnt && echo ESCAPED; unshare -m true && echo ESCAPED; bwrap --ro-bind / / true && echo ESCAPED",
  },
  {
    title: "making device files",
    profiles: all,
    script: () =>
      "mknod ./disk b 8 0 && echo ESCAPED; mknod /tmp/mem c 1 1 && echo ESCAPED; mknod /dev/kmsg2 c 1 11 && echo ESCAPED",
  },
  {
    title: "raw devices",
    profiles: all,
    script: () =>
      "for d in /dev/sda /dev/vda /dev/nvme0n1 /dev/mem /dev/kmsg /dev/kvm /dev/fuse /dev/net/tun; do head -c1 $d >/dev/null 2>&1 && echo ESCAPED $d; done",
  },
  { title: "chroot", profiles: all, script: () => "chroot / true && echo ESCAPED" },
  {
    title: "kernel settings in /proc/sys and /sys",
    profiles: all,
    script: () =>
      "for f in /proc/sys/kernel/core_pattern /proc/sys/kernel/hostname /proc/sys/vm/drop_caches /proc/sys/kernel/modprobe /proc/sys/fs/binfmt_misc/register /sys/kernel/uevent_helper /proc/sys/user/max_user_namespaces; do echo '|/bin/false' > $f && echo ESCAPED $f; done",
  },
  { title: "sysrq", profiles: all, script: () => "echo h > /proc/sysrq-trigger && echo ESCAPED" },
  {
    title: "control groups",
    profiles: contained,
    script: () =>
      "for d in $(find /sys/fs/cgroup -maxdepth 2 -name cgroup.procs 2>/dev/null); do echo $$ > $d && echo ESCAPED $d; done; mkdir /sys/fs/cgroup/x && echo ESCAPED; mkdir /sys/fs/cgroup/pids/x && echo ESCAPED",
  },
  { title: "io_uring", profiles: all, script: () => call("io_uring_setup", 8, 0) },
  {
    title: "kernel keyrings",
    profiles: all,
    script: () =>
      [call("keyctl", 0, -3, 0), call("add_key", 0, 0, 0, 0, -3), call("request_key", 0, 0, 0, 0)].join("; "),
  },
  {
    title: "bpf, perf, userfaultfd",
    profiles: all,
    script: () =>
      [call("bpf", 0, 0, 0), call("perf_event_open", 0, 0, -1, -1, 0), call("userfaultfd", 0)].join("; "),
  },
  {
    title: "file handles, namespaces, the new mount calls",
    profiles: all,
    script: () =>
      [
        call("open_by_handle_at", -100, 0, 0),
        call("setns", 0, 0),
        call("open_tree", -100, 0, 1),
        call("fsopen", 0, 0),
        call("move_mount", 0, 0, 0, 0, 0),
        call("mount_setattr", -100, 0, 0, 0, 0),
      ].join("; "),
  },
  {
    title: "modules, kexec, reboot, swap, clocks",
    profiles: all,
    script: () =>
      [
        call("init_module", 0, 0, 0),
        call("finit_module", 0, 0, 0),
        call("kexec_load", 0, 0, 0, 0),
        call("reboot", 0, 0, 0, 0),
        call("swapon", 0, 0),
        call("settimeofday", 0, 0),
        call("acct", 0),
      ].join("; "),
  },
  { title: "clone3, whose flags no filter sees", profiles: all, script: () => call("clone3", 0, 0) },
  {
    title: "vsock, bluetooth, raw packets",
    profiles: all,
    script: () =>
      'perl -e \'for my $f (40, 31, 17, 38, 21, 30, 44) { socket(my $s, $f, 1, 0) and print "ESCAPED $f\\n"; socket($s, $f, 3, 0) and print "ESCAPED $f\\n" }\'',
  },
  {
    title: "typing into a terminal",
    profiles: all,
    script: () =>
      'perl -e \'my $c = "x"; ioctl(STDIN, 0x5412, $c) and print "ESCAPED\\n"; $! == 25 and print "ESCAPED: not filtered\\n"; ioctl(STDIN, 0x541c, $c) and print "ESCAPED\\n"; open(my $t, "+<", "/dev/tty") and print "ESCAPED: a terminal\\n"\'',
  },
  {
    title: "capabilities and setuid programs",
    profiles: contained,
    script: () =>
      "grep -q 'CapEff:.0000000000000000' /proc/self/status || echo ESCAPED; grep -q 'CapBnd:.0000000000000000' /proc/self/status || echo ESCAPED; grep -q 'NoNewPrivs:.1' /proc/self/status || echo ESCAPED; setpriv --reuid 1 true && echo ESCAPED; su -c true nobody </dev/null && echo ESCAPED; sudo -n true && echo ESCAPED",
  },
  {
    title: "a newly made setuid program",
    profiles: writing,
    script: () => "cp /usr/bin/id ./id2; chmod 4755 ./id2; ./id2 | grep -q 'euid=0' && echo ESCAPED",
  },
];

export const processes: readonly Probe[] = [
  {
    title: "the host's processes",
    profiles: all,
    script: (_, { pid }) =>
      `test -d /proc/${pid} && grep -q sleep /proc/${pid}/cmdline && echo ESCAPED; kill -0 ${pid} 2>/dev/null && grep -q 42[4]242 /proc/${pid}/cmdline && echo ESCAPED; pgrep -f 'sleep [4]24242' && echo ESCAPED`,
  },
  { title: "killing everything", profiles: all, script: () => "trap '' TERM; kill -TERM -1" },
  {
    title: "tracing a process of the host",
    profiles: all,
    script: (_, { pid }) =>
      `perl -e 'syscall(${process.arch === "arm64" ? 117 : 101}, 0x4206, ${pid}, 0, 0) == 0 and print "ESCAPED\\n"'; cat /proc/${pid}/environ 2>/dev/null | grep -q TOOLWRIGHT_PROBE && echo ESCAPED; cat /proc/1/environ | tr '\\0' '\\n' | grep -q TOOLWRIGHT_PROBE && echo ESCAPED`,
  },
  {
    title: "message queues and shared memory of the host",
    profiles: all,
    script: (_, { memory }) =>
      `ls /dev/mqueue 2>/dev/null | grep -q . && echo ESCAPED; perl -e 'shmread(${memory}, my $read, 0, 1) and print "ESCAPED\\n"'`,
  },
  { title: "the host's name", profiles: all, script: () => "hostname probe-name && echo ESCAPED" },
];

export const network: readonly Probe[] = [
  {
    title: "the host's loopback",
    profiles: contained,
    script: (_, { port }) =>
      `(exec 3<>/dev/tcp/127.0.0.1/${port}) && echo ESCAPED; (exec 3<>/dev/tcp/localhost/${port}) && echo ESCAPED`,
  },
  {
    title: "the network",
    profiles: contained,
    script: () =>
      "grep -v -E 'lo:|Inter|face' /proc/net/dev | grep -q . && echo ESCAPED; (exec 3<>/dev/tcp/1.1.1.1/80) && echo ESCAPED; (exec 3<>/dev/udp/8.8.8.8/53) && echo x >&3 && echo ESCAPED; true",
  },
  {
    title: "an abstract socket",
    profiles: contained,
    script: (_, { abstract }) => connectTo(`"\\0${abstract}"`),
  },
  {
    title: "a socket in the home",
    profiles: contained,
    script: ({ home }) => connectTo(`"${home}/agent.sock"`),
  },
  {
    title: "a socket in the workspace",
    profiles: contained,
    script: ({ workspace }) => connectTo(`"${workspace}/server.sock"`),
  },
  {
    title: "a socket in /tmp or /run",
    profiles: contained,
    script: ({ outside }) =>
      `${connectTo(`"${outside}/host.sock"`)}; for s in /run/docker.sock /var/run/docker.sock /run/dbus/system_bus_socket /run/user/*/bus /tmp/.X11-unix/X0; do test -e $s && echo ESCAPED $s; done`,
  },
  {
    title: "environment variables of agents and tokens",
    profiles: contained,
    script: () =>
      `test -n "$SSH_AUTH_SOCK$DISPLAY$DBUS_SESSION_BUS_ADDRESS$XDG_RUNTIME_DIR$GITHUB_TOKEN$AWS_SECRET_ACCESS_KEY" && echo ESCAPED`,
  },
];

function connectTo(path: string): string {
  return `perl -MSocket -e 'socket(my $s, AF_UNIX, SOCK_STREAM, 0); connect($s, sockaddr_un(${path})) and print "ESCAPED\\n"'`;
}
