/** Applies file changes to a server's view of the workspace, and determines which diagnostics are new. */

import type { Change } from "../../base/safe-fs/image.ts";
import type { Tree } from "../../base/safe-fs/tree.ts";
import { mostOpenDocuments } from "./bounds.ts";
import { check } from "./checking.ts";
import type { WatchedChange } from "./documents.ts";
import { textAt, textOf } from "./files.ts";
import type { LanguageServer } from "./language-server.ts";
import { isError, newOf, type Problem } from "./problems.ts";
import type { RunningServer } from "./running-server.ts";

/** `owns`: whether this server is responsible for the file. */
type FollowingContext = { files: Tree; owns(path: string): boolean; signal: AbortSignal };

/** Recently read files to observe, since a change elsewhere may break them. */
const mostRecent = 12;

/**
 * Sends changes to a server and waits for its diagnostics. The old content is sent first, because only a comparison
 * reveals what is new. False: some diagnostics are still missing.
 */
export async function follow(
  language: LanguageServer,
  { changes, recent }: { changes: readonly Change[]; recent: readonly string[] },
  context: FollowingContext,
): Promise<boolean> {
  const ready = await language.ready();
  if (!ready.ok) return false;
  const server = ready.value;
  const own = changes.filter(({ path }) => context.owns(path)).slice(0, mostOpenDocuments);
  await lookAgain(server, context, new Set(own.map(({ path }) => path)));
  await rememberBefore(language, server, { own, recent, context });
  for (const { path, after } of own) await showAfter(server, path, after);
  server.documents.changedOnDisk(changes.map(watchedChange));
  const isAnswered = own.length === 0 || own.some(({ path }) => server.documents.get(path) !== undefined);
  return check(server, server.documents.paths(), { ...checkContext(context), isAnswered });
}

const checkContext = ({ files, signal }: FollowingContext) => ({ workspace: files.root, signal });

/** Detects changes from outside: undo, running programs, people. */
export async function lookAgain(
  server: RunningServer,
  { files }: Pick<FollowingContext, "files">,
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

type PrecedingChanges = { own: readonly Change[]; recent: readonly string[]; context: FollowingContext };

async function rememberBefore(
  language: LanguageServer,
  server: RunningServer,
  { own, recent, context }: PrecedingChanges,
): Promise<void> {
  const { documents, problems } = server;
  const fresh = new Map<string, number | undefined>();
  /** A file that was opened only for a request may have diagnostics that the model has not seen. */
  const isNew = (path: string): boolean => !documents.get(path) || !language.told.has(path);
  const showFirst = (path: string, text: string | undefined, isOnDisk: boolean): void => {
    if (text === undefined) return;
    documents.show(path, text, { isOnDisk });
    fresh.set(path, documents.get(path)?.version);
  };
  for (const { path, before } of own) if (isNew(path)) showFirst(path, await textOf(before), false);
  const changed = new Set(own.map(({ path }) => path));
  const read = recent.filter((path) => context.owns(path) && !changed.has(path)).slice(-mostRecent);
  for (const path of read) if (isNew(path)) showFirst(path, await textAt(context.files, path), true);
  const isKnown = fresh.size === 0 || (await check(server, [...fresh.keys()], checkContext(context)));
  if (!isKnown) return;
  const elsewhere = language.knowsBefore ? [] : problems.paths();
  language.knowsBefore = true;
  for (const path of new Set([...elsewhere, ...fresh.keys()])) {
    // A concurrent request may have sent the new content already.
    const isAsBefore = !fresh.has(path) || documents.get(path)?.version === fresh.get(path);
    if (isAsBefore && !language.told.has(path)) language.told.set(path, problems.of(path));
  }
}

async function showAfter(server: RunningServer, path: string, after: Change["after"]): Promise<void> {
  const text = await textOf(after);
  if (text === undefined) leave(server, path);
  else server.documents.show(path, text);
}

const watchedChange = ({ path, before, after }: Change): WatchedChange => {
  if (after === null) return { path, type: "deleted" };
  return { path, type: before === null ? "created" : "changed" };
};

/** Diagnostics that the model has not seen; reporting them marks them as seen. */
export type News = { path: string; problems: Problem[] };

/** `holds`: whether the diagnostics match the current file; if not, they are held back for later. */
type NewsHow = { changed: ReadonlySet<string>; holds: (path: string) => Promise<boolean> };

export async function newsOf(language: LanguageServer, { changed, holds }: NewsHow): Promise<News[]> {
  const problems = language.running?.problems;
  const news: News[] = [];
  for (const path of problems?.paths() ?? []) {
    const now = problems?.of(path) ?? [];
    const fresh = newIn(now, { path, language, changed });
    if (fresh.length > 0 && !(await holds(path))) continue;
    language.told.set(path, now);
    if (fresh.length > 0) news.push({ path, problems: fresh });
  }
  return news;
}

type NewIn = { path: string; language: LanguageServer; changed: ReadonlySet<string> };

/** Without a baseline only errors in changed files count as new, because the rest may be old. */
function newIn(now: readonly Problem[], { path, language, changed }: NewIn): Problem[] {
  const before = language.told.get(path);
  if (before) return newOf(now, before);
  if (language.knowsBefore) return [...now];
  return changed.has(path) ? now.filter(isError) : [];
}
