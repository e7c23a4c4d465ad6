/** Finds the symbol that the model refers to by name, with or without a file. */

import { type Expected, refuse } from "../../base/expected.ts";
import { isObject } from "../../base/json.ts";
import type { ToolContext } from "../../tools/tool.ts";
import { readyFor, servedFiles, startedServer } from "./asking.ts";
import type { Capabilities } from "./capabilities.ts";
import { mayBeTold, textAt } from "./files.ts";
import type { LanguageServer } from "./language-server.ts";
import type { Languages } from "./languages.ts";
import { askAgain, type LocatedSymbol, locationsIn } from "./questions.ts";
import { lookAgain } from "./shown-changes.ts";
import { showFilesWith } from "./shown-names.ts";
import { findSymbol, lastName, type SymbolPlace } from "./symbols.ts";
import { pathOf } from "./uris.ts";

/** `can`: the capability that the server must have. */
type Need = {
  signal: AbortSignal;
  can: "definition" | "references" | "rename";
  context: Pick<ToolContext, "withheld">;
};

export async function locate(
  all: Languages,
  wanted: SymbolPlace,
  need: Need,
): Promise<Expected<LocatedSymbol>> {
  if (wanted.path === undefined) return locateByName(all, wanted, need);
  const ready = await readyFor(all, wanted.path, need.signal);
  if (!ready.ok) return ready;
  const { language, server, path, text } = ready.value;
  const lacking = lacks(language, server.can, need);
  if (lacking !== undefined) return refuse(lacking);
  const found = findSymbol(text, wanted, { path, unit: server.can.unit });
  if (!found.ok) return found;
  return { ok: true, value: { language, server, path, ...found.value } };
}

const lacks = ({ name }: LanguageServer, can: Capabilities, need: Need): string | undefined =>
  can[need.can]
    ? undefined
    : `The language server ${name} has no ${need.can === "rename" ? "renaming" : need.can}.`;

/** Through workspace symbols, in each kind of project here. */
async function locateByName(
  all: Languages,
  wanted: SymbolPlace,
  need: Need,
): Promise<Expected<LocatedSymbol>> {
  const problems: string[] = [];
  const { paths } = await servedFiles(all, { start: ".", most: 200, signal: need.signal });
  const first = new Map(
    paths.toReversed().flatMap((path) => {
      const language = all.of(path);
      return language ? [[language, path] as const] : [];
    }),
  );
  for (const [language, path] of first) {
    const found = await symbolOf(all, { language, path, wanted }, need);
    if (found.ok) return found;
    problems.push(found.problem);
  }
  return refuse(problems[0] ?? "There is no file here that a language server is for.");
}

type ByName = { language: LanguageServer; path: string; wanted: SymbolPlace };

async function symbolOf(
  all: Languages,
  { language, path, wanted }: ByName,
  need: Need,
): Promise<Expected<LocatedSymbol>> {
  const ready = await startedServer(language, need.signal);
  if (!ready.ok) return ready;
  const server = ready.value;
  const name = lastName(wanted.symbol);
  const lacking = lacks(language, server.can, need);
  if (lacking !== undefined) return refuse(lacking);
  if (!server.can.symbols || name === undefined)
    return refuse("Give the path of a file in which the symbol stands.");
  await lookAgain(server, all);
  // Servers load a project only once one of its files is open.
  const text = server.documents.paths().length > 0 ? undefined : await textAt(all.files, path);
  if (text !== undefined) server.documents.show(path, text);
  await showFilesWith(all, { language, server, name }, need.signal);
  const answer = await askAgain(server, "workspace/symbol", {
    parameters: { query: name },
    signal: need.signal,
    isEnough: hasSymbols,
  });
  if (!answer.ok) return refuse(`The language server ${language.name}: ${answer.problem}`);
  const symbols = (Array.isArray(answer.value) ? answer.value : []).filter(isObject);
  const same = symbols.filter((one) => typeof one["name"] === "string" && lastName(one["name"]) === name);
  const places = same
    .flatMap((one) => locationsIn(one["location"]))
    .filter(({ uri }) => pathOf(all.workspace, uri) !== undefined);
  const [place] = await mayBeTold(places, ({ uri }) => pathOf(all.workspace, uri), need.context);
  const inside = place && pathOf(all.workspace, place.uri);
  if (!place || inside === undefined)
    return refuse(
      `The language server ${language.name} knows no symbol ${name} in the workspace; give the path of a file in which it stands.`,
    );
  // The location covers the whole definition: the name itself is within the first lines.
  return locate(all, { path: inside, symbol: name, line: place.at.line + 1 }, need);
}

const hasSymbols = (answer: unknown): boolean => Array.isArray(answer) && answer.length > 0;
