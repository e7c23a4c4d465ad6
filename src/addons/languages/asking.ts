/** Prepares a language server for a request about a file: starts it, and sends it the file's current content. */

import { posix } from "node:path";
import { inTime } from "../../base/async.ts";
import { type Expected, refuse } from "../../base/expected.ts";
import { insideWorkspace } from "../../base/paths.ts";
import { walk } from "../../tools/search/walk.ts";
import { languageServerBounds, mostChangedEntries } from "./bounds.ts";
import { textAt } from "./files.ts";
import type { LanguageServer } from "./language-server.ts";
import type { Languages } from "./languages.ts";
import type { RunningServer } from "./running-server.ts";
import { lookAgain } from "./shown-changes.ts";

/** `path`: relative to the workspace. */
export type ReadyFile = { language: LanguageServer; server: RunningServer; path: string; text: string };

/** Every request has a timeout of its own, whatever the server does. */
export const limitOf = (signal: AbortSignal): AbortSignal =>
  AbortSignal.any([signal, AbortSignal.timeout(languageServerBounds.request.most)]);

/** The problem is for the model. */
export async function readyFor(
  all: Languages,
  asked: string,
  signal: AbortSignal,
): Promise<Expected<ReadyFile>> {
  const place = await insideWorkspace(all.workspace, asked);
  if (!place.ok) return place;
  const path = place.value.relative;
  const text = await textAt(all.files, path);
  if (text === undefined)
    return refuse(`${path} is no text file that is there, or it is too large for a language server.`);
  const language = all.of(path);
  if (!language) return refuse(noServer(all, path));
  const server = await startedServer(language, signal);
  if (!server.ok) return server;
  await lookAgain(server.value, all);
  server.value.documents.show(path, text);
  return { ok: true, value: { language, server: server.value, path, text } };
}

function noServer(all: Languages, path: string): string {
  const known = all.known(path);
  const kind = posix.extname(path) || "such";
  if (!known) return `No language server is known for ${kind} files.`;
  return `No language server for ${kind} files is found here. To have one: ${known.install}.`;
}

/** The start continues in the background after the time limit. */
export async function startedServer(
  language: LanguageServer,
  signal: AbortSignal,
): Promise<Expected<RunningServer>> {
  const started = await inTime(language.ready(), { signal });
  return started ?? refuse(`The language server ${language.name} is still starting; try again later.`);
}

/** The first files of each kind, in the order that a person would browse them; `isCut`: there are more. */
export async function servedFiles(
  all: Languages,
  { start, most, signal }: { start: string; most: number; signal: AbortSignal },
): Promise<{ paths: string[]; isCut: boolean }> {
  const paths: string[] = [];
  let seen = 0;
  for await (const { path, kind } of walk(all.files, { start, order: "by-name", signal }).entries) {
    if (++seen > mostChangedEntries || signal.aborted) return { paths, isCut: true };
    if (kind !== "file" || !all.known(path)) continue;
    if (paths.length >= most) return { paths, isCut: true };
    paths.push(path);
  }
  return { paths, isCut: false };
}
