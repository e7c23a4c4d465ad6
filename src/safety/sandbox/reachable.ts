/** Decides which hosts a contained command may reach through the proxy, and at which addresses. */

import { isIP } from "node:net";
import { isNearest, whyNotPublic } from "../../base/public-address.ts";

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

/** Whether a host that was admitted may be dialled at this address, which its name led to. */
export function mayDial(
  { host, address }: { host: string; address: string },
  { mayBePrivate }: Admission,
  { isGiven = false }: HostRules,
): boolean {
  if (whyNotPublic(address) === undefined) return true;
  return mayBePrivate && (!isGiven || isIP(plainHost(host)) !== 0 || !isNearest(address));
}
