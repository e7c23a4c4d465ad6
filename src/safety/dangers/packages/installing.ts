/** Shared by package managers: package sources, and the code that runs on installation. */

import { isUnknown, type Word, withText } from "../../command-line/word.ts";
import { danger, loads, runs } from "../effect-makers.ts";
import type { Effect } from "../effect.ts";
import { isThisMachine } from "../parts.ts";
import type { Use } from "../program.ts";
import type { Telling } from "../verbs.ts";

const asksRegistry: Effect = { type: "fetches", from: undefined, registry: true };
const installsPackages = danger("medium", "it installs packages, which run code of their own");

export const installing: readonly Effect[] = [asksRegistry, installsPackages];
export const runsPackage: readonly Effect[] = [
  asksRegistry,
  danger("medium", "it installs a package and runs it"),
];
export const installsTools: readonly Effect[] = [
  asksRegistry,
  danger("medium", "it installs programs, which run code of their own"),
];
export const removing: readonly Effect[] = [danger("medium", "it removes installed packages")];
/** Its registry is then the outside, which no sandbox may let it reach without a question. */
const asksOutside: Effect = { type: "fetches", from: undefined };
export const publishes: readonly Effect[] = [
  asksOutside,
  danger("high", "it changes what is published for others"),
];
export const signsIn: readonly Effect[] = [
  asksOutside,
  danger("high", "it changes who is signed in, or shows a token"),
];
export const changesSettings: readonly Effect[] = [
  danger("high", "it changes settings that decide which code is fetched and run"),
];
export const trustsSource: readonly Effect[] = [
  danger("high", "it trusts packages from another source from now on"),
];
export const asks: readonly Effect[] = [asksRegistry];
export const nothing: readonly Effect[] = [];

const registries =
  /^(?:https?:\/\/)?(?:registry\.npmjs\.org|registry\.yarnpkg\.com|npm\.jsr\.io|pypi\.org|test\.pypi\.org|files\.pythonhosted\.org|rubygems\.org|index\.rubygems\.org|crates\.io|index\.crates\.io|repo\.packagist\.org|packagist\.org|download\.pytorch\.org|conda\.anaconda\.org|repo\.anaconda\.com|proxy\.golang\.org|registry\.npmmirror\.com)(?:[:/]|$)/iu;

/** A custom registry can supply whatever its owner chooses under any package name. */
export const fromRegistries = (addresses: readonly Word[]): Effect[] =>
  addresses
    .filter(
      (address) =>
        !registries.test(address.text) && !isThisMachine(address) && !/^(?:\.|file:\.)/u.test(address.text),
    )
    .map(() => danger("high", "it takes packages from somewhere other than their usual registry"));

const address =
  /^(?:[^@\s]+@)?(?:git\+|https?:\/\/|ftp:|git:|git@|ssh:|github:|gitlab:|bitbucket:|gist:|hg\+|svn\+|bzr\+)|\.git(?:#.*|@.*)?$|\s@\s*(?:git\+|https?:)/iu;
const shorthand = /^[\w.-]+\/[\w.-]+(?:#[\w./-]+)?$/u;
const file =
  /^(?:file:|\.{0,2}\/|~\/|\.{1,2}$)|\.(?:tgz|tar\.gz|whl|zip|gem|deb|rpm|apk|pkg\.tar\.\w+|snap|flatpakref|nupkg|crate|conda)$/iu;

/** Packages to install, by name, URL or file. `owner`: `user/name` is an address, too. */
export function* packagesIn(specs: readonly Word[], { owner = false } = {}): Iterable<Effect> {
  for (const spec of specs) {
    if (isUnknown(spec)) {
      yield danger("high", "only the run will tell what it installs");
      continue;
    }
    const isShort = owner && shorthand.test(spec.text) && !/^[@.]/u.test(spec.text);
    if (address.test(spec.text) || isShort) yield danger("high", "it installs code straight from an address");
    else if (file.test(spec.text)) yield loads(withText(spec, spec.text.replace(/^file:(?:\/\/)?/u, "")));
  }
}

/** Runs a program of the project: known ones are judged by their row, any other runs workspace code. */
export function runsLocal(words: readonly Word[], directory: string): Effect[] {
  const [first, ...rest] = words;
  if (!first) return [];
  const isBare = !isUnknown(first) && !first.text.includes("/") && !isScript(first);
  return [runs([isBare ? withText(first, `${directory}/${first.text}`) : first, ...rest])];
}

const isScript = ({ text }: Word): boolean => /\.(?:py|m?[jt]s|rb|sh)$/u.test(text);

export const installs =
  (more: (use: Use) => Iterable<Effect> = () => [], effects: readonly Effect[] = installing): Telling =>
  (use) => [...effects, ...more(use)];

/** `--prefix dir`, `-C dir`: the code of that directory runs. */
export const inDirectories = (directories: readonly Word[]): Effect[] =>
  directories.map((path) => loads(path));

/** An extension of an editor or a tool: from its registry, or from a file or an address that nobody has checked. */
export const installsExtension = (extension: Word): Effect =>
  /^(?:[./~]|[a-z+]+:\/\/)|\0|\.(?:vsix|zip|xpi|crx|jar|oxt|el|tar|tgz)$/iu.test(extension.text) &&
  !extension.text.startsWith("@")
    ? danger("high", "it installs an extension from a file, which runs code of its own")
    : danger("medium", "it installs extensions of the editor, which run code of their own");
