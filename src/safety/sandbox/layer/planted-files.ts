/**
 * Finds entries in a layer that would make programs run outside the sandbox, and removes them before anything is
 * merged.
 */

import { basename, isAbsolute, join, relative } from "node:path";
import { isWithin } from "../../../base/paths.ts";
import { looksLikeAgentFolder } from "../../executing-places.ts";
import { realPath } from "../../on-disk.ts";
import { linkWarning, movedWarning, openWarning } from "../guard.ts";
import { isPlainRepository, readPlain } from "../plain-repository.ts";
import {
  isGitName,
  isProtectedPath,
  looksLikeRepository,
  mayStay,
  skippedDirectories,
} from "../protected-places.ts";
import { quarantinePlace } from "../quarantine.ts";
import type { IndexedPlaces } from "../workspace-index.ts";
import { asText, type BytePath, fromText, joinBytes, parentOf, shownPath } from "./byte-path.ts";
import type { Layer } from "./layer.ts";
import type { Pace } from "./pace.ts";
import { putAside } from "./put-aside.ts";
import type { RootedTree } from "./rooted-tree.ts";
import type { UpperNode } from "./upper-tree.ts";

type PlantedIn = {
  layer: Layer;
  upper: RootedTree;
  lower: RootedTree;
  root: UpperNode;
  pace: Pace;
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
  /** Existing repositories, whose changes in the layer are dropped. */
  dropped: BytePath[];
};

type PlantedSearch = PlantedIn & {
  planted: PlantedEntries;
  held: ReadonlyMap<BytePath, "link" | "other">;
  place: string;
  awaited: ReadonlySet<BytePath>;
};

/** Entries removed from the layer are removed from `root`, too. */
export async function takePlanted(given: PlantedIn): Promise<PlantedEntries> {
  const planted: PlantedEntries = { warnings: [], apart: new Set(), dropped: [] };
  const place = quarantinePlace(given.stateDir);
  const awaited = new Set(given.led.map((path) => fromText(relative(given.layer.workspace, path))));
  await lookThrough(given.root, "", { ...given, planted, place, held: heldPlaces(given), awaited });
  return planted;
}

/** Places that stay unchanged, whatever the layer contains. In the open profile these are only repositories. */
function heldPlaces({ found, layer, isOpen }: PlantedIn): Map<BytePath, "link" | "other"> {
  const items = [...found.git, ...(isOpen ? [] : found.protected)];
  return new Map(
    items
      .filter(({ kind }) => !isOpen || kind === "directory")
      .map(({ path, kind }) => [
        fromText(relative(layer.workspace, path)),
        kind === "link" ? "link" : "other",
      ]),
  );
}

async function lookThrough(node: UpperNode, path: BytePath, search: PlantedSearch): Promise<void> {
  await search.pace();
  for (const child of node.children.values()) {
    const place = joinBytes(path, child.name);
    const kind = search.held.get(place);
    const verdict = kind === undefined ? judge(child, place, search) : "held";
    if (verdict === "plain") await lookThrough(child, place, search);
    if (verdict === "repository") search.planted.apart.add(place);
    if (verdict === "planted") takeOut(node, { child, place }, search);
    if (verdict === "held") {
      node.children.delete(child.name);
      if (kind === "link")
        search.planted.warnings.push(linkWarning(shownPath(place), aside(child, place, search)));
      else if (child.files > 0) search.planted.dropped.push(place);
    }
  }
}

const aside = (child: UpperNode, path: BytePath, { upper, place }: PlantedSearch): string | undefined =>
  child.kind === "character" ? undefined : putAside(upper, path, place);

function takeOut(
  parent: UpperNode,
  { child, place }: { child: UpperNode; place: BytePath },
  search: PlantedSearch,
): void {
  const { planted, isOpen } = search;
  if (isOpen) {
    planted.apart.add(place);
    planted.warnings.push(openWarning(shownPath(place)));
    return;
  }
  parent.children.delete(child.name);
  planted.warnings.push(movedWarning(shownPath(place), aside(child, place, search)));
}

type EntryVerdict = "plain" | "repository" | "planted" | "nothing";

function judge(node: UpperNode, path: BytePath, search: PlantedSearch): EntryVerdict {
  if (node.kind === "character") return "nothing";
  const name = asText(node.name) ?? shownPath(node.name);
  const isNew = search.lower.stat(path) === undefined;
  if (isNew && search.awaited.has(path)) return "planted";
  if (isGitName(name)) {
    if (!isNew) return "nothing";
    return isHarmlessGit(node, path, search) ? "repository" : "planted";
  }
  if (isNew && isProtectedPath(pathText(path)) && !isPlainFile(node, path, search)) return "planted";
  if (node.kind !== "directory" || skippedDirectories.has(name)) return "nothing";
  if (isNewAgentFolder(node, path, search)) return "planted";
  if (!isNewRepository(node, path, search)) return "plain";
  return isHarmlessGit(node, path, search) ? "repository" : "planted";
}

const pathText = (path: BytePath): string => asText(path) ?? shownPath(path);

function isPlainFile(node: UpperNode, path: BytePath, { layer }: PlantedSearch): boolean {
  const text = asText(path);
  return node.kind === "file" && text !== undefined && mayStay(text, join(layer.upper, text));
}

/** Whether the command's additions to the existing entries made this directory a repository that it was not before. */
function isNewRepository(node: UpperNode, path: BytePath, search: PlantedSearch): boolean {
  const { before, now } = namesAround(node, path, search);
  return looksLikeRepository(now) && !looksLikeRepository(before);
}

function isNewAgentFolder(node: UpperNode, path: BytePath, search: PlantedSearch): boolean {
  const folder = basename(pathText(path));
  const { before, now } = namesAround(node, path, search);
  return looksLikeAgentFolder(folder, now) && !looksLikeAgentFolder(folder, before);
}

function namesAround(
  node: UpperNode,
  path: BytePath,
  { lower }: PlantedSearch,
): Record<"before" | "now", Set<string>> {
  const before = (lower.list(path) ?? []).map(({ name }) => name);
  const written = [...node.children.values()].filter(({ kind }) => kind !== "character");
  return { before: new Set(before), now: new Set([...before, ...written.map(({ name }) => name)]) };
}

function isHarmlessGit(node: UpperNode, path: BytePath, search: PlantedSearch): boolean {
  const text = asText(path);
  if (text === undefined) return false;
  const written = join(search.layer.upper, text);
  if (node.kind === "directory")
    return (search.lower.list(path) ?? []).length === 0 && isPlainRepository(written);
  const named = /^gitdir: (.+)\n?$/.exec(readPlain(written) ?? "")?.[1];
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
  return text === undefined ? undefined : join(search.layer.workspace, text);
}
