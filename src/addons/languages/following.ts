/** What changes do to a server's view of the workspace: what it is told, and which problems are new after it. */

import type { Change } from "../../base/safe-fs/image.ts";
import type { Tree } from "../../base/safe-fs/tree.ts";
import { check } from "./checking.ts";
import type { WatchedChange } from "./documents.ts";
import { textAt, textOf } from "./files.ts";
import type { LanguageServer } from "./language-server.ts";
import { isError, newOf, type Problem } from "./problems.ts";
import type { RunningServer } from "./running-server.ts";

/** `owns`: whether the server is the one for this file. */
type FollowRoom = { files: Tree; owns(path: string): boolean; signal: AbortSignal };

/** Files that the model has read and that a change elsewhere may break. */
const mostRecent = 12;

/**
 * Tells a server of changes that were made, and waits for what it thinks of them. The files are shown as they were
 * first: only so can be told what is new. False: not all is known yet.
 */
export async function follow(
  language: LanguageServer,
  { changes, recent }: { changes: readonly Change[]; recent: readonly string[] },
  room: FollowRoom,
): Promise<boolean> {
  const ready = await language.ready();
  if (!ready.ok) return false;
  const server = ready.value;
  await lookAgain(server, room, new Set(changes.map(({ path }) => path)));
  const own = changes.filter(({ path }) => room.owns(path));
  await rememberBefore(language, server, { own, recent, room });
  for (const { path, after } of own) await showAfter(server, path, after);
  server.documents.changedOnDisk(changes.map(watched));
  for (const { path } of own) server.documents.saved(path);
  return check(server, server.documents.paths(), placeOf(room));
}

const placeOf = ({ files, signal }: FollowRoom) => ({ workspace: files.root, signal });

/** What nobody has told of: undo, programs that go on, people. */
export async function lookAgain(
  server: RunningServer,
  { files }: Pick<FollowRoom, "files">,
  except: ReadonlySet<string> = new Set(),
): Promise<void> {
  const changed: WatchedChange[] = [];
  for (const path of server.documents.paths()) {
    if (except.has(path)) continue;
    const text = await textAt(files, path);
    if (text === server.documents.get(path)?.text) continue;
    changed.push({ path, type: text === undefined ? "deleted" : "changed" });
    if (text === undefined) leave(server, path);
    else server.documents.show(path, text);
  }
  server.documents.changedOnDisk(changed);
}

function leave(server: RunningServer, path: string): void {
  server.documents.close(path);
  server.problems.forget(path);
}

type Before = { own: readonly Change[]; recent: readonly string[]; room: FollowRoom };

async function rememberBefore(
  language: LanguageServer,
  server: RunningServer,
  { own, recent, room }: Before,
): Promise<void> {
  const fresh: string[] = [];
  const showFirst = (path: string, text: string | undefined): void => {
    if (text === undefined || server.documents.get(path)) return;
    server.documents.show(path, text);
    fresh.push(path);
  };
  for (const { path, before } of own) showFirst(path, await textOf(before));
  const changed = new Set(own.map(({ path }) => path));
  const read = recent.filter((path) => room.owns(path) && !changed.has(path)).slice(-mostRecent);
  for (const path of read) if (!server.documents.get(path)) showFirst(path, await textAt(room.files, path));
  const isKnown = fresh.length === 0 || (await check(server, fresh, placeOf(room)));
  if (!isKnown) return;
  if (!language.knowsBefore) {
    for (const path of server.problems.paths()) remember(language, server, path);
    language.knowsBefore = true;
  }
  for (const path of fresh) remember(language, server, path);
}

function remember(language: LanguageServer, server: RunningServer, path: string): void {
  if (!language.told.has(path)) language.told.set(path, server.problems.of(path));
}

async function showAfter(server: RunningServer, path: string, after: Change["after"]): Promise<void> {
  const text = await textOf(after);
  if (text === undefined) leave(server, path);
  else server.documents.show(path, text);
}

const watched = ({ path, before, after }: Change): WatchedChange => {
  if (after === null) return { path, type: "deleted" };
  return { path, type: before === null ? "created" : "changed" };
};

/** What the model was not told yet of each file; from now on it was. */
export type News = { path: string; problems: Problem[] };

/**
 * Where it is not known what there was before, only errors of the changed files count as new: the others may be old.
 */
export function newsOf(language: LanguageServer, changed: ReadonlySet<string>): News[] {
  const server = language.running;
  if (!server) return [];
  return server.problems.paths().flatMap((path): News[] => {
    const now = server.problems.of(path);
    const before = language.told.get(path);
    language.told.set(path, now);
    if (before) return some(path, newOf(now, before));
    if (language.knowsBefore) return some(path, now);
    return changed.has(path) ? some(path, now.filter(isError)) : [];
  });
}

const some = (path: string, problems: Problem[]): News[] => (problems.length > 0 ? [{ path, problems }] : []);
