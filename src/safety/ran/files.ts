/** Resolves the pieces of a command to workspace files, relative to every directory that the command names. */

import { type Dirent, readdirSync, type Stats } from "node:fs";
import { join, relative, resolve, sep } from "node:path";
import { isWithin } from "../../base/paths.ts";
import { targetStatus } from "../on-disk.ts";
import { ranFileBounds } from "./bounds.ts";
import { isPattern, type Pieces } from "./words.ts";

/** Places searched for files that a workspace's command may run. */
const mostLooks = 20_000;

/** All paths are absolute. `from`: possible start directories. `looks`: remaining budget of file system lookups. */
export type CountedPlace = {
  workspace: string;
  home: string;
  from: readonly string[];
  looks: { left: number };
};

export const openLooks = (): CountedPlace["looks"] => ({ left: mostLooks });

export type NamedFiles = {
  files: ReadonlySet<string>;
  /** The subset that is run, or loaded by code that is. */
  ran: ReadonlySet<string>;
  /** The directories of which every file counts. */
  whole: readonly string[];
  /** The directories that may be current when it runs them. */
  bases: readonly string[];
  /** The files that one piece may refer to. */
  filesOf(piece: string): string[];
};

/** Undefined: there are more than can be checked each time. */
export function filesMeant(
  { names, ran, patterns, whole }: Pieces,
  place: CountedPlace,
): NamedFiles | undefined {
  const looking = new Looking(place);
  try {
    const bases = looking.bases(names, patterns);
    const named = (piece: string): string[] => bases.map((base) => resolve(base, piece));
    const files = new Set([...names].flatMap(named).filter((path) => looking.isFile(path)));
    const matches = new Map<string, string[]>();
    for (const pattern of patterns)
      matches.set(
        pattern,
        bases.flatMap((base) => looking.matching(base, pattern)),
      );
    const entire = [...new Set([...whole].flatMap(named))].filter((path) => looking.below(path).length > 0);
    const below = entire.flatMap((path) => looking.below(path));
    for (const path of [...matches.values(), below].flat()) files.add(path);
    const filesOf = (piece: string): string[] =>
      matches.get(piece) ?? named(piece).filter((path) => files.has(path));
    const running = new Set([...[...ran, ...patterns].flatMap(filesOf), ...below]);
    return files.size > mostFiles ? undefined : { files, ran: running, whole: entire, bases, filesOf };
  } catch (error) {
    if (error instanceof Uncountable) return undefined;
    throw error;
  }
}

const mostFiles = ranFileBounds.counted.most;
class Uncountable extends Error {}

class Looking {
  readonly #place: CountedPlace;
  readonly #seen = new Map<string, Stats | undefined>();

  constructor(place: CountedPlace) {
    this.#place = place;
  }

  /** Possible current directories: every directory that the command names, relative to every other one. */
  bases(names: ReadonlySet<string>, patterns: ReadonlySet<string>): string[] {
    const { workspace, from } = this.#place;
    const bases = new Set([workspace, ...from.filter((path) => isWithin(workspace, path))]);
    for (const base of bases) {
      const plain = [...names].map((name) => resolve(base, name));
      const filledIn = [...patterns].flatMap((pattern) => this.#filledIn(base, pattern));
      for (const path of [...plain, ...filledIn]) if (this.#statusOf(path)?.isDirectory()) bases.add(path);
    }
    return [...bases];
  }

  isFile(path: string): boolean {
    return this.#statusOf(path)?.isDirectory() === false;
  }

  /** A superset of the files that a shell would expand the pattern to. */
  matching(base: string, pattern: string): string[] {
    const deep = pattern.endsWith("**");
    return this.#filledIn(base, pattern).flatMap((path) =>
      this.isFile(path) ? [path] : deep ? this.below(path) : [],
    );
  }

  #filledIn(base: string, pattern: string): string[] {
    const { workspace } = this.#place;
    let found = [workspace];
    for (const step of stepsOf(resolve(base, pattern), workspace))
      found = found.flatMap((directory) => this.#step(directory, step));
    return found;
  }

  #step(directory: string, step: string): string[] {
    if (!isPattern(step)) return [join(directory, step)];
    const entries = this.#entriesOf(directory);
    if (step === "**") return [directory, ...this.#directoriesBelow(directory)];
    const like = likeOf(step);
    return entries.filter(({ name }) => like.test(name)).map(({ name }) => join(directory, name));
  }

  /** Every file below a directory, at any depth; none for the workspace itself. */
  below(directory: string): string[] {
    if (directory === this.#place.workspace || !this.#statusOf(directory)?.isDirectory()) return [];
    return [directory, ...this.#directoriesBelow(directory)].flatMap((path) =>
      this.#entriesOf(path)
        .map(({ name }) => join(path, name))
        .filter((file) => this.isFile(file)),
    );
  }

  #directoriesBelow(directory: string): string[] {
    return this.#entriesOf(directory)
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => join(directory, name))
      .flatMap((path) => [path, ...this.#directoriesBelow(path)]);
  }

  #entriesOf(directory: string): Dirent[] {
    if (!this.#statusOf(directory)?.isDirectory()) return [];
    const entries = entriesOf(directory);
    this.#spend(entries.length);
    return entries;
  }

  /** Undefined if missing, unreachable or outside the workspace. Spends one lookup per new path. */
  #statusOf(path: string): Stats | undefined {
    if (!isWithin(this.#place.workspace, path)) return undefined;
    if (this.#seen.has(path)) return this.#seen.get(path);
    this.#spend(1);
    const status = targetStatus(path); // what is unreachable cannot run either
    this.#seen.set(path, status);
    return status;
  }

  #spend(looks: number): void {
    this.#place.looks.left -= looks;
    if (this.#place.looks.left < 0) throw new Uncountable();
  }
}

const stepsOf = (path: string, workspace: string): string[] =>
  isWithin(workspace, path) ? relative(workspace, path).split(sep).filter(Boolean) : [];

function entriesOf(directory: string): Dirent[] {
  try {
    return readdirSync(directory, { withFileTypes: true });
  } catch {
    throw new Uncountable(); // unreadable: its contents cannot be determined
  }
}

/** Matches one path segment; deliberately loose: `*` also matches a leading dot, and `[…]` any character. */
function likeOf(step: string): RegExp {
  const source = step
    .split(/(\*+|\?|\[[^\]]*\])/u)
    .map((piece) => {
      if (piece.startsWith("*")) return ".*";
      return piece === "?" || /^\[.*\]$/u.test(piece) ? "." : piece.replaceAll(/[\\^$.|+(){}[\]]/gu, "\\$&");
    })
    .join("");
  return new RegExp(`^${source}$`, "su");
}
