/** Decides which hosts a contained command may reach through the proxy, and which addresses count as private. */

import { BlockList, isIP, isIPv6 } from "node:net";

export type HostRules = {
  /** Reachable on the web's ports, and only at public addresses. */
  public: readonly string[];
  /**
   * Named by the user: "host", "host:port", "*.domain", "[::1]:port". Without a wildcard a private address is allowed.
   */
  named: readonly string[];
  /**
   * A model chose `named` and a person agreed to the names: one that leads to this machine, or to what serves only its
   * own network segment (as the data of a cloud's machine), is not what they were shown.
   */
  isGiven?: boolean;
};

/** How a listed host may be dialled; undefined for an unlisted host. */
type Admission = { mayBePrivate: boolean };

export function admit(host: string, port: number, rules: HostRules): Admission | undefined {
  const plain = plainHost(host);
  const isWeb = port === 443 || port === 80;
  for (const rule of rules.named) {
    const { name, only } = readRule(rule);
    if (only === undefined ? !isWeb : only !== port) continue;
    if (name === plain) return { mayBePrivate: true };
    if (name.startsWith("*.") && plain.endsWith(name.slice(1)) && isIP(plain) === 0)
      return { mayBePrivate: false };
  }
  return isWeb && rules.public.includes(plain) ? { mayBePrivate: false } : undefined;
}

/** Lower case, without brackets and without a fully qualified name's trailing dot. */
function plainHost(host: string): string {
  return host
    .toLowerCase()
    .replace(/^\[(.*)\]$/, "$1")
    .replace(/\.$/, "");
}

function readRule(rule: string): { name: string; only: number | undefined } {
  const match = /^(\[[^\]]*\]|[^:]+)(?::(\d+))?$/.exec(rule.trim());
  if (match?.[1] === undefined) return { name: plainHost(rule.trim()), only: undefined };
  return { name: plainHost(match[1]), only: match[2] === undefined ? undefined : Number(match[2]) };
}

const notPublic = new BlockList();
const subnets4: readonly (readonly [string, number])[] = [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 4],
  ["240.0.0.0", 4],
];
/** In IPv6 only global unicast counts as public, minus the ranges that embed an IPv4 address. */
const subnets6: readonly (readonly [string, number])[] = [
  ["2001::", 32],
  ["2001:db8::", 32],
  ["2002::", 16],
];
for (const [net, bits] of subnets4) notPublic.addSubnet(net, bits, "ipv4");
for (const [net, bits] of subnets6) notPublic.addSubnet(net, bits, "ipv6");
const nearest = new BlockList();
nearest.addSubnet("0.0.0.0", 8, "ipv4");
nearest.addSubnet("127.0.0.0", 8, "ipv4");
nearest.addSubnet("169.254.0.0", 16, "ipv4");
nearest.addSubnet("::", 127, "ipv6");
nearest.addSubnet("fe80::", 10, "ipv6");
nearest.addAddress("fd00:ec2::254", "ipv6");
const globalUnicast = new BlockList();
globalUnicast.addSubnet("2000::", 3, "ipv6");

/** Also as an address of IPv4 that is written as one of IPv6. */
const isNearest = (address: string): boolean => nearest.check(address, isIPv6(address) ? "ipv6" : "ipv4");

/** Whether a host that was admitted may be dialled at this address, which its name led to. */
export function mayDial(
  { host, address }: { host: string; address: string },
  { mayBePrivate }: Admission,
  { isGiven = false }: HostRules,
): boolean {
  if (isPublicAddress(address)) return true;
  return mayBePrivate && (!isGiven || isIP(plainHost(host)) !== 0 || !isNearest(address));
}

export function isPublicAddress(address: string): boolean {
  if (isIPv6(address)) return globalUnicast.check(address, "ipv6") && !notPublic.check(address, "ipv6");
  return isIP(address) === 4 && !notPublic.check(address, "ipv4");
}
