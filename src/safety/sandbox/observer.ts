/** Observes what the kernel refuses a contained command: the part of the launcher that decides nothing. */

import { join } from "node:path";
import { naming } from "./name-server.ts";
import { type MachineArchitecture } from "./seccomp.ts";
import { watchedWords, watchingFilter } from "./watched-calls.ts";

/** `directory` is private, and there already; what is recorded is in `record` there, and `names` is a socket there. */
export const observerWords = (machine: MachineArchitecture, directory: string): readonly string[] => [
  ...callNumbers[machine].map(String),
  Buffer.from(watchingFilter(machine)).toString("hex"),
  directory,
  ...watchedWords(machine),
];

export const recordIn = (directory: string): string => join(directory, "record");
export const namesIn = (directory: string): string => join(directory, "names");

/** seccomp, process_vm_readv, fstatfs, faccessat, getsockopt, close, getsockname; and the flag O_NOFOLLOW */
const callNumbers: Readonly<Record<MachineArchitecture, readonly number[]>> = {
  x64: [317, 310, 138, 269, 55, 3, 51, 0x20000],
  arm64: [277, 270, 44, 48, 209, 57, 204, 0x8000],
};

/**
 * The part of the launcher that is run with those words, before the command's first process is there. The filter holds
 * for this program too, which therefore makes none of the watched calls from then on (its openat2 is told by the size of
 * its argument). Where the kernel lacks something (pidfd_open, openat2, notifications), nothing is observed, and no
 * record is there. What the rest uses is global, as it is compiled apart: while nothing is ordered yet, or when the
 * command itself makes the first such call, for that takes milliseconds, and many make none (but that every shell opens
 * its terminal).
 */
export const preparing = `
($seccomp, $readv, $statfs, $access, $getsockopt, $close, $getsockname, $nofollow) = map { $_ + 0 } splice @words, 0, 8;
($filter, $directory, @calls) = @words;
%calls = map { my ($number, @call) = split / /; ($number, \\@call) } @calls;
$page = "\\0" x 4096;
substr($page, 0, 1) = "\\0";
chdir $directory or failed "its record";
socket $names, 1, 1, 0 and bind $names, pack "Sa*", 1, "names" and listen $names, 64 or failed "its names";
chmod 0666, "names";
my $observe = prepared();
chdir "/";
close $names unless $observe;
sub prepared {
my $path = "/";
my $how = pack "QQQx40", 0x280000, 0, 0x10;
my @tried = (syscall(434, $$ + 0, 0), syscall(437, -100, $path, $how, 64));
return if grep { $_ < 0 } @tried;
syscall($close, $_) for @tried;
sysopen $facts, "record", 0xC1, 0600 or return;
my $bytes = pack "H*", $filter;
my $program = pack "Sx![P]P", length($bytes) / 8, $bytes;
$listener = -1;
if (control(38, 1) == 0) {
  $listener = syscall($seccomp, 1, 8 | 32, $program);
  $listener = syscall($seccomp, 1, 8, $program) if $listener < 0;
}
if ($listener < 0) { unlink "record"; return }
\\&observed;
}
sub content { sysopen my $file, $_[0], 0 or return ""; my $all = ""; 1 while sysread $file, $all, 65536, length $all; $all }
sub memory {
  my ($pid, $at, $most) = @_;
  my ($here, $there) = (pack("PQ", $page, $most), pack("QQ", $at, $most));
  my $got = syscall($readv, $pid, $here, 1, $there, 1, 0);
  $got > 0 ? substr $page, 0, $got : "";
}
sub is_device {
  my ($pid, $number, @given) = @_;
  my ($call, @places) = @{$calls{$number} // [""]};
  $call eq "open" && substr(memory($pid, $given[$places[1]], 4096), 0, 5) eq "/dev/";
}
sub is_setting_up {
  my ($pid) = @_;
  return 1 if $pid == $main || defined $first && $pid == $first;
  return 0 if defined $first;
  my ($parent) = content("/proc/$pid/stat") =~ /.*\\) \\S+ (\\d+)/s;
  return 0 unless defined $parent && $parent == $main;
  $first = $pid;
}
sub notice {
  my $notice = "\\0" x 80;
  defined ioctl $notices, 0xC0502100, $notice or return;
  my ($id, $pid, undef, $number) = unpack "QLLl", $notice;
  my @call = ($pid, $number, unpack "Q6", substr $notice, 32);
  my $later = !is_setting_up($pid) && !is_device(@call) && ready() && eval { look(@call) };
  my $answer = pack "QqlL", $id, 0, 0, 1;
  my $was_there = defined ioctl $notices, 0xC0182101, $answer;
  eval { $later->() } if ref $later && $was_there;
}
sub observed {
  $main = shift;
  open $notices, "+<&=", $listener or return;
  my $ended = syscall(434, $main, 0);
  while (1) {
    my $ready = "";
    vec($ready, $_, 1) = 1 for $listener, fileno $names, $ended, keys %askers;
    next unless select($ready, undef, undef, undef) > 0;
    last if vec $ready, $ended, 1;
    notice() if vec $ready, $listener, 1;
    ready() && answered($_) for grep { vec $ready, $_, 1 } keys %askers;
    ready() && asked() if vec $ready, fileno $names, 1;
  }
  close $notices;
}
$observe;
`;

/**
 * Each notification is answered with "go on" (SECCOMP_USER_NOTIF_FLAG_CONTINUE). What is in memory was read before; if
 * the answer is accepted, its process was there all the time. Paths are resolved as the command's own processes would
 * do it, in their root (RESOLVE_IN_ROOT), which is kept as it is while anything is looked up: what lies on a read-only
 * mount is refused, and a refused call changes nothing, so that can be found out afterwards. What the person could not
 * write either is no refusal of the sandbox, and neither is what is in /proc, /sys and /dev, or what Python compiles on
 * its way. A signal is refused if its process is not in the command's /proc, but outside, and the person could send it.
 * A port of this machine is refused if nothing in the sandbox has listened on it, also later: who waits for a
 * server asks too early.
 */
export const observerRest = `${naming}
my ($root, $space, %noted, %own_ports);
sub key_of { my ($kind, $what, $port) = @_; join " ", $kind, unpack("H*", $what), $port }
sub is_noted { exists $noted{key_of(@_)} }
sub note {
  my ($port, $key) = ($_[2], key_of(@_));
  return if exists $noted{$key} || keys %noted >= 100;
  $noted{$key} = $port;
  syswrite $facts, "+ $key\\n";
}
sub path_at {
  my ($pid, $directory, $at) = @_;
  my $bytes = memory($pid, $at, 4096);
  my $end = index $bytes, "\\0";
  return if $end < 1;
  my $path = substr $bytes, 0, $end;
  return $path if ord $path == 47;
  $directory = unpack "l", pack "L", $directory & 0xffffffff;
  my $base = readlink($directory == -100 ? "/proc/$pid/cwd" : "/proc/$pid/fd/$directory");
  return unless defined $base && ord $base == 47 && $base !~ / \\(deleted\\)\\z/;
  "$base/$path";
}
sub held {
  my ($path, $flags) = @_;
  my $how = pack "QQQx40", 0x280000 | $flags, 0, 0x10;
  syscall(437, fileno $root, $path, $how, 64);
}
sub is_shut {
  my $about = "\\0" x 120;
  syscall($statfs, $_[0], $about) == 0 && unpack("Q", substr $about, 80, 8) & 1;
}
sub looked {
  my ($path, $flags, $see) = @_;
  my $at = held($path, $flags);
  return if $at < 0;
  my ($name, $shut) = (readlink "/proc/self/fd/$at", is_shut($at));
  my $seen = !$see || $see->("/proc/self/fd/$at");
  syscall($close, $at);
  ($name) = above($path) if $name =~ / \\(deleted\\)\\z/;
  ($name, $shut, $seen);
}
sub above {
  my ($path) = @_;
  $path =~ s{/+\\z}{};
  my ($parent, $last) = $path =~ m{\\A(.*/)([^/]+)\\z}s or return;
  return if $last eq "." || $last eq "..";
  my ($name, $shut) = looked($parent, 0);
  return unless defined $name && ord $name == 47;
  ($name eq "/" ? "/$last" : "$name/$last", $shut, $name);
}
sub refused {
  my ($name, $asked) = @_;
  return if $name =~ m{\\A/(?:proc|sys|dev)/|/__pycache__(?:/|\\z)} || ord $name != 47;
  my $host = $asked;
  note("w", $name, 0) unless syscall($access, -100, $host, 2) < 0 && ($! == 13 || $! == 30);
}
sub made {
  my ($path) = @_;
  my ($there) = looked($path, $nofollow);
  return if defined $there;
  my ($name, $shut, $parent) = above($path);
  refused($name, $parent) if $shut;
}
sub opened {
  my ($path, $flags) = @_;
  my ($name, $shut, $plain) = looked($path, $flags & $nofollow, sub { -f $_[0] });
  if (defined $name) { refused($name, $name) if $shut && $plain && $flags & 0x203 && ($flags & 0xC0) != 0xC0 }
  elsif ($flags & 0x40) { made($path) }
}
sub removed {
  my ($path) = @_;
  my ($there, $shut) = looked($path, $nofollow);
  return 0 unless defined $there;
  my ($name, $shut_above, $parent) = above($path);
  return 0 unless defined $name && ($shut || $shut_above);
  refused($name, $parent);
  1;
}
sub renamed {
  my ($from, $to) = @_;
  my ($there) = looked($from, $nofollow);
  return if !defined $there || removed($from) || removed($to);
  made($to);
}
sub changed {
  my ($name, $shut, $plain) = looked($_[0], 0, sub { -f $_[0] || -d _ });
  refused($name, $name) if $shut && $plain;
}
sub with_socket {
  my ($pid, $number, $see) = @_;
  my ($group) = content("/proc/$pid/status") =~ /^Tgid:\\s*(\\d+)/m or return;
  my $process = syscall(434, $group + 0, 0);
  return if $process < 0;
  my $socket = syscall(438, $process, $number & 0x7fffffff, 0);
  syscall($close, $process);
  return if $socket < 0;
  my $seen = $see->($socket);
  syscall($close, $socket);
  $seen;
}
sub is_stream {
  my ($type, $length) = (pack("l", 0), pack("l", 4));
  syscall($getsockopt, $_[0], 1, 3, $type, $length) == 0 && unpack("l", $type) == 1;
}
sub listened {
  my ($name, $length) = ("\\0" x 128, pack("L", 128));
  return if syscall($getsockname, $_[0], $name, $length) != 0;
  my ($family, $port) = unpack "Sn", $name;
  return unless $family == 2 || $family == 10;
  $own_ports{$port} = 1;
  for my $key (grep { /^s / && $noted{$_} == $port } keys %noted) { delete $noted{$key}; syswrite $facts, "- $key\\n" }
}
sub reached {
  my ($pid, $number, $address, $port, $is_local) = @_;
  if (!$is_local) {
    my $name = $named{$address};
    note("h", $name // $address, $port) if $port || !defined $name;
    return;
  }
  my $at = $address =~ /:/ ? "[$address]:$port" : "$address:$port";
  if ($port == 53) { note("h", $address, $port) }
  elsif (!$own_ports{$port} && !is_noted("s", $at, $port)) {
    note("s", $at, $port) if with_socket($pid, $number, \\&is_stream);
  }
}
sub reached_socket {
  my ($pid, $path) = @_;
  $path = (readlink("/proc/$pid/cwd") // "") . "/$path" unless ord $path == 47;
  return if $path =~ m{/nscd/socket\\z} || !-S $path;
  my ($last) = $path =~ m{([^/]+)\\z} or return;
  return if content("/proc/$pid/net/unix") =~ m{[ /]\\Q$last\\E$}m;
  sysseek $machines_sockets, 0, 0;
  my $all = ""; 1 while sysread $machines_sockets, $all, 65536, length $all;
  return if $all !~ m{[ /]\\Q$last\\E$}m;
  my $same = join " ", (stat $path)[0, 1];
  return if (looked($path, 0, sub { $same eq join " ", (stat $_[0])[0, 1] }))[2];
  my $host = $path;
  note("s", $path, 0) unless syscall($access, -100, $host, 2) < 0 && $! == 13;
}
sub connected {
  my ($pid, $number, $at, $length) = @_;
  my $bytes = memory($pid, $at, $length > 128 ? 128 : $length);
  return if length $bytes < 3;
  my $family = unpack "S", $bytes;
  if ($family == 1) {
    my ($path) = substr($bytes, 2) =~ /\\A([^\\0]+)/ or return;
    return reached_socket($pid, $path);
  }
  my $words;
  if ($family == 2 && length $bytes >= 8) { $words = substr $bytes, 4, 4 }
  elsif ($family == 10 && length $bytes >= 24) {
    $words = substr $bytes, 8, 16;
    $words = substr $words, 12 if substr($words, 0, 12) eq "\\0" x 10 . "\\xff\\xff";
  }
  return unless defined $words;
  my $is_local = length $words == 4 ? $words =~ /\\A(?:\\x7f|\\0\\0\\0\\0)/s : $words =~ /\\A\\0{15}[\\0\\1]\\z/s;
  my $address = length $words == 4 ? join ".", unpack "C4", $words : join ":", map { sprintf "%x", $_ } unpack "n8", $words;
  reached($pid, $number, $address, unpack("n", substr $bytes, 2, 2), $is_local);
}
sub signalled {
  my $target = unpack "l", pack "L", $_[0] & 0xffffffff;
  return if $target < 2;
  my $there = held("/proc/$target", 0);
  if ($there >= 0) { syscall($close, $there) }
  elsif (kill 0, $target) {
    my ($name) = content("/proc/$target/cmdline") =~ m{\\A(?:[^\\0]*/)?([^/\\0]{1,64})};
    note("p", join(" ", $target, $name // ()), 0);
  }
}
sub look {
  my ($pid, $number, @given) = @_;
  my ($call, @places) = @{$calls{$number} // [""]};
  if (!$root) { sysopen $space, "/proc/$pid/ns/mnt", 0 and sysopen $root, "/proc/$pid/root", 0x200000 or return undef $root }
  if ($call eq "connect" || $call eq "send") { connected($pid, $given[0], @given[@places]); return }
  if ($call eq "signal") { signalled($given[$places[0]]); return }
  if ($call eq "listen") { with_socket($pid, $given[0], \\&listened); return }
  my $path = path_at($pid, $places[0] < 0 ? -100 : $given[$places[0]], $given[$places[1]]);
  return unless defined $path;
  if ($call eq "rename") {
    my $to = path_at($pid, $places[2] < 0 ? -100 : $given[$places[2]], $given[$places[3]]);
    return defined $to && sub { renamed($path, $to) };
  }
  my $flags = !defined $places[2] ? 0x241 : $call eq "open" ? $given[$places[2]] : unpack "Q", memory($pid, $given[$places[2]], 8);
  return $call =~ /^open/ ? defined $flags && $flags & 0x243 && sub { opened($path, $flags) }
    : $call eq "make" ? sub { made($path) }
    : $call eq "remove" ? sub { removed($path) }
    : sub { changed($path) };
}
`;
