/**
 * Answers host names inside a sandbox that has no network, as the C library asks the name service cache daemon (nscd):
 * each name has an address of its own, so that the connection which the kernel refuses is known by its name.
 */

import { realPath } from "../on-disk.ts";
import type { SandboxMount } from "./mounts.ts";

/** Where the C library asks. */
export const namesMount = (from: string): SandboxMount => ({
  kind: "writable",
  path: `${realPath("/var/run") ?? "/run"}/nscd/socket`,
  from,
});

/**
 * Part of the watching program, which has `$names` (the listening socket) and `note`. A request is three numbers
 * (version 2, its type, the length of its key) and the key with a NUL. An answer of "-1 found" makes the library look
 * itself: it reads the system's files for users, groups, and this machine's own names. Addresses are of 198.18.0.0/15,
 * which is nobody's (RFC 2544). Types: 4 and 5 a host's IPv4 and IPv6, 6 and 7 a name for an address, 14 all addresses.
 */
export const naming = `
my (@oldest, %given, %named, $hosts);
sub hosts {
  return $hosts if $hosts;
  $hosts = {};
  for my $line (split /\\n/, content("/etc/hosts")) {
    my ($address, @all) = split " ", $line =~ s/#.*//sr;
    push @{$hosts->{lc $_}}, $address for @all;
  }
  $hosts;
}
sub own_name { my ($name) = content("/proc/sys/kernel/hostname") =~ /(\\S+)/; lc($name // "") }
sub bytes_of {
  my ($address) = @_;
  return pack "C4", split /\\./, $address if $address =~ /\\A\\d+(?:\\.\\d+){3}\\z/;
  $address eq "::1" ? "\\0" x 15 . "\\1" : undef;
}
sub addresses {
  my ($name) = @_;
  my $known = hosts()->{$name};
  return [grep { defined } map { bytes_of($_) } @$known] if $known;
  return if $name eq own_name() || $name =~ /(?:\\A|\\.)localhost\\z/;
  return [] if $name !~ /\\A[\\w-]+(?:\\.[\\w-]+)*\\z/ || length $name > 253 || !$given{$name} && keys %given >= 4096;
  note("n", $name, 0);
  my $address = $given{$name} //= pack "N", 0xC6120001 + keys %given;
  $named{join ".", unpack "C4", $address} = $name;
  [$address];
}
sub reply {
  my ($type, $key) = @_;
  my $elsewhere = pack "ll x56", 2, -1;
  my $nothing = $type == 14 ? pack "l6", 2, 0, 0, 0, 0, 1 : pack "l8", 2, 0, 0, 0, 0, 0, 0, 1;
  return $nothing if $type == 6 && $key =~ /\\A\\xc6[\\x12\\x13]/;
  return $elsewhere unless $type == 4 || $type == 5 || $type == 14;
  my $name = lc $key =~ s/\\.?\\0.*//sr;
  my $all = addresses($name);
  return $elsewhere unless $all;
  my @fit = grep { $type == 14 || length == ($type == 4 ? 4 : 16) } @$all;
  return $nothing unless @fit;
  my ($list, $full) = (join("", @fit), "$name\\0");
  return pack("l6", 2, 1, scalar @fit, length $list, length $full, 0) . $list . join("", map { chr(length == 4 ? 2 : 10) } @fit) . $full if $type == 14;
  pack("l8", 2, 1, length $full, 0, $type == 4 ? (2, 4) : (10, 16), scalar @fit, 0) . $full . $list;
}
sub asked {
  accept my $asker, $names or return;
  $askers{fileno $asker} = $asker;
  push @oldest, fileno $asker;
  delete $askers{shift @oldest} if @oldest > 64;
}
sub answered {
  my ($number) = @_;
  my $asker = delete $askers{$number} or return;
  @oldest = grep { $_ != $number } @oldest;
  defined recv $asker, my $asked, 1024, 0x40 or return;
  return if length $asked < 12;
  my ($version, $type, $length) = unpack "lll", $asked;
  return if $version != 2 || $length < 1 || length $asked < 12 + $length;
  send $asker, reply($type, substr $asked, 12, $length), 0x4040 if $type < 11 || $type == 14 || $type == 15;
}
`;
