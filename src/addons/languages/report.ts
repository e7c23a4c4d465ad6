/** Answers the model's request for all diagnostics of a file, or the known ones of a directory. */

import { insideWorkspace } from "../../base/paths.ts";
import { failedResult, ok, type ToolResult, type ToolContext } from "../../tools/tool.ts";
import { limitOf, type ReadyFile, readyFor, servedFiles, startedServer } from "./asking.ts";
import { mostOpenDocuments } from "./bounds.ts";
import { check, checkAll } from "./checking.ts";
import { mayBeTold, textAt } from "./files.ts";
import type { LanguageServer } from "./language-server.ts";
import type { Languages } from "./languages.ts";
import { countWords, mayBeMore, problemLines } from "./problem-words.ts";
import { isError } from "./problems.ts";
import { lookAgain, type News } from "./shown-changes.ts";

export async function reportProblems(
  all: Languages,
  path: string | undefined,
  context: ToolContext,
): Promise<ToolResult> {
  const limit = limitOf(context.signal);
  const place = await insideWorkspace(all.workspace, path ?? ".");
  if (!place.ok) return failedResult(place.problem);
  const isAnswered = !(await all.tellOfOthers(limit));
  const { relative } = place.value;
  const status = await all.files.look(relative);
  if (status.ok && status.value?.kind === "directory")
    return ofDirectory(all, relative, { signal: limit, isAnswered, context });
  const ready = await readyFor(all, path ?? ".", limit);
  return ready.ok
    ? ofFile(all, ready.value, { signal: limit, isAnswered, context })
    : failedResult(ready.problem);
}

/** The parameters of `check`, and what the call may show. */
type How = { signal: AbortSignal; isAnswered: boolean; context: ToolContext };

async function ofFile(all: Languages, { language, server, path }: ReadyFile, how: How): Promise<ToolResult> {
  const isKnown = await check(server, [path], { workspace: all.workspace, ...how });
  const problems = server.problems.of(path);
  language.told.set(path, problems);
  if (!isKnown && problems.length === 0) return failedResult(notInTime(language));
  return ok(
    await words([{ language, news: [{ path, problems }] }], {
      context: how.context,
      of: path,
      notes: notesOf(all, language, isKnown),
    }),
  );
}

const notInTime = ({ name, failure }: LanguageServer): string =>
  failure ?? `The language server ${name} has not answered in time; try again later.`;

const notesOf = (all: Languages, language: LanguageServer, isKnown: boolean): string[] => [
  ...(isKnown ? [] : [mayBeMore]),
  ...all.complaintOf(language),
];

async function ofDirectory(all: Languages, directory: string, how: How): Promise<ToolResult> {
  const most = mostOpenDocuments;
  const { paths, isCut } = await servedFiles(all, { start: directory, most, signal: how.signal });
  const byServer = Map.groupBy(paths, (path) => all.of(path));
  const found: ServerNews[] = [];
  const notes: string[] = [];
  for (const [language, own] of byServer) {
    if (!language) continue;
    const one = await askOne(all, { language, own, directory }, how);
    if (typeof one === "string") notes.push(`[${one}]`);
    else {
      found.push({ language, news: one.news });
      notes.push(...one.notes);
    }
  }
  if (found.length === 0)
    return failedResult(
      notes.join("\n") || `There is no file in ${directory} that a language server is for.`,
    );
  if (isCut)
    notes.push(
      `[Only the first ${most} files were checked, and what was changed or read; name a file or directory for others.]`,
    );
  return ok(
    await words(found, {
      context: how.context,
      of: directory === "." ? "the workspace" : directory,
      notes,
    }),
  );
}

type One = { language: LanguageServer; own: readonly string[]; directory: string };

async function askOne(
  all: Languages,
  { language, own, directory }: One,
  how: How,
): Promise<{ news: News[]; notes: string[] } | string> {
  const ready = await startedServer(language, how.signal);
  if (!ready.ok) return ready.problem;
  const server = ready.value;
  await lookAgain(server, all);
  for (const path of own) {
    const text = await textAt(all.files, path);
    if (text !== undefined) server.documents.show(path, text);
  }
  const place = { workspace: all.workspace, ...how };
  const isKnown = (await checkAll(server, place)) || (await check(server, own, place));
  const paths = server.problems
    .paths()
    .filter((path) => directory === "." || path.startsWith(`${directory}/`));
  const news: News[] = [];
  for (const path of paths.toSorted()) {
    const problems = server.problems.of(path);
    const status = await all.files.look(path);
    if (problems.length === 0 || !status.ok || status.value?.kind !== "file") continue;
    language.told.set(path, problems);
    news.push({ path, problems });
  }
  return { news, notes: notesOf(all, language, isKnown) };
}

type ServerNews = { language: LanguageServer; news: News[] };

type Wording = { context: ToolContext; of: string; notes: readonly string[] };

async function words(everything: readonly ServerNews[], { context, of, notes }: Wording): Promise<string> {
  const found: ServerNews[] = [];
  for (const { language, news } of everything)
    found.push({ language, news: await mayBeTold(news, ({ path }) => path, context) });
  const lines: string[] = [];
  for (const { language, news } of found) {
    // Errors first, because they need fixing.
    const sorted = news.map(({ path, problems }) => ({
      path,
      problems: [...problems.filter(isError), ...problems.filter((problem) => !isError(problem))],
    }));
    const unit = language.running?.can.unit ?? "utf-16";
    const told = await problemLines(sorted, { files: context.files, unit });
    lines.push(...told.lines, ...(told.left > 0 ? [`and ${told.left} more`] : []));
  }
  const problems = found.flatMap(({ news }) => news.flatMap((one) => one.problems));
  const errors = problems.filter(isError).length;
  const names = [...new Set(found.map(({ language }) => language.name))].join(", ");
  const head =
    problems.length === 0
      ? `No problems in ${of} (${names}).`
      : `${countWords(errors, "error")} and ${countWords(problems.length - errors, "warning")} in ${of} (${names}):`;
  return [head, ...lines, ...notes].join("\n");
}
