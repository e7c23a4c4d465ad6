/** Finds sockets of the host that no overlay keeps away from a command, so that they can be hidden or told. */

import type { Dirent } from "node:fs";
import { open } from "node:fs/promises";
import { connect } from "node:net";
import { basename, dirname, join } from "node:path";
import { isWithin } from "../../base/paths.ts";
import { directoriesOf, entriesIn, fileText, realPath, statusOf } from "../on-disk.ts";
import type { Covers } from "./covers.ts";
import type { IndexedPlaces } from "./workspace-index.ts";

type SocketSearch = {
  workspace: string;
  /** Those in the workspace that somebody listens on. A dead one stays: its program will want to replace it. */
  living: readonly string[];
  covers: Covers;
  /** Places that the command sees themselves instead of an overlay. */
  bare: readonly string[];
  /** Trees already emptied of host files. */
  emptied: readonly string[];
};

/** Sockets to hide: those in bare places of the workspace, and elsewhere those directly in a directory that cannot be covered. */
export function socketsToHide({ workspace, living, covers, bare, emptied }: SocketSearch): string[] {
  const isBare = (path: string): boolean => bare.some((place) => isWithin(place, path));
  const elsewhere = [
    ...covers.open.flatMap((path) => socketsAmong(entriesIn(path), path)),
    ...listeningSockets(),
  ]
    .flatMap((path) => realPath(path) ?? [])
    .filter((path) => isSocket(path) && (isBare(path) || !emptied.some((tree) => isWithin(tree, path))))
    .filter(
      (path) =>
        isBare(path) || !(isWithin(workspace, path) || covers.list.some((one) => isWithin(one.path, path))),
    );
  return [...new Set([...living.filter(isBare), ...elsewhere])];
}

/** The index looks into neither repositories nor protected places. */
export const socketsInWorkspace = ({ sockets, git, protected: held }: IndexedPlaces): string[] => [
  ...sockets,
  ...[...git, ...held].filter(({ kind }) => kind === "directory").flatMap(({ path }) => socketsBelow(path)),
];

const mostDirectories = 500;

/** Git's objects are many, and nothing else is kept beside them. */
const socketsBelow = (root: string): string[] =>
  [...directoriesOf([root], { most: mostDirectories, isEntered: (name) => name !== "objects" })].flatMap(
    ({ directory, entries }) => socketsAmong(entries, directory),
  );

const socketsAmong = (entries: readonly Dirent[], directory: string): string[] =>
  entries.filter((entry) => entry.isSocket()).map(({ name }) => join(directory, name));

/** The kernel lists the sockets in our network namespace, under the paths that they were bound with. */
const listeningSockets = (): string[] =>
  fileText("/proc/net/unix")
    .split("\n")
    .flatMap((line) => /^\S+ \S+ \S+ \S+ \S+ \S+ +\S+ (\/.*)$/.exec(line)?.[1] ?? []);

const isSocket = (path: string): boolean => statusOf(path)?.isSocket() ?? false;

/** Those that somebody still listens on: what a command leaves behind of its own is dead. */
export async function livingSockets(paths: readonly string[]): Promise<string[]> {
  const alive = await Promise.all(paths.map(isAlive));
  return paths.filter((_, at) => alive[at]);
}

/** Goes through a descriptor of the directory, because a socket's path may have 107 bytes only. */
async function isAlive(path: string): Promise<boolean> {
  const directory = await open(dirname(path)).catch(() => undefined);
  if (directory === undefined) return false;
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = connect(`/proc/self/fd/${directory.fd}/${basename(path)}`);
  socket.once("connect", () => resolve(true));
  socket.once("error", (error) => resolve(!/ECONNREFUSED|ENOENT|ENOTSOCK/.test(error.message)));
  const isThere = await promise;
  socket.destroy();
  await directory.close();
  return isThere;
}
