/** Answers where a symbol is defined and where it is used. */

import { basename, dirname, join } from "node:path";
import { cutLine } from "../../base/cut-text.ts";
import { failedResult, ok, type ToolResult, type ToolContext } from "../../tools/tool.ts";
import { limitOf } from "./asking.ts";
import { mayBeTold, textAt } from "./files.ts";
import type { Languages } from "./languages.ts";
import { locate } from "./locating.ts";
import { linesOf } from "./positions.ts";
import { mayBeMore, placeIn } from "./problem-words.ts";
import { askAt, hasPlaces, type Location, locationsIn } from "./questions.ts";
import type { RunningServer } from "./running-server.ts";
import { saidWords } from "./server-words.ts";
import { showFilesWith } from "./shown-names.ts";
import { nameOf, type SymbolPlace } from "./symbols.ts";
import { fileOf, pathOf } from "./uris.ts";

/** Places of a symbol shown to the model at a time. */
const mostPlaces = 100;

type SymbolQuestion = "definition" | "references";

export async function reportPlaces(
  all: Languages,
  { kind, wanted }: { kind: SymbolQuestion; wanted: SymbolPlace },
  context: ToolContext,
): Promise<ToolResult> {
  const limit = limitOf(context.signal);
  await all.tellOfOthers(limit);
  const found = await locate(all, wanted, { signal: limit, can: kind, context });
  if (!found.ok) return failedResult(found.problem);
  const { server, language } = found.value;
  const isAll = await showFilesWith(all, { ...found.value, name: nameOf(wanted) }, limit);
  const answer = await askAt(all.workspace, found.value, `textDocument/${kind}`, {
    parameters: kind === "references" ? { context: { includeDeclaration: true } } : {},
    signal: limit,
    says: hasPlaces,
    isEnough: hasPlaces,
  });
  if (!answer.ok) return failedResult(`The language server ${language.name}: ${answer.problem}`);
  const notes = [
    found.value.note ?? [],
    isAll ? [] : notAll,
    server.work.isUnderWay() ? mayBeMore : [],
  ].flat();
  const places = await mayBeTold(locationsIn(answer.value), ({ uri }) => pathOf(all.workspace, uri), context);
  const words =
    places.length === 0
      ? `The language server ${language.name} knows no ${kind} of ${wanted.symbol}.`
      : await placeLines(places, server, context);
  return ok([words, ...notes].join("\n"));
}

const notAll = "[Not all files with that name could be looked through: there may be more.]";

/** Files outside the workspace appear by location only: their content is not the workspace's. */
async function placeLines(
  places: readonly Location[],
  { can }: RunningServer,
  { workspace, files }: ToolContext,
): Promise<string> {
  const texts = new Map<string, string[]>();
  const lines: string[] = [];
  for (const { uri, at } of places.slice(0, mostPlaces)) {
    const path = pathOf(workspace, uri);
    if (path !== undefined && !texts.has(path)) texts.set(path, linesOf((await textAt(files, path)) ?? ""));
    const line = path === undefined ? undefined : texts.get(path)?.[at.line];
    const shown = path ?? outsideName(uri);
    lines.push(
      `${shown}:${placeIn(at, line, can.unit)}${line === undefined ? "" : `  ${cutLine(line.trim(), 160)}`}`,
    );
  }
  const left = places.length - lines.length;
  return [...lines, ...(left > 0 ? [`and ${left} more`] : [])].join("\n");
}

function outsideName(uri: string): string {
  const file = fileOf(uri);
  return file === undefined
    ? saidWords(uri, 200)
    : `${saidWords(join(basename(dirname(file)), basename(file)), 200)} (outside the workspace)`;
}
