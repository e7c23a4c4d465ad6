/**
 * The part of the launcher that mounts what a command sees. bubblewrap could do it, but reads the table of all mounts
 * again for each one, and a command has fifty: that takes longer than everything else.
 */

import type { SandboxMount } from "./mounts.ts";
import type { MachineArchitecture } from "./seccomp.ts";

/** What the launcher mounts, as words for it. */
export const wordsToMount = (mounts: readonly SandboxMount[]): string[] =>
  mounts.flatMap((mount) => {
    const { path } = mount;
    switch (mount.kind) {
      case "readable":
      case "writable":
        return [mount.kind, mount.from ?? path, path];
      case "temporary":
        return ["temporary", `mode=${mount.mode},size=${mount.bytes}`, path];
      case "hidden-directory":
        return [mount.kind, `mode=${mount.passable ? "0711" : "0000"},size=65536`, path];
      // A device node on a nodev mount: opening it always fails, and programs see that it is no regular file.
      case "hidden-file":
        return [mount.kind, "/dev/null", path];
      case "text":
        return ["text", mount.text, path];
      default:
        return mount satisfies never;
    }
  });

/** pivot_root, umount2 */
export const mountCallNumbers: Readonly<Record<MachineArchitecture, readonly number[]>> = {
  x64: [155, 166],
  arm64: [41, 39],
};

/**
 * Defines `view`, which is called by the process that becomes bubblewrap, in a mount namespace of its own: whoever
 * watches goes on seeing the machine. The machine's tree is mounted over /proc and made the root, with the old one in
 * its /proc until the end, where sources are found: so every path is one within the view, whatever links it holds, as
 * bubblewrap has it. What was to be hidden and has gone meanwhile is hidden. /proc stays writable here, for no other can
 * be mounted over one that is locked; bubblewrap mounts its own there. mount_setattr has number 442 everywhere; 1, 2, 4
 * are RDONLY, NOSUID, NODEV, 0x5000 is MS_BIND | MS_REC.
 */
export const mounting = `
sub flagged { my ($path, $set, $clear, $reach) = @_; syscall(442, -100, $path, $reach, pack("Q4", $set, $clear, 0, 0), 32) == 0 }
sub flagged_below { flagged(@_, 0x8000) }
sub is_there { my ($path, $is_directory) = @_;
  return if lstat $path;
  my ($above) = $path =~ m{\\A(/.+)/[^/]+\\z}s;
  is_there($above, 1) if defined $above;
  $is_directory ? mkdir $path, 0755 : sysopen my $file, $path, 0xC1, 0600;
}
sub bound { my ($from, $path, $flags) = @_;
  is_there($path, -d $from);
  mounted($from, $path, "none", 0x5000, 0) && flagged_below($path, $flags, 0);
}
sub temporary { my ($with, $path) = @_; is_there($path, 1); mounted("tmpfs", $path, "tmpfs", 6, $with) }
my $texts = 0;
sub text { my ($text, $path) = @_;
  my $kept = "/proc/proc/" . ++$texts;
  sysopen my $file, $kept, 0xC1, 0600 or return;
  syswrite($file, $text) == length $text && bound($kept, $path, 7);
}
sub devices {
  mounted("tmpfs", "/dev", "tmpfs", 6, "mode=0755") or return;
  -e "/proc/dev/$_" && (bound("/proc/dev/$_", "/dev/$_", 2) || return) for qw(null zero full random urandom tty);
  mkdir "/dev/$_", 0755 for "shm", "pts";
  symlink "/proc/self/fd", "/dev/fd"; symlink "/proc/kcore", "/dev/core"; symlink "pts/ptmx", "/dev/ptmx";
  symlink "/proc/self/fd/" . ("stdin" eq $_ ? 0 : "stdout" eq $_ ? 1 : 2), "/dev/$_" for "stdin", "stdout", "stderr";
  mounted("devpts", "/dev/pts", "devpts", 10, "newinstance,ptmxmode=0666,mode=620");
}
sub view { my ($pivot_root, $umount, @mounts) = @_;
  my ($unseen, $here, $old) = ("what the command is to see", ".", "proc");
  my ($root) = splice @mounts, 0, 3;
  syscall($unshare, 0x20000) == 0 && mounted("/", "/proc", "none", 0x5000, 0) && chdir "/proc" or failed $unseen;
  flagged_below(".", $root eq "readable" ? 7 : 6, 0) && syscall($pivot_root, $here, $old) == 0 && chdir "/" or failed $unseen;
  mounted("tmpfs", "/proc/proc", "tmpfs", 6, "mode=0700") && devices() or failed $unseen;
  while (my ($what, $from, $path) = splice @mounts, 0, 3) {
    my $is_done = $what =~ /^temporary|directory/ ? temporary($from, $path) : $what eq "text" ? text($from, $path)
      : bound("/proc$from", $path, $what eq "writable" ? 6 : 7);
    $is_done || $what =~ /^hidden/ && !lstat $path or failed "$unseen ($path)";
  }
  flagged("/dev", 1, 0, 0) && syscall($umount, $old, 2) == 0 or failed $unseen;
  flagged_below("/proc", 0, 1);
}
`;
