/**
 * Decides which addresses and host names belong to the public internet: any other may be a machine that trusts its own
 * network.
 */

import { isIP } from "node:net";

/**
 * What kind of non-public address this is ("a private network"), or undefined if it is public. A text that is not an IP
 * address is not public.
 */
export function whyNotPublic(address: string): AddressKind | undefined {
  const version = isIP(address);
  if (version === 4) return rangeOf(bytesOfV4(address), notPublicV4);
  if (version !== 6 || address.includes("%")) return "no address of the internet";
  const bytes = bytesOfV6(address);
  // All public addresses today begin so (RFC 4291); loopback, mapped, NAT64, unique local and link-local do not.
  if (((bytes[0] ?? 0) & 0xe0) !== 0x20) return rangeOf(bytes, namedV6) ?? "no address of the internet";
  return rangeOf(bytes, notPublicV6);
}

/**
 * Why a host name is not public ("this machine"), or undefined if only its addresses can tell. Expects lower case,
 * without a trailing dot.
 */
export function whyNotPublicName(name: string): string | undefined {
  const found = localNames.find(([suffix]) => name === suffix || name.endsWith(`.${suffix}`));
  if (found) return found[1];
  return name.includes(".") ? undefined : "a name of the local network";
}

/** RFC 6761, 6762 (appendix G), 7686, 8375, and ICANN's `internal`. */
const localNames: readonly (readonly [suffix: string, is: string])[] = [
  ["localhost", "this machine"],
  ["localhost.localdomain", "this machine"],
  ...["local", "internal", "home.arpa", "localdomain", "lan", "intranet", "corp", "home", "private"].map(
    (suffix) => [suffix, "a name of the local network"] as const,
  ),
  ...["onion", "test", "invalid"].map((suffix) => [suffix, "no name of the internet"] as const),
];

type AddressKind =
  | "this machine"
  | "the local link"
  | "the metadata service of a cloud"
  | "an IPv4 address in disguise"
  | "a private network"
  | "a provider's own network"
  | "a special purpose"
  | "documentation"
  | "a tunnel"
  | "benchmarks"
  | "many machines at once"
  | "no address of the internet";

const nearest: ReadonlySet<AddressKind> = new Set([
  "this machine",
  "the local link",
  "the metadata service of a cloud",
  "an IPv4 address in disguise",
] as const);

/** Whether this address leads to this machine, or to what serves only its own network segment. */
export function isNearest(address: string): boolean {
  const kind = whyNotPublic(address);
  return kind !== undefined && nearest.has(kind);
}

type AddressRange = readonly [start: string, bits: number, is: AddressKind];

/** IANA's special-purpose registries (RFC 6890 and its additions), and the addresses of cloud metadata services. */
const notPublicV4: readonly AddressRange[] = [
  ["0.0.0.0", 8, "this machine"],
  ["10.0.0.0", 8, "a private network"],
  ["100.64.0.0", 10, "a provider's own network"],
  ["127.0.0.0", 8, "this machine"],
  ["168.63.129.16", 32, "the metadata service of a cloud"],
  ["169.254.169.254", 32, "the metadata service of a cloud"],
  ["169.254.0.0", 16, "the local link"],
  ["172.16.0.0", 12, "a private network"],
  ["192.0.0.0", 24, "a special purpose"],
  ["192.0.2.0", 24, "documentation"],
  ["192.31.196.0", 24, "a special purpose"],
  ["192.52.193.0", 24, "a special purpose"],
  ["192.88.99.0", 24, "a tunnel"],
  ["192.168.0.0", 16, "a private network"],
  ["192.175.48.0", 24, "a special purpose"],
  ["198.18.0.0", 15, "benchmarks"],
  ["198.51.100.0", 24, "documentation"],
  ["203.0.113.0", 24, "documentation"],
  ["224.0.0.0", 4, "many machines at once"],
  ["240.0.0.0", 4, "a special purpose"],
];

/** Ranges outside the public part, listed only to name them in messages. */
const namedV6: readonly AddressRange[] = [
  ["::1", 128, "this machine"],
  ["::", 128, "this machine"],
  ["::ffff:0:0", 96, "an IPv4 address in disguise"],
  ["::", 96, "an IPv4 address in disguise"],
  ["64:ff9b::", 96, "an IPv4 address in disguise"],
  ["64:ff9b:1::", 48, "an IPv4 address in disguise"],
  ["fd00:ec2::254", 128, "the metadata service of a cloud"],
  ["fc00::", 7, "a private network"],
  ["fe80::", 10, "the local link"],
  ["fec0::", 10, "a private network"],
  ["ff00::", 8, "many machines at once"],
];

const notPublicV6: readonly AddressRange[] = [
  // Teredo, benchmarks, ORCHID and other protocols of the IETF.
  ["2001::", 23, "a special purpose"],
  ["2001:db8::", 32, "documentation"],
  ["2002::", 16, "a tunnel"],
  ["2620:4f:8000::", 48, "a special purpose"],
  ["3ffe::", 16, "a special purpose"],
  ["3fff::", 20, "documentation"],
];

const rangeOf = (bytes: readonly number[], ranges: readonly AddressRange[]): AddressKind | undefined =>
  ranges.find(([start, bits]) =>
    isIn(bytes, start.includes(":") ? bytesOfV6(start) : bytesOfV4(start), bits),
  )?.[2];

function isIn(bytes: readonly number[], start: readonly number[], bits: number): boolean {
  return start.every((byte, at) => {
    const counted = Math.min(8, Math.max(0, bits - at * 8));
    const mask = 0xff & (0xff << (8 - counted));
    return (byte & mask) === ((bytes[at] ?? 0) & mask);
  });
}

const bytesOfV4 = (address: string): number[] => address.split(".").map(Number);

/** Parses a valid address, with or without `::` or an IPv4 address at its end. */
function bytesOfV6(address: string): number[] {
  const [head = "", tail] = address.split("::");
  const first = wordsOf(head);
  const last = wordsOf(tail ?? "");
  const zeros = Array.from({ length: Math.max(0, 8 - first.length - last.length) }, () => 0);
  return [...first, ...zeros, ...last].flatMap((word) => [word >> 8, word & 0xff]);
}

function wordsOf(part: string): number[] {
  if (part === "") return [];
  return part.split(":").flatMap((piece) => {
    if (!piece.includes(".")) return [Number.parseInt(piece, 16)];
    const [a = 0, b = 0, c = 0, d = 0] = bytesOfV4(piece);
    return [(a << 8) | b, (c << 8) | d];
  });
}
