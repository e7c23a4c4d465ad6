/**
 * Which hosts a command may reach without a question: those of the project's own remotes, those that the tool for reading
 * addresses may read from, and what installs reach anyway.
 */

import { whatItLeaves } from "./containment.ts";
import { isAtLeast } from "./judgement.ts";
import { anyRemote } from "./remote-names.ts";
import { admit } from "./sandbox/reachable.ts";
import { publicRegistries } from "./sandbox/registries.ts";
import type { ChosenHosts, Policy, SandboxState, Subject, Surroundings } from "./subject.ts";

/** The address that git would use for each remote of the repository, by the remote's name. */
export type Remotes = ReadonlyMap<string, string>;

type Forge = {
  host: string;
  /** What anybody may read of it, and nobody but the forge learns that it was read: no file whose readers are counted. */
  api?: RegExp;
};

/**
 * They serve everybody, so whoever puts words into a repository there learns nothing of what is asked of them. A server
 * that only the repository names may be whose it is: of what a fetch says (names, commits) it could learn something.
 */
const forges: readonly Forge[] = [
  {
    host: "github.com",
    api: /^https:\/\/api\.github\.com\/repos(?:\/[\w.-]+){2}(?:\/(?:branches|commits|compare|contributors|issues|labels|languages|license|milestones|pulls|releases|tags|topics)(?!\/assets)(?:\/(?!assets\b)[\w.-]+)*)?(?:\?[\w.,=&+-]*)?$/u,
  },
  ...[
    "bitbucket.org",
    "codeberg.org",
    "dev.azure.com",
    "git.kernel.org",
    "git.sr.ht",
    "gitea.com",
    "gitlab.com",
    "gitlab.freedesktop.org",
    "gitlab.gnome.org",
    "invent.kde.org",
    "salsa.debian.org",
  ].map((host) => ({ host })),
];

type HostsKnown = {
  remotes: Remotes;
  /** Hosts that the person has added to those that installs may reach. */
  added: readonly string[];
};

/** Whether it is worth asking git for the remotes: nothing but them stands between this command and its running contained. */
export function mayReachChosen(
  { judgement, directory, stages, lasting, runsIn, outside }: Subject,
  around: Surroundings,
  { isOn, profiles }: SandboxState,
): boolean {
  if (!judgement?.requests?.length || stages || lasting || runsIn || outside?.length) return false;
  // Another directory may hold another repository, which a command could have made.
  if (directory !== undefined || !isOn || profiles?.includes("install") === false) return false;
  const isTame = !isAtLeast(judgement.severity, "high") && judgement.uncontainable === undefined;
  return isTame && whatItLeaves(judgement, around) === undefined;
}

/** Undefined if any of what is asked leads elsewhere. */
export function chosenHosts(requests: readonly string[], known: HostsKnown): ChosenHosts | undefined {
  const addresses = requests.filter((one) => one.startsWith("https://"));
  if (addresses.length === 0) {
    const hosts = hostsOfRemotes(requests, known);
    return hosts && { profile: "git", hosts };
  }
  if (addresses.length < requests.length) return undefined;
  const hosts = addresses.map((address) => apiHost(address, known));
  return hosts.every((host) => host !== undefined)
    ? { profile: "install", hosts: [...new Set(hosts)] }
    : undefined;
}

function hostsOfRemotes(names: readonly string[], { remotes, added }: HostsKnown): string[] | undefined {
  const addresses = names.includes(anyRemote)
    ? [...remotes.values()]
    : names.map((name) => remotes.get(name));
  const hosts = addresses.map((address) => hostOf(address, added));
  return hosts.length > 0 && hosts.every((host) => host !== undefined) ? [...new Set(hosts)] : undefined;
}

/** The address is git's own, with what replaces its beginning in place. */
function hostOf(address: string | undefined, added: readonly string[]): string | undefined {
  const url = address !== undefined && URL.canParse(address) ? new URL(address) : undefined;
  if (url?.protocol !== "https:") return undefined;
  const port = url.port === "" ? 443 : Number(url.port);
  if (url.username !== "" || url.password !== "") return undefined; // a login that the command would use
  const isForge = port === 443 && forges.some(({ host }) => host === url.hostname);
  return isForge || admit(url.hostname, port, { public: [], named: added })
    ? `${url.hostname}:${port}`
    : undefined;
}

/** Of the forge that the project is on, so that it already knows who works on what. */
function apiHost(address: string, { remotes }: HostsKnown): string | undefined {
  const own = new Set([...remotes.values()].map((remote) => hostOf(remote, [])));
  const forge = forges.find(({ host, api }) => own.has(`${host}:443`) && api?.test(address) === true);
  const isAsWritten = URL.canParse(address) && new URL(address).href === address;
  return forge && isAsWritten ? `${new URL(address).hostname}:443` : undefined;
}

/** The tool that reads an address: who lets it read from a host has agreed to all that an address can say there. */
export const reader = "fetch";

/** The hosts of a command that does nothing over the network but read addresses, and that can be held to them. */
export function hostsRead(
  subject: Subject,
  { around, sandbox }: Pick<Policy, "around" | "sandbox">,
): readonly string[] | undefined {
  if (!mayReachChosen(subject, around, sandbox)) return undefined;
  const hosts = (subject.judgement?.requests ?? []).map(hostRead);
  return hosts.every((host) => host !== undefined) ? [...new Set(hosts)] : undefined;
}

/** No login, no other port, and nothing that one program may read in another way than the next. */
function hostRead(address: string): string | undefined {
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
