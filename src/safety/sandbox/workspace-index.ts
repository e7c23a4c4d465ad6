/** Indexes the places in a workspace that need protection. Rescans only directories that have changed. */

import { madeOnce } from "../../base/last-made.ts";
import { isEnvironmentFile } from "../environment-files.ts";
import { filledDirectories, type FilledLook } from "./filled-directories.ts";
import { directoryAt, type IndexedDirectory, type IsSecretName, type Item } from "./indexed-directory.ts";

export type IndexedPlaces = {
  protected: Item[];
  /** Every `.git`, and bare repositories. */
  git: Item[];
  environmentFiles: string[];
  sockets: string[];
  /** Directories that tools fill, into which it did not look. */
  filled: string[];
  /** The scan stopped early: too many directories, or too deeply nested. */
  truncated: boolean;
  /** A directory that we may write but that belongs to another user or group. */
  foreign?: string;
};

export type WorkspaceIndex = {
  look(): IndexedPlaces;
  /** Into the directories that tools fill; what was seen there lately need not be looked at again. */
  lookIntoFilled(found: IndexedPlaces): Promise<FilledLook>;
  /** The same, at once and whenever the last look was. */
  lookIntoFilledNow(found: IndexedPlaces): FilledLook;
};

/** With the secrets in directories that tools fill: hidden, unless an overlay does so. */
export const withSecrets = (found: IndexedPlaces, { secrets }: FilledLook): IndexedPlaces => ({
  ...found,
  environmentFiles: [...found.environmentFiles, ...secrets],
});

/** With all that lies in them: nothing holds it, so it is compared. */
export const withFilled = (found: IndexedPlaces, filled: FilledLook): IndexedPlaces => ({
  ...found,
  git: [...found.git, ...filled.git],
  protected: [...found.protected, ...filled.protected],
});

type IndexStep = { path: string; parent: string };

const mostDirectories = 4000;
const deepest = 16;

/** Never follows a symbolic link. Visits parents before their contents, so a cap never hides places near the root. */
export function indexWorkspace(root: string, isSecret: IsSecretName = isEnvironmentFile): WorkspaceIndex {
  let known = new Map<string, IndexedDirectory>();
  const into = filledDirectories();
  return {
    lookIntoFilled: ({ filled }) => into.look(filled),
    lookIntoFilledNow: ({ filled }) => into.lookNow(filled),
    look() {
      const next = new Map<string, IndexedDirectory>();
      const found: IndexedPlaces = {
        protected: [],
        git: [],
        environmentFiles: [],
        sockets: [],
        filled: [],
        truncated: false,
      };
      let level: IndexStep[] = [{ path: root, parent: "" }];
      for (let depth = 0; level.length > 0; depth += 1) {
        const space = depth === deepest ? 0 : mostDirectories - next.size;
        if (level.length > space) found.truncated = true;
        level = level.slice(0, space).flatMap((step) => visit(step, { known, next, found, isSecret }));
      }
      known = next;
      return found;
    },
  };
}

/** The one of this process: it only looks again at what has changed. */
export const knownWorkspace = madeOnce(64, (root: string) => indexWorkspace(root));

type IndexWalk = {
  known: Map<string, IndexedDirectory>;
  next: Map<string, IndexedDirectory>;
  found: IndexedPlaces;
  isSecret: IsSecretName;
};

/** Records a directory's relevant entries and returns the subdirectories to visit next. */
function visit({ path, parent }: IndexStep, { known, next, found, isSecret }: IndexWalk): IndexStep[] {
  const directory = directoryAt(path, known.get(path), isSecret);
  if (directory === undefined) return [];
  next.set(path, directory);
  const { identity } = directory;
  if (directory.isForeign) found.foreign ??= path;
  const as = directory.isRepository ? "git" : directory.isAgentFolder ? "protected" : undefined;
  if (as !== undefined && parent !== "") {
    found[as].push({ path, kind: "directory", identity, parent });
    return [];
  }
  for (const { as, item } of directory.items) {
    if (as === "environment") found.environmentFiles.push(item.path);
    else if (as === "socket") found.sockets.push(item.path);
    else found[as].push(item);
  }
  found.filled.push(...directory.filled);
  return directory.below.map((below) => ({ path: below, parent: identity }));
}
