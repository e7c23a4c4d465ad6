/**
 * The program in which bubblewrap starts: it ends with Toolwright, makes the namespaces, waits for its order, mounts,
 * and waits for the command.
 */

import { mountCallNumbers, mounting } from "./launcher-mounts.ts";
import { observerRest, preparing } from "./observer.ts";
import { type ProcessLimits, processesElsewhere } from "./process-limits.ts";
import type { MachineArchitecture } from "./seccomp.ts";

/** What is the same for many commands. */
type Launcher = {
  perl: string;
  machine: MachineArchitecture;
  /** Needs a user namespace of its own. */
  isMapped: boolean;
  /** Has a network of its own, with nobody else in it. */
  isApart: boolean;
  /** Sends the command's standard error into its output. */
  joinsErrors: boolean;
  /** In pages: what all segments of System V may hold together. */
  sharedPages: number;
};

/** What one command is started by. */
type LaunchOrder = {
  command: readonly string[];
  /** The directory whose `table` is mounted. */
  stage?: string | undefined;
  /** Words for the part that observes; none if nothing is to be observed. */
  observed?: readonly string[] | undefined;
  /** What the command sees; undefined if bubblewrap mounts that. */
  view?: readonly string[] | undefined;
  limits?: ProcessLimits | undefined;
  /** Variables that are set for the command alone. */
  variables: Readonly<Record<string, string>>;
};

/** Perl reads variables of its own before the program begins: those of the command are set behind it. */
export function withoutPerls(env: Readonly<Record<string, string>>): {
  env: Record<string, string>;
  later: Record<string, string>;
} {
  const all = Object.entries(env);
  return {
    env: { ...Object.fromEntries(all.filter(([name]) => !isPerls(name))), ...withoutComplaints },
    later: Object.fromEntries(all.filter(([name]) => isPerls(name))),
  };
}

/** Of Perl, about languages that this system does not have. */
export const withoutComplaints = { PERL_BADLANG: "0" };

/** Perl itself obeys it. */
export const isPerls = (name: string): boolean => name.startsWith("PERL");

export const launcherCommand = ({
  perl,
  machine,
  isMapped,
  isApart,
  joinsErrors,
  sharedPages,
}: Launcher): string[] => [
  perl,
  "-f",
  "-e",
  script,
  ...[process.pid, ...callNumbers[machine], sharedPages].map(String),
  ...[isMapped, isApart, joinsErrors].map((one) => (one ? "1" : "")),
  preparing,
  observerRest,
];

/** The launcher is fed it on its first descriptor: a length, and words with their lengths. One cut off is not obeyed. */
export function launcherOrder(
  machine: MachineArchitecture,
  { command, stage = "", observed = [], view = [], limits, variables }: LaunchOrder,
): Uint8Array {
  const viewed = view.length > 0 ? [...mountCallNumbers[machine].map(String), ...view] : [];
  const lists = [observed, Object.entries(variables).flat(), viewed, limitWords(machine, limits)];
  const words = [stage, ...lists.flatMap((list) => [String(list.length), ...list]), ...command];
  return withLength(Buffer.concat(words.map((word) => withLength(Buffer.from(word)))));
}

function withLength(bytes: Uint8Array): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
}

/** What a launcher does, as far as its code says it. */
export const launcherCode = (): string => script + preparing + observerRest;

/** prlimit64, then numbers of limits (CORE, FSIZE, DATA, NPROC) with the most that each may be. */
function limitWords(machine: MachineArchitecture, limits: ProcessLimits | undefined): string[] {
  if (limits === undefined) return [];
  const { fileBytes, memoryBytes, processes } = limits;
  const most = [4, 0, 1, fileBytes, 2, memoryBytes, 6, processes + processesElsewhere()];
  return [machine === "x64" ? 302 : 261, ...most].map(String);
}

/** prctl, unshare, mount */
const callNumbers: Readonly<Record<MachineArchitecture, readonly number[]>> = {
  x64: [157, 272, 165],
  arm64: [167, 97, 40],
};

/** Seconds without an order, after which there is time to get ready for what many commands do not need. */
const patience = 0.02;

/**
 * bubblewrap asks to die with its parent only when it has been set up, and its first process inside later still: a
 * parent that was killed before is never noticed. So this program dies with us from its first moment, and is the parent
 * of an outer PID namespace, whose end the kernel makes the end of everything in it, whatever state that is in. A
 * parent that died even before it could be watched is known by not being the expected one any more; the child, to which
 * every parent is number 0, knows it by the end of a pipe.
 *
 * Segments of System V that no process has attached are seen by nobody outside, so they have a limit of their own;
 * kernels before 5.19 let only root set it. Its own end by a signal goes by pidfd_send_signal: the observer's filter holds
 * for it, too, and nobody answers to a kill any more. CLONE_NEWNS, NEWIPC, NEWPID and, where wanted, NEWUSER and NEWNET,
 * in which the loopback device is set up (SIOCSIFFLAGS); MS_REC | MS_SLAVE.
 *
 * All before the order is the same for many commands, and can be done before one is there.
 */
const script = `
my ($toolwright, $prctl, $unshare, $mount, $pages, $mapped, $apart, $joins, $observer, $rest) = @ARGV;
$joins and open STDERR, ">&STDOUT";
sub failed { print STDERR "The command was not run, because its sandbox could not be made: $_[0]: $!\\n"; exit 126 }
sub control { my ($what, @with) = @_; push @with, 0 while @with < 4; syscall($prctl, $what, @with) }
sub put { my ($path, $text) = @_; sysopen my $file, $path, 1 or return; defined syswrite $file, $text }
sub mounted { my ($from, $to, $type, $flags, $with) = @_; syscall($mount, $from, $to, $type, $flags, $with) == 0 }
sub gone { print STDERR "The program that started this command is gone.\\n"; exit 137 }
sub limited { my ($prlimit, @limits) = @_;
  while (my ($what, $most) = splice @limits, 0, 2) {
    my $now = "\\0" x 16;
    syscall($prlimit, 0, $what + 0, 0, $now) == 0 or failed "its limits";
    my $hard = unpack "x8Q", $now;
    my $new = pack "QQ", ($most < $hard ? $most : $hard) x 2;
    syscall($prlimit, 0, $what + 0, $new, 0) == 0 or failed "its limits";
  }
}
sub ready { return $is_ready if defined $is_ready; eval $rest; $is_ready = $@ eq "" }
${mounting}
control(1, 9) == 0 or failed "its end with its parent";
getppid() == $toolwright or gone();
my ($user, $group) = ($<, $( + 0);
sysopen $machines_sockets, "/proc/self/net/unix", 0;
my $spaces = 0x20000 | 0x8000000 | 0x20000000 | ($mapped ? 0x10000000 : 0) | ($apart ? 0x40000000 : 0);
syscall($unshare, $spaces) == 0 or failed "its namespaces";
if ($mapped) {
  put("/proc/self/setgroups", "deny");
  put("/proc/self/uid_map", "0 $user 1") && put("/proc/self/gid_map", "0 $group 1") or failed "its user";
}
if ($apart) {
  my ($any, $up) = (undef, pack "a16Sx22", "lo", 0x41);
  socket $any, 2, 2, 0 and ioctl $any, 0x8914, $up or failed "its network";
}
put("/proc/sys/kernel/shmall", $pages);
mounted("none", "/", "none", 0x84000, 0) or failed "its mounts";
my @words;
my $prepared = eval "sub { $observer }" or failed "its observer";
my $order = "";
open my $feed, "<&=", 3 or failed "its order";
vec(my $ordered = "", 3, 1) = 1;
ready() unless select $ordered, undef, undef, ${patience};
1 while sysread $feed, $order, 65536, length $order;
close $feed;
length $order >= 4 && unpack("N", $order) == length($order) - 4 or exit 137;
my ($stage, @order) = unpack "x4(N/a*)*", $order;
@words = splice @order, 0, shift @order;
my %later = splice @order, 0, shift @order;
my @view = splice @order, 0, shift @order;
my @limits = splice @order, 0, shift @order;
if ($stage ne "") {
  my $unseen = "The sandbox could not mount what the command is to see, so it was not run";
  my $table;
  chdir $stage and sysopen $table, "table", 0 or failed $unseen;
  sysread $table, my $lines, 1 << 20;
  for (split /\\n/, $lines) {
    my ($from, $to, $type, $with) = split / /;
    mounted($from, $to, $type, 0, $with) or failed "$unseen ($to)";
  }
  chdir "/";
}
my $observe = @words ? $prepared->() : undef;
pipe my $alive, my $living or failed "a pipe";
my $main = fork;
defined $main or failed "a process";
if ($main == 0) {
  close $living;
  control(1, 9) == 0 or failed "its end with its parent";
  vec(my $ended = "", fileno $alive, 1) = 1;
  select($ended, undef, undef, 0) == 0 or gone();
  view(@view) if @view;
  limited(@limits) if @limits;
  delete $ENV{PERL_BADLANG};
  @ENV{keys %later} = values %later;
  exec { $order[0] } @order;
  failed "starting $order[0]";
}
$SIG{$_} = "IGNORE" for "INT", "QUIT", "TERM", "HUP", "TSTP";
close $alive;
$observe->($main) if $observe;
waitpid $main, 0;
my $status = $?;
if (my $signal = $status & 127) {
  control(4, 0);
  $SIG{$_} = "DEFAULT" for "INT", "QUIT", "TERM", "HUP";
  my $self = syscall(434, $$, 0);
  syscall(424, $self, $signal, 0, 0) == 0 or kill $signal, $$;
  select undef, undef, undef, 1;
}
exit($status >> 8);
`;
