/**
 * Finds entries in an overlay that would make programs run outside the sandbox, and removes them before anything is
 * merged.
 */

import { isAbsolute, join, relative } from "node:path";
import { isWithin } from "../../../base/paths.ts";
import { looksLikeAgentFolder } from "../../executing-places.ts";
import { realPath } from "../../on-disk.ts";
import { linkWarning, movedWarnings, openWarning } from "../guard.ts";
import { isPlainRepository, namedDirectory, readAlone } from "../plain-repository.ts";
import {
  isGitName,
  isProtectedPath,
  isRepositoryPart,
  looksLikeRepository,
  mayStay,
} from "../protected-places.ts";
import { quarantinePlace } from "../quarantine.ts";
import type { IndexedPlaces } from "../workspace-index.ts";
import { asText, type BytePath, fromText, joinBytes, parentOf, shownPath } from "./byte-path.ts";
import type { Overlay } from "./overlay.ts";
import { pace } from "./pace.ts";
import { putAside } from "./put-aside.ts";
import type { RootedTree } from "./rooted-tree.ts";
import type { UpperNode } from "./upper-tree.ts";

type PlantedIn = {
  overlay: Overlay;
  upper: RootedTree;
  lower: RootedTree;
  root: UpperNode;
  found: IndexedPlaces;
  stateDir: string;
  /** Absolute paths that git's settings lead to. */
  led: readonly string[];
  /** The user approved running it in the open profile: planted entries are reported but stay. */
  isOpen: boolean;
};

type PlantedEntries = {
  warnings: string[];
  /** New entries to be merged separately: repositories, and in the open profile whatever was planted. */
  apart: Set<BytePath>;
  /** Existing repositories, whose changes in the overlay are dropped. */
  dropped: BytePath[];
};

type PlantedSearch = PlantedIn & {
  planted: PlantedEntries;
  moved: { name: string; to: string | undefined }[];
  held: ReadonlyMap<BytePath, "link" | "other">;
  place: string;
  awaited: ReadonlySet<BytePath>;
};

/** Entries removed from the overlay are removed from `root`, too. */
export async function takePlanted(given: PlantedIn): Promise<PlantedEntries> {
  const planted: PlantedEntries = { warnings: [], apart: new Set(), dropped: [] };
  const place = quarantinePlace(given.stateDir);
  const awaited = new Set(given.led.map((path) => fromText(relative(given.overlay.workspace, path))));
  const search = { ...given, planted, place, held: heldPlaces(given), awaited, moved: [] };
  if (judgeRepository(given.root, "", search) === "parts") takeParts(given.root, "", search);
  await lookThrough(given.root, "", search);
  planted.warnings.unshift(...movedWarnings(search.moved));
  return planted;
}

/** Places that stay unchanged, whatever the overlay contains. In the open profile these are only repositories. */
function heldPlaces({ found, overlay, isOpen }: PlantedIn): Map<BytePath, "link" | "other"> {
  const items = [...found.git, ...(isOpen ? [] : found.protected)];
  return new Map(
    items
      .filter(({ kind }) => !isOpen || kind === "directory")
      .map(({ path, kind }) => [
        fromText(relative(overlay.workspace, path)),
        kind === "link" ? "link" : "other",
      ]),
  );
}

/** Into every directory, whatever it is called: what the overlay has listed anyway costs no look at the disk. */
async function lookThrough(node: UpperNode, path: BytePath, search: PlantedSearch): Promise<void> {
  await pace();
  for (const child of node.children.values()) {
    const place = joinBytes(path, child.name);
    const kind = search.held.get(place);
    if (kind !== undefined) {
      hold(node, { child, place, kind }, search);
      continue;
    }
    const verdict = judge(child, place, search);
    if (verdict === "repository") search.planted.apart.add(place);
    if (verdict === "parts") takeParts(child, place, search);
    if (verdict === "planted") takeOut(node, { child, place }, search);
    else if (child.children.size > 0) await lookThrough(child, place, search);
  }
}

type PlacedNode = { child: UpperNode; place: BytePath };

function hold(
  parent: UpperNode,
  { child, place, kind }: PlacedNode & { kind: "link" | "other" },
  search: PlantedSearch,
): void {
  parent.children.delete(child.name);
  if (kind === "link")
    search.planted.warnings.push(linkWarning(shownPath(place), aside(child, place, search)));
  else if (child.files > 0) search.planted.dropped.push(place);
}

const aside = (child: UpperNode, path: BytePath, { upper, place }: PlantedSearch): string | undefined =>
  child.kind === "character" ? undefined : putAside(upper, path, place);

function takeOut(parent: UpperNode, { child, place }: PlacedNode, search: PlantedSearch): void {
  const { planted, isOpen } = search;
  if (isOpen) {
    planted.apart.add(place);
    planted.warnings.push(openWarning(shownPath(place)));
    return;
  }
  parent.children.delete(child.name);
  search.moved.push({ name: shownPath(place), to: aside(child, place, search) });
}

/** Only what git obeys: the directory was there before, and may hold much else. */
function takeParts(node: UpperNode, path: BytePath, search: PlantedSearch): void {
  for (const child of node.children.values())
    if (isRepositoryPart(nameText(child.name)) && child.kind !== "character")
      takeOut(node, { child, place: joinBytes(path, child.name) }, search);
}

/** `parts`: what the command wrote of a repository is planted, and not what else is in the directory. */
type EntryVerdict = "plain" | "repository" | "parts" | "planted";

function judge(node: UpperNode, path: BytePath, search: PlantedSearch): EntryVerdict {
  if (node.kind === "character") return "plain";
  if (search.awaited.has(path) && isNew(path, search)) return "planted";
  if (isGitName(nameText(node.name))) {
    const verdict = node.kind === "directory" ? judgeGitDirectory(node, path, search) : undefined;
    return verdict ?? (leadsToKnown(node, path, search) ? "repository" : "planted");
  }
  if (isProtectedPath(nameText(path)) && !isPlainFile(node, path, search)) {
    // What was there before is held, unless it lies where nobody looks before a command: a tool filled that directory.
    if (!search.isOpen || isNew(path, search)) return "planted";
  }
  if (node.kind !== "directory") return "plain";
  if (node.isTooDeep) return isNew(path, search) && !isOrdinaryBelow(path, search) ? "planted" : "plain";
  return isNewAgentFolder(node, path, search) ? "planted" : judgeRepository(node, path, search);
}

/** By names alone: the content of what lies so deep has not been listed, and is moved as one thing. */
function isOrdinaryBelow(path: BytePath, { upper }: PlantedSearch): boolean {
  const waiting = [path];
  for (let directory = waiting.pop(), left = mostBelow; directory !== undefined; directory = waiting.pop()) {
    const listed = upper.list(directory);
    left -= listed?.length ?? 0;
    if (listed === undefined || left < 0) return false;
    for (const { name, kind } of listed) {
      const place = joinBytes(directory, name);
      const text = nameText(name);
      if (isGitName(text) || text.toLowerCase() === "head" || isProtectedPath(nameText(place))) return false;
      if (kind === "directory") waiting.push(place);
    }
  }
  return true;
}

const mostBelow = 5_000;

const isNew = (path: BytePath, { lower }: PlantedSearch): boolean => lower.stat(path) === undefined;

const nameText = (path: BytePath): string => asText(path) ?? shownPath(path);

function isPlainFile(node: UpperNode, path: BytePath, { overlay }: PlantedSearch): boolean {
  const text = asText(path);
  return node.kind === "file" && text !== undefined && mayStay(text, join(overlay.upper, text));
}

function judgeGitDirectory(node: UpperNode, path: BytePath, search: PlantedSearch): EntryVerdict {
  const { before } = namesAround(node, path, search);
  if (before.size === 0) return isPlain(path, search) ? "repository" : "planted";
  return looksLikeRepository(before) && isPlain(path, search, "part") ? "plain" : "planted";
}

/** Of any directory: git takes it for a repository by what it holds, not by its name. */
function judgeRepository(node: UpperNode, path: BytePath, search: PlantedSearch): EntryVerdict {
  if (!namesWritten(node).some(isRepositoryPart)) return "plain";
  const { before, now } = namesAround(node, path, search);
  if (!looksLikeRepository(now)) return "plain";
  if (before.size === 0 && isPlain(path, search)) return "repository";
  if (before.size === 0 && path !== "") return "planted";
  return looksLikeRepository(before) && isPlain(path, search, "part") ? "plain" : "parts";
}

/** `part`: only some of it was written anew, the settings perhaps not. */
function isPlain(path: BytePath, { overlay }: PlantedSearch, written: "whole" | "part" = "whole"): boolean {
  const text = asText(path);
  return text !== undefined && isPlainRepository(join(overlay.upper, text), written);
}

/** The listing of what was there is asked for only if one of the written names matters. */
function isNewAgentFolder(node: UpperNode, path: BytePath, search: PlantedSearch): boolean {
  const folder = nameText(node.name);
  if (!folder.startsWith(".") || !looksLikeAgentFolder(folder, namesWritten(node))) return false;
  return !looksLikeAgentFolder(folder, namesAround(node, path, search).before);
}

const namesWritten = (node: UpperNode): string[] =>
  [...node.children.values()].filter(({ kind }) => kind !== "character").map(({ name }) => nameText(name));

function namesAround(
  node: UpperNode,
  path: BytePath,
  { lower }: PlantedSearch,
): Record<"before" | "now", Set<string>> {
  const before = (lower.list(path) ?? []).map(({ name }) => name);
  return { before: new Set(before), now: new Set([...before, ...namesWritten(node)]) };
}

/** Whether it is a file, as a worktree has one, that leads to a repository which was there before. */
function leadsToKnown(node: UpperNode, path: BytePath, search: PlantedSearch): boolean {
  const text = asText(path);
  if (text === undefined || node.kind !== "file") return false;
  const named = namedDirectory(readAlone(join(search.overlay.upper, text)));
  const target = named && targetOf(named, path, search);
  const repositories = search.found.git.filter(({ kind }) => kind === "directory");
  return target !== undefined && repositories.some((known) => isWithin(known.path, target));
}

/** Walks only through real directories: with a link in the path, "a/.." would not lead back. */
function targetOf(named: string, path: BytePath, search: PlantedSearch): string | undefined {
  if (isAbsolute(named)) return realPath(named);
  let place = parentOf(path);
  for (const name of fromText(named).split("/")) {
    if (name === "" || name === ".") continue;
    if (name === ".." && place === "") return undefined;
    place = name === ".." ? parentOf(place) : joinBytes(place, name);
    const written = place === "" || search.upper.stat(place)?.isDirectory();
    if (!(written ?? search.lower.stat(place)?.isDirectory())) return undefined;
  }
  const text = asText(place);
  return text === undefined ? undefined : join(search.overlay.workspace, text);
}
