/** The severity of reading, writing, deleting or opening up a file, by where it lies. */

import { unknown, type Word } from "../command-line/word.ts";
import type { Effect } from "../dangers/effect.ts";
import { type Finding, finding } from "../judgement.ts";
import { isTemporaryRoot, nameOf, type PathPlace, type PlaceKind } from "./place.ts";

export type FileEffect = Extract<Effect, { type: "reads" | "writes" | "deletes" | "permits" }>;

export function fileFinding(effect: FileEffect, place: PathPlace, to?: PathPlace): Finding | undefined {
  switch (effect.type) {
    case "reads":
      return readFinding(place);
    case "writes":
      return effect.isNew && isFreeBeside(place) ? undefined : writeFinding(place, effect.how);
    case "deletes":
      return effect.moved === true ? moveFinding(place, to) : deleteFinding(place, effect.deep, effect.path);
    case "permits":
      return permitFinding(place, effect);
    default:
      return effect satisfies never;
  }
}

function readFinding({ kind, secret, shown }: PathPlace): Finding | undefined {
  if (kind === "device") return finding("high", `it reads the device ${shown}`);
  if (kind === "network") return connectionFinding(shown);
  return secret === undefined ? undefined : finding("high", `it reads ${secret} (${shown})`);
}

/** `/dev/tcp/localhost/80` only checks for a server on this machine. */
const connectionFinding = (shown: string): Finding | undefined =>
  /^\/dev\/(?:tcp|udp)\/(?:localhost|127(?:\.\d{1,3}){3}|::1)\//u.test(shown)
    ? undefined
    : finding("high", `it opens a connection (${shown})`);

/** What stands next to the workspace is known to whoever put the workspace there. */
const isFreeBeside = ({ isBeside, trust, secret }: PathPlace): boolean =>
  isBeside === true && trust === undefined && secret === undefined;

function writeFinding(place: PathPlace, how: string): Finding | undefined {
  const { kind, trust, shown, secret } = place;
  const changes = how === "appends" ? "adds to" : how === "edits" ? "changes" : "writes";
  switch (kind) {
    case "nothing":
    case "temporary":
      return undefined;
    case "device":
      return { ...finding("critical", `it ${changes} the device ${shown}`), destroysDevice: true };
    case "kernel":
      return finding("critical", `it ${changes} a setting of the kernel (${shown})`);
    case "network":
      return connectionFinding(shown);
    case "root":
    case "system":
      return finding("critical", `it ${changes} a part of the system (${shown})`);
    case "git":
      return gitFinding(place, changes);
    default:
  }
  if (trust !== undefined) return finding("critical", `it ${changes} ${trust} (${shown})`);
  if (kind === "in-workspace" && installedProgram.test(place.path ?? ""))
    return finding("high", `it ${changes} an installed program (${shown})`);
  if (kind === "in-workspace" || kind === "workspace")
    return secret === undefined ? undefined : finding("medium", `it ${changes} ${secret} (${shown})`);
  if (secret !== undefined) return finding("critical", `it ${changes} ${secret} (${shown})`);
  if (kind === "unknown") return finding("high", `only the run will tell which file it ${changes}`);
  return finding("high", `it ${changes} a file outside the workspace (${shown})`);
}

/** What later commands run by name, or what every start of an interpreter runs. */
const installedProgram =
  /\/(?:node_modules\/\.bin|(?:\.?v?env|virtualenv)\/(?:bin|Scripts)|vendor\/bin)\/[^/]+$|\/(?:site|user)customize\.py$|\/site-packages\/[^/]+\.pth$|\/(?:node_modules|site-packages)\/.+\.(?:[cm]?js|py|so|node)$/u;

/** Git acts on more than hooks: this covers everything in `.git` that is not plain data. */
function gitFinding({ path = "", shown }: PathPlace, changes: string): Finding {
  return /\/\.git(?:\/(?:hooks|config|info|modules|worktrees|commondir|gitdir|attributes|objects\/info)|$)/iu.test(
    path,
  )
    ? finding("critical", `it ${changes} what git obeys (${shown})`)
    : finding("high", `it ${changes} git's own files (${shown})`);
}

const precious: ReadonlySet<PlaceKind> = new Set([
  "root",
  "system",
  "home",
  "device",
  "kernel",
  "git",
  "workspace",
  "above-workspace",
]);

const lost: Readonly<Partial<Record<PlaceKind, string>>> = {
  root: "everything there is",
  system: "a part of the system",
  home: "a whole home directory",
  device: "a device",
  kernel: "a part of the kernel's files",
  git: "the history of the repository",
  workspace: "the whole workspace",
  "above-workspace": "the directory that holds the workspace",
};

function deleteFinding(place: PathPlace, deep: boolean, { text }: Word): Finding | undefined {
  const { kind, shown } = place;
  const unresolved = unresolvedFinding(text, shown);
  if (unresolved) return unresolved;
  if (kind === "nothing") return undefined;
  if (kind === "git" && !deep && !isGitControl(place))
    return finding("high", `it deletes one of git's own files (${shown})`);
  if (precious.has(kind))
    // rmdir, and rm without `-r`, refuse a directory that is not empty.
    return deep || place.isContents || !neverEmpty.has(kind)
      ? finding("critical", `it deletes ${lost[kind] ?? "it"} (${shown})`)
      : undefined;
  if (place.trust !== undefined && kind !== "in-workspace")
    return finding("critical", `it deletes ${place.trust} (${shown})`);
  if (kind === "temporary") return deep ? deleteTemporary(place) : undefined;
  if (kind === "in-workspace") return deleteInside(place, deep);
  if (kind === "at-home" && deep && !isCache(place))
    return finding("critical", `it deletes a directory of your home (${shown})`);
  if (kind === "unknown" && /^(?:\.\/)?(?:\.|[.*?]*\*[.*?]*)$/u.test(text))
    return finding("critical", "it deletes everything there, and only the run will tell where that is");
  if (kind === "unknown") return finding("high", "only the run will tell what it deletes");
  return finding("high", `it deletes files outside the workspace (${shown})`);
}

const neverEmpty: ReadonlySet<PlaceKind> = new Set(["home", "workspace", "above-workspace", "root"]);

function deleteTemporary(place: PathPlace): Finding | undefined {
  if (isTemporaryRoot(place)) return finding("critical", `it deletes a part of the system (${place.shown})`);
  return place.isContents
    ? finding("medium", `it empties a temporary directory (${place.shown})`)
    : undefined;
}

/** `rm -rf "$X"/`: with an empty variable this deletes everything. */
function unresolvedFinding(text: string, shown: string): Finding | undefined {
  const isOpen = text.startsWith(unknown) && /^\0+\/+(?:[.*?]*|\0)$/u.test(text);
  return isOpen
    ? finding("critical", `if the variable in it is empty, it deletes everything (${shown})`)
    : undefined;
}

const isGitControl = ({ path = "" }: PathPlace): boolean => /\/\.git\/?$/iu.test(path);

const isCache = (place: PathPlace): boolean => /^(?:\.?caches?|tmp)$/iu.test(nameOf(place));

const isSeveral = ({ shown, isContents }: PathPlace): boolean => isContents || /[*?[]/u.test(shown);

const staysNear: ReadonlySet<PlaceKind> = new Set(["in-workspace", "workspace", "unknown"]);

function deleteInside(place: PathPlace, deep: boolean): Finding | undefined {
  const { shown, isRegenerable } = place;
  const isMany = (deep && !lockFile.test(shown)) || isSeveral(place);
  if (isRegenerable)
    return isMany ? finding("medium", `it deletes what a build makes again (${shown})`) : undefined;
  if (isMany) return finding("high", `it deletes files of the workspace (${shown})`);
  return finding("medium", `it deletes a file (${shown})`);
}

/** Always a file, even with `-r`; package managers can regenerate it from the other files. */
const lockFile =
  /(?:^|\/)(?:package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lockb?|deno\.lock|Cargo\.lock|poetry\.lock|uv\.lock|pdm\.lock|Pipfile\.lock|Gemfile\.lock|composer\.lock|go\.sum|mix\.lock|pubspec\.lock|Podfile\.lock|flake\.lock|packages\.lock\.json|Package\.resolved)$/u;

function moveFinding(place: PathPlace, to: PathPlace | undefined): Finding | undefined {
  const { kind, shown, trust } = place;
  // What left the workspace is as good as deleted; of a single file its new name still tells where it is.
  if (kind === "in-workspace" && to && !staysNear.has(to.kind) && isSeveral(place))
    return finding(place.isRegenerable ? "medium" : "high", `it moves files out of the workspace (${shown})`);
  if (kind === "in-workspace" || kind === "temporary" || kind === "nothing") return undefined;
  if (precious.has(kind)) return finding("critical", `it moves ${lost[kind] ?? "it"} away (${shown})`);
  if (trust !== undefined) return finding("critical", `it moves ${trust} away (${shown})`);
  if (kind === "unknown") return undefined;
  return finding("high", `it moves a file from outside the workspace (${shown})`);
}

function permitFinding(
  place: PathPlace,
  { mode, deep }: Extract<Effect, { type: "permits" }>,
): Finding | undefined {
  const { kind, shown, secret, trust } = place;
  const isPrecious =
    kind === "root" ||
    kind === "system" ||
    kind === "device" ||
    kind === "kernel" ||
    (deep && kind === "home");
  if (isPrecious) return finding("critical", `it changes who may use a part of the system (${shown})`);
  if (mode === undefined) return finding("high", `it changes the owner of ${shown}`);
  const asked = modeOf(mode.text);
  if (asked === "setuid") return finding("critical", `whoever runs ${shown} gets its owner's rights`);
  if (asked === "unknown") return finding("high", `only the run will tell what it permits for ${shown}`);
  if (asked === "everyone") return finding("high", `everyone may write ${shown}`);
  if ((deep || kind === "workspace" || isSeveral(place)) && locksOut(mode.text))
    return finding("high", `nobody can use what is in ${shown} any more`);
  if (kind === "git" || trust !== undefined || secret !== undefined)
    return asked === "narrow" ? undefined : finding("high", `it changes who may use ${shown}`);
  if (kind === "in-workspace" || kind === "workspace" || kind === "temporary" || kind === "unknown")
    return undefined;
  return finding("high", `it changes who may use a file outside the workspace (${shown})`);
}

/** Classifies a mode argument of chmod, octal or symbolic. */
function modeOf(text: string): "setuid" | "everyone" | "narrow" | "plain" | "unknown" {
  if (text.includes(unknown)) return "unknown";
  const octal = /^[=+]?[0-7]{1,5}$/u.test(text) ? Number.parseInt(text.replace(/^[=+]/u, ""), 8) : undefined;
  if (octal !== undefined) {
    if ((octal & 0o6000) !== 0) return "setuid";
    if ((octal & 0o002) !== 0) return "everyone";
    return (octal & 0o077) === 0 ? "narrow" : "plain";
  }
  const clauses = text.split(",");
  if (clauses.some((clause) => /^[ugoa]*[+=][rwxXugo]*s/u.test(clause))) return "setuid";
  if (
    clauses.some(
      (clause) => /^(?:[ugo]*[oa][ugoa]*)[+=][rxXst]*w/u.test(clause) || /^[+=][rxXst]*w/u.test(clause),
    )
  )
    return "everyone";
  return clauses.every((clause) => /^[go]*-/u.test(clause)) ? "narrow" : "plain";
}

/** Whether even the owner can no longer read or enter a tree: `000`, `a-rwx`, `-x`. `-x+X` restores access. */
function locksOut(mode: string): boolean {
  if (/^[0-7]{1,5}$/u.test(mode)) return (Number.parseInt(mode, 8) & 0o400) === 0;
  const takes = /^(?:[go]*[ua][ugoa]*)?(?:-[wXst]*[rx][rwxXst]*|=)$/u;
  return mode.split(",").some((clause) => takes.test(clause)) && !/[+=][rwst]*[xX]/u.test(mode);
}
