/** Turns a set of changes into steps, in an order in which they can be made, including missing parent directories. */

import { componentsOf } from "./components.ts";
import { descend, type PinnedDirectory, statusAt } from "./directory.ts";
import type { Change } from "./image.ts";
import { codeOf, FileError, shownPath } from "./problems.ts";
import { shutLast } from "./shut.ts";
import { identityOf } from "./status.ts";
import type { ChangeStep } from "./step.ts";

/**
 * Removals from the bottom up, then everything else from the top down, then the closing of directories. Throws
 * FileError and the system's errors.
 */
export function stepsOf(root: PinnedDirectory, changes: readonly Change[]): ChangeStep[] {
  const planned = new Map(changes.map((change) => [change.path, change]));
  if (planned.size < changes.length) throw changedTwice(changes);
  const implied = new Map<string, ChangeStep>();
  const reach = reachIn(root);
  const steps = changes.map((change) => {
    const above = componentsOf(change.path);
    const name = above.pop();
    if (name === undefined) throw new FileError("EINVAL", "The workspace itself cannot be changed");
    const way = { above, ...reach(above) };
    if (change.after !== null) addMissing(implied, way, planned);
    return { ...newStep, change, name, above, standing: way.standing, refuge: refugeOf(above, planned) };
  });
  const all = [...steps, ...implied.values()];
  const removals = all.filter(({ change }) => change.after === null);
  const others = all.filter(({ change }) => change.after !== null);
  const inOrder = [...removals.sort((one, other) => byPath(other, one)), ...others.sort(byPath)];
  return [...inOrder, ...shutLast(inOrder)];
}

/**
 * The lock keys for steps: the directories in which they take place, by identity, as a directory may have several
 * names. Not each file, because a set of thousands would hold thousands of locks.
 */
export function keysOf(
  root: PinnedDirectory,
  steps: Iterable<Pick<ChangeStep, "above" | "standing">>,
): string[] {
  const places = new Map<string, readonly string[]>();
  for (const { above, standing } of steps) {
    const names = above.slice(0, standing);
    places.set(names.join("/"), names);
  }
  return [...places.values()].map((names) => {
    const directory = descend(root, names);
    try {
      const stats = statusAt(directory, ".");
      return stats ? identityOf(stats) : "gone";
    } finally {
      directory.close();
    }
  });
}

/** The lock keys for paths that may or may not exist. */
export function keysOfPaths(root: PinnedDirectory, paths: readonly string[]): string[] {
  const reach = reachIn(root);
  const aboves = paths.map((path) => componentsOf(path).slice(0, -1));
  return keysOf(
    root,
    aboves.map((above) => ({ above, ...reach(above) })),
  );
}

const newStep = { implied: false, seen: undefined, ready: undefined } as const;

/** The number of leading names whose directories no change removes. */
function refugeOf(above: readonly string[], planned: ReadonlyMap<string, Change>): number {
  const goes = (_: string, at: number): boolean => {
    const change = planned.get(above.slice(0, at + 1).join("/"));
    return change !== undefined && change.after?.kind !== "directory";
  };
  const first = above.findIndex(goes);
  return first === -1 ? above.length : first;
}

const byPath = ({ change: one }: ChangeStep, { change: other }: ChangeStep): number =>
  one.path < other.path ? -1 : Number(one.path > other.path);

function changedTwice(changes: readonly Change[]): FileError {
  const paths = changes.map(({ path }) => path);
  const twice = paths.find((path, at) => paths.indexOf(path) !== at);
  return new FileError(
    "EINVAL",
    `${shownPath(twice ?? "")} is changed twice in one call; nothing was written`,
  );
}

/** How many leading names are directories; `obstacle`: why no more are, unless the next one is just missing. */
type StandingParents = { standing: number; obstacle?: string };

function reachIn(root: PinnedDirectory): (above: readonly string[]) => StandingParents {
  const known = new Map<string, StandingParents>();
  return (above) => {
    const key = above.join("/");
    const reach = known.get(key) ?? reachOf(root, above);
    known.set(key, reach);
    return reach;
  };
}

function reachOf(root: PinnedDirectory, above: readonly string[]): StandingParents {
  let directory = root.enter(".");
  try {
    for (const [standing, name] of above.entries()) {
      const next = enterOr(directory, name);
      if (typeof next === "string") return { standing, ...(next === "ENOENT" ? {} : { obstacle: next }) };
      directory.close();
      directory = next;
    }
    return { standing: above.length };
  } finally {
    directory.close();
  }
}

function enterOr(directory: PinnedDirectory, name: string): PinnedDirectory | string {
  try {
    return directory.enter(name);
  } catch (error) {
    const code = codeOf(error) ?? "";
    if (["ENOENT", "ENOTDIR", "ELOOP"].includes(code)) return code;
    throw error;
  }
}

/** Adds steps for the missing directories above a step, except those that are changes themselves. */
function addMissing(
  implied: Map<string, ChangeStep>,
  { above, standing, obstacle }: StandingParents & { above: readonly string[] },
  planned: ReadonlyMap<string, Change>,
): void {
  for (let at = standing; at < above.length; at++) {
    const path = above.slice(0, at + 1).join("/");
    if (implied.has(path) || planned.get(path)?.after?.kind === "directory") continue;
    if (at === standing && obstacle !== undefined) throw inTheWay(path, obstacle);
    const change: Change = { path, before: null, after: { kind: "directory" } };
    implied.set(path, {
      ...newStep,
      change,
      above: above.slice(0, at),
      name: above[at] ?? "",
      standing,
      refuge: at,
      implied: true,
    });
  }
}

const inTheWay = (path: string, code: string): FileError =>
  new FileError(
    code,
    `${shownPath(path)} is ${code === "ELOOP" ? "a symbolic link" : "a file"}, not a directory; nothing was written`,
  );
