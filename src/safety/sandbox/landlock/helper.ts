/** The script that puts a command into its Landlock domain; Perl, because Node cannot make these system calls. */

import { isPerls } from "../launcher.ts";
import type { MachineArchitecture } from "../seccomp.ts";

/** Only absolute paths: a program of the same name in the workspace must not become the sandbox. */
export const perls = ["/usr/bin/perl", "/usr/local/bin/perl", "/bin/perl"];

/** `path`: resolved, with no link in it. What is gone when the command starts is not granted. */
export type AccessRule = { path: string; rights: number };

type Domain = {
  /** `struct landlock_ruleset_attr`, as far as this kernel knows it. */
  ruleset: Uint8Array;
  grants: readonly AccessRule[];
  filter: Uint8Array;
};

/**
 * The version of Landlock's interface, 0 if there is none. Flag 1 of landlock_create_ruleset asks for it; system calls
 * since Linux 5.1 have the same number everywhere.
 */
export const versionCommand = (perl: string): string[] => [
  perl,
  "-e",
  "my $v = syscall(444, 0, 0, 1); print $v < 0 ? 0 : $v",
];

/**
 * Confines the command, and ends what it leaves behind, also when we are killed.
 * Perl reads variables of its own before the script begins, so they are set behind it.
 */
export function supervisedCommand(
  perl: string,
  machine: MachineArchitecture,
  { command, env }: { command: readonly string[]; env: Readonly<Record<string, string>> },
  domain: Domain,
): { command: string[]; env: Record<string, string> } {
  const later = Object.entries(env).filter(([name]) => isPerls(name));
  return {
    command: [
      perl,
      "-e",
      script,
      String(process.pid),
      ...callNumbers[machine].map(String),
      ...domainWords(domain),
      ...(later.length > 0 ? ["/usr/bin/env", ...later.map(([name, value]) => `${name}=${value}`)] : []),
      ...command,
    ],
    env: Object.fromEntries(Object.entries(env).filter(([name]) => !isPerls(name))),
  };
}

const domainWords = ({ ruleset, grants, filter }: Domain): string[] => [
  hex(ruleset),
  hex(filter),
  String(grants.length),
  ...grants.flatMap(({ path, rights }) => [String(rights), path]),
];

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");

/** prctl, seccomp, capset */
const callNumbers: Readonly<Record<MachineArchitecture, readonly number[]>> = {
  x64: [157, 317, 126],
  arm64: [167, 277, 91],
};

/**
 * Everything that an orphaned process of the command leaves becomes a child of the supervisor (PR_SET_CHILD_SUBREAPER),
 * which ends children until there are none. The supervisor gets SIGUSR1 when Toolwright dies, and the command SIGKILL
 * when the supervisor does. Each step in `confine` that fails ends the command before it began.
 */
const script = `
my ($toolwright, $prctl, $seccomp, $capset, $ruleset, $filter, $count) = splice @ARGV, 0, 7;
my @grants = splice @ARGV, 0, 2 * $count;
sub failed { print STDERR "The command was not run, because its sandbox could not be made: $_[0]: $!\\n"; exit 126 }
sub control { my ($what, @with) = @_; push @with, 0 while @with < 4; syscall($prctl, $what, @with) }
sub confine {
  my $attributes = pack "H*", $ruleset;
  my $domain = syscall 444, $attributes, length $attributes, 0;
  $domain >= 0 or failed "no rule set";
  while (my ($rights, $path) = splice @grants, 0, 2) {
    my $place;
    unless (sysopen $place, $path, 0x200000 | 0x20000) { next if $! == 2; failed "opening $path" }
    readlink("/proc/self/fd/" . fileno $place) eq $path or failed "$path is elsewhere";
    my $rule = pack "Ql", $rights, fileno $place;
    syscall(445, $domain, 1, $rule, 0) == 0 or failed "a rule for $path";
  }
  control(38, 1) == 0 or failed "no_new_privs";
  for my $right (0 .. 63) { control(24, $right) if control(23, $right) == 1 }
  my $header = pack "Li", 0x20080522, 0;
  my $none = pack "L6", 0, 0, 0, 0, 0, 0;
  syscall($capset, $header, $none) == 0 or failed "capabilities";
  syscall(446, $domain, 0) == 0 or failed "the rule set";
  my $bytes = pack "H*", $filter;
  my $program = pack "Sx![P]P", length($bytes) / 8, $bytes;
  syscall($seccomp, 1, 0, $program) == 0 or failed "the filter of system calls";
}
sub end_all {
  while ((my $ended = waitpid -1, 1) >= 0) {
    next if $ended > 0;
    opendir my $all, "/proc";
    for my $number (grep /^[0-9]+$/, readdir $all) {
      open my $status, "<", "/proc/$number/stat" or next;
      my $line = <$status>;
      kill "KILL", $number if defined $line && $line =~ /.*\\) \\S+ (\\d+)/s && $1 == $$;
    }
    select undef, undef, undef, 0.002;
  }
}
$SIG{USR1} = sub { end_all(); exit 137 };
control(1, 10) == 0 && control(36, 1) == 0 or failed "its supervisor";
getppid() == $toolwright or do { print STDERR "The program that started this command is gone.\\n"; exit 137 };
my $supervisor = $$;
my $main = fork;
defined $main or failed "fork";
if ($main == 0) {
  $SIG{USR1} = "DEFAULT";
  control(1, 9) == 0 && getppid() == $supervisor or failed "its supervisor";
  confine();
  exec { $ARGV[0] } @ARGV;
  print STDERR "$ARGV[0] could not be started: $!\\n";
  exit 127;
}
$SIG{$_} = "IGNORE" for "INT", "QUIT", "TERM", "HUP", "TSTP";
waitpid $main, 0;
my $status = $?;
end_all();
if (my $signal = $status & 127) {
  control(4, 0);
  $SIG{$_} = "DEFAULT" for "INT", "QUIT", "TERM", "HUP", "USR1";
  kill $signal, $$;
  select undef, undef, undef, 1;
}
exit($status >> 8);
`;
