/** Opens every file that contains a name before a request about it, for servers that search only open documents. */

import { join } from "node:path";
import { servedFiles } from "./asking.ts";
import { mostOpenDocuments, mostFilesWithProblems } from "./bounds.ts";
import { check } from "./checking.ts";
import { textAt } from "./files.ts";
import type { LanguageServer } from "./language-server.ts";
import type { Languages } from "./languages.ts";
import { rootOf } from "./launches.ts";
import type { RunningServer } from "./running-server.ts";
import { standsIn } from "./symbols.ts";

/** One less than the limit, leaving room for the file in question. */
const mostShown = mostOpenDocuments - 1;

type NameQuestion = { language: LanguageServer; server: RunningServer; name: string };

/** False: there are more such files than can be opened at once or searched. */
export async function showFilesWith(
  all: Languages,
  { language, server, name }: NameQuestion,
  signal: AbortSignal,
): Promise<boolean> {
  if (language.known.knowsOnlyShown !== true) return true;
  const most = mostFilesWithProblems;
  const { paths, isCut } = await servedFiles(all, { start: ".", most, signal });
  const shown: string[] = [];
  for (const path of paths.filter((one) => isOf(language, one, all))) {
    const text = signal.aborted ? undefined : await textAt(all.files, path);
    if (text === undefined || !standsIn(text, name)) continue;
    if (shown.length >= mostShown) return false;
    server.documents.show(path, text);
    shown.push(path);
  }
  const isKnown = await check(server, shown, { workspace: all.workspace, signal });
  // Their existing diagnostics must not count as new after the next change.
  for (const path of shown) if (!language.told.has(path)) language.told.set(path, server.problems.of(path));
  return isKnown && !isCut && !signal.aborted;
}

const isOf = ({ known, root }: LanguageServer, path: string, all: Languages): boolean =>
  all.known(path) === known && rootOf(known, join(all.workspace, path), all.workspace) === root;
