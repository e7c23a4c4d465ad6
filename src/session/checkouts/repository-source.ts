/** What a session may name instead of a directory: a git repository, a ref of it, and a directory in it. */

/** `ref`: a branch, a tag or a commit; by default what the repository itself proposes. */
export type RepositorySource = {
  repository: string;
  ref?: string | undefined;
  subdirectory?: string | undefined;
};

const gitProtocols = ["https", "ssh", "file"] as const;

const longestAddress = 2_000;
const longestName = 250;

/** Why it cannot be fetched, and what to do. An address that may hold a password is in no problem. */
export function sourceProblem(
  { repository, ref, subdirectory }: RepositorySource,
  allowed: readonly string[],
): string | undefined {
  const problem = addressProblem(repository, allowed);
  if (problem !== undefined) return problem;
  if (ref !== undefined && !isRefName(ref))
    return `${JSON.stringify(ref.slice(0, longestName))} cannot be a branch, a tag or a commit.`;
  if (subdirectory !== undefined && !isPathBelow(subdirectory))
    return `${JSON.stringify(subdirectory.slice(0, longestName))} is no directory in a repository: give a path below its root, as "packages/shop".`;
  return undefined;
}

/** `user@host:path`, as ssh is written. */
const shortSsh = /^[\w.][\w.-]*@[A-Za-z0-9][\w.-]*:[^-:\s][^:\s]*$/u;

function addressProblem(address: string, allowed: readonly string[]): string | undefined {
  const isOdd = address.length > longestAddress || /[\s\p{Cc}\\]/u.test(address);
  const [, written] = /^([a-z]+):\/\//u.exec(address) ?? [];
  const url = written !== undefined && URL.canParse(address) ? new URL(address) : undefined;
  const protocol = url
    ? gitProtocols.find((name) => name === written)
    : shortSsh.test(address)
      ? "ssh"
      : undefined;
  if (isOdd || protocol === undefined)
    return `That is no address of a git repository: give one that begins with ${starts(allowed)}.`;
  if (!allowed.includes(protocol))
    return `Repositories over ${protocol} are not fetched here: give one that begins with ${starts(allowed)}, or let the worker allow it with --git-protocols.`;
  if (url && (url.password !== "" || (protocol === "https" && url.username !== "")))
    return "The address holds a login. Leave it out, and give the login to git on the worker's machine: in a credential helper, or as GIT_ASKPASS.";
  if (url && (url.search !== "" || url.hash !== ""))
    return "The address of a repository has no part behind ? or #: leave it out.";
  if (url && protocol === "file" ? url.hostname !== "" || url.pathname === "/" : url?.hostname === "")
    return "The address names no repository: give its host and path, or file:///path.";
  const mayBeOption = url && /^(?:-|%2d)/iu.test(url.username);
  if (url && protocol !== "file" && (mayBeOption || !/^[A-Za-z0-9[]/u.test(url.hostname)))
    return "The address names no host that a repository can be on.";
  return undefined;
}

const starts = (allowed: readonly string[]): string =>
  allowed.map((name) => `${name}://`).join(" or ") || "nothing, as --git-protocols allows none";

/** Narrower than git's own rule for names (git check-ref-format). */
export const isRefName = (name: string): boolean =>
  name.length <= longestName &&
  /^[\p{L}\p{N}_][^\s\p{Cc}~^:?*[\\]*$/u.test(name) &&
  !/\.\.|@\{|\/\/|\/\.|\/$|\.$|\.lock(?:\/|$)/u.test(name);

function isPathBelow(path: string): boolean {
  return path.length <= longestAddress && !/[\p{Cc}\\]/u.test(path) && path.split("/").every(isPlainName);
}

const isPlainName = (name: string): boolean =>
  name !== "" && name !== "." && name !== ".." && !/^\.git[. ]*$/iu.test(name);

/** As directories are called after repositories: the last name of the address. */
export function nameOf(address: string): string {
  const last = address.replace(/\/+$/u, "").split(/[/:]/u).at(-1) ?? "";
  const name = last
    .replace(/(?:\.git)+$/u, "")
    .replaceAll(/[^\w.-]/gu, "-")
    .replace(/^[.-]+/u, "");
  return name === "" ? "tree" : name.slice(0, 100);
}
