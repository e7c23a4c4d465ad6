/** Which hosts a command may read from without a question: what the tool for that may, and what installs reach anyway. */

import { mayReachChosen } from "./chosen-hosts.ts";
import { publicRegistries } from "./sandbox/registries.ts";
import type { ChosenHosts, Policy, Subject } from "./subject.ts";

/** The tool that reads an address: who lets it read from a host has agreed to all that an address can say there. */
export const reader = "fetch";

/** The hosts of a command that does nothing over the network but read addresses, and that can be held to them. */
export function hostsRead(
  subject: Subject,
  { around, sandbox }: Pick<Policy, "around" | "sandbox">,
): readonly string[] | undefined {
  if (!mayReachChosen(subject, around, sandbox)) return undefined;
  const hosts = (subject.judgement?.requests ?? []).map(hostOf);
  return hosts.every((host) => host !== undefined) ? [...new Set(hosts)] : undefined;
}

/** No login, no other port, and nothing that one program may read in another way than the next. */
function hostOf(address: string): string | undefined {
  const url =
    /^https:\/\/[\w.-]+(?:[/?]|$)/u.test(address) && URL.canParse(address) ? new URL(address) : undefined;
  return url?.hostname;
}

/** Where installs run unasked, any script of theirs may say as much to a registry. */
export function freelyReached(
  hosts: readonly string[],
  { mode, mayRead }: { mode: Policy["mode"]; mayRead: (host: string) => boolean },
): ChosenHosts | undefined {
  if (mode === "plan" || mode === "deny" || mode === "trusted") return undefined;
  const isFree = hosts.every((host) => publicRegistries.includes(host) || mayRead(host));
  return isFree ? { profile: "install", hosts: hosts.map((host) => `${host}:443`) } : undefined;
}
