/** Shared by package managers: what installing and publishing do, and where packages come from. */

import { isUnknown, type Word, withText } from "../../command-line/word.ts";
import { danger, loads, runs } from "../effect-makers.ts";
import type { Effect } from "../effect.ts";
import { isThisMachine } from "../parts.ts";

export const asksRegistry: Effect = { type: "fetches", from: undefined, registry: true };

export const installing: readonly Effect[] = [
  asksRegistry,
  danger("medium", "it installs or removes packages, which run code of their own"),
];
export const runsPackage: readonly Effect[] = [
  asksRegistry,
  danger("medium", "it installs a package and runs it"),
];
/** Its registry is then the outside, which no sandbox may let it reach without a question. */
export const publishes: readonly Effect[] = [
  { type: "fetches", from: undefined },
  danger("high", "it changes what is published for others, or who is signed in"),
];

const registries =
  /^(?:https?:\/\/)?(?:registry\.npmjs\.org|registry\.yarnpkg\.com|npm\.jsr\.io|pypi\.org|test\.pypi\.org|files\.pythonhosted\.org|rubygems\.org|index\.rubygems\.org|crates\.io|index\.crates\.io|repo\.packagist\.org|packagist\.org|download\.pytorch\.org|conda\.anaconda\.org|repo\.anaconda\.com|proxy\.golang\.org|registry\.npmmirror\.com)(?:[:/]|$)/iu;
const address =
  /^(?:[^@\s]+@)?(?:git\+|https?:\/\/|ftp:|git:|git@|ssh:|github:|gitlab:|bitbucket:|gist:|hg\+|svn\+|bzr\+)|\.git(?:#.*|@.*)?$|\s@\s*(?:git\+|https?:)/iu;
const shorthand = /^(?![@.])[\w.-]+\/[\w.-]+(?:#[\w./-]+)?$/u;
const file =
  /^(?:file:|\.{0,2}\/|~\/|\.{1,2}$)|\.(?:tgz|tar\.gz|whl|zip|gem|deb|rpm|apk|pkg\.tar\.\w+|snap|flatpakref|nupkg|crate|conda)$/iu;
const unchecked =
  /^--(?:trusted-host|allow-unauthenticated|force-yes|nogpgcheck|allow-untrusted|no-gpg-checks|dangerous|devmode|allow-insecure-repositories|classic|git|github)(?:=|$)/u;

/**
 * Where the packages come from that these words name, options and their values among them. `owner`: `user/name` is an
 * address, too. Another registry can supply whatever its owner chooses under any name.
 */
export function* packagesIn(words: readonly Word[], { owner = false } = {}): Iterable<Effect> {
  for (const word of words) {
    const spec = word.text.startsWith("-") ? withText(word, word.text.replace(/^-[^=]*=?/u, "")) : word;
    if (isUnknown(word)) yield danger("high", "only the run will tell what it installs");
    else if (unchecked.test(word.text))
      yield danger("high", "it does not look whether packages are what they say");
    else if (registries.test(spec.text) || isThisMachine(spec)) continue;
    else if (address.test(spec.text) || (owner && shorthand.test(spec.text)))
      yield danger("high", "it takes packages from somewhere other than their usual registry");
    else if (file.test(spec.text)) yield loads(withText(spec, spec.text.replace(/^file:(?:\/\/)?/u, "")));
  }
}

/** Runs a program of the project: known ones are judged by their row, any other runs workspace code. */
export function runsLocal([first, ...rest]: readonly Word[], directory: string): Effect[] {
  if (!first) return [];
  if (first.text.endsWith(".py")) return [loads(first, "python")];
  const isBare = !isUnknown(first) && !/\/|\.(?:m?[jt]s|rb|sh)$/u.test(first.text);
  return [runs([isBare ? withText(first, `${directory}/${first.text}`) : first, ...rest])];
}

/** An extension of an editor or a tool: from its registry, or from a file or an address that nobody has checked. */
export const installsExtension = (extension: Word): Effect =>
  danger(
    /^(?:[./~]|[a-z+]+:\/\/)|\0|\.(?:vsix|zip|xpi|crx|jar|oxt|el|tar|tgz)$/iu.test(extension.text)
      ? "high"
      : "medium",
    "it installs extensions of the editor, which run code of their own",
  );
