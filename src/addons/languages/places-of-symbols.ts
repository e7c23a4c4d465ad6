/** Where a symbol is defined and used, and what giving it another name would change. */

import { basename, dirname, join } from "node:path";
import { bounds } from "../../base/bounds.ts";
import { type Expected, errorMessage } from "../../base/expected.ts";
import { isObject } from "../../base/json.ts";
import { cutLine } from "../../base/text.ts";
import { failed, ok, type Produced } from "../../tools/tool.ts";
import { limitOf, readyFor, servedFiles, started } from "./asking.ts";
import type { Capabilities } from "./capabilities.ts";
import { textAt } from "./files.ts";
import { lookAgain } from "./following.ts";
import type { LanguageServer } from "./language-server.ts";
import type { SymbolPlace } from "./language-tools.ts";
import type { Languages } from "./languages.ts";
import { linesOf, type Position } from "./positions.ts";
import { placeIn } from "./problem-words.ts";
import { rangeIn } from "./problems.ts";
import type { RunningServer } from "./running-server.ts";
import { showFilesWith } from "./shown-names.ts";
import { findSymbol, lastName } from "./symbols.ts";
import { fileOf, pathOf, uriOf } from "./uris.ts";
import { changesIn } from "./workspace-edit.ts";

type Kind = "definition" | "references";

export async function reportPlaces(
  all: Languages,
  { kind, wanted }: { kind: Kind; wanted: SymbolPlace },
  signal: AbortSignal,
): Promise<Produced> {
  const limit = limitOf(signal);
  const found = await locate(all, wanted, { signal: limit, can: kind });
  if (!found.ok) return failed(found.problem);
  const { server, language, path, at } = found.value;
  const isAll = await showFilesWith(all, { ...found.value, name: nameOf(wanted) }, limit);
  const note = isAll ? found.value.note : [found.value.note ?? [], notAll].flat().join("\n");
  const parameters = {
    textDocument: { uri: uriOf(all.workspace, path) },
    position: at,
    ...(kind === "references" ? { context: { includeDeclaration: true } } : {}),
  };
  const answer = await ask(server, `textDocument/${kind}`, { parameters, signal: limit });
  if (!answer.ok) return failed(`The language server ${language.name}: ${answer.problem}`);
  const places = locationsIn(answer.value);
  if (places.length === 0)
    return ok(withNote(`The language server ${language.name} knows no ${kind} of ${wanted.symbol}.`, note));
  return ok(withNote(await placeLines(all, places, server), note));
}

/** The plan: nothing is changed here. */
export async function planRename(
  all: Languages,
  { newName, ...wanted }: SymbolPlace & { newName: string },
  signal: AbortSignal,
): Promise<Produced> {
  if (!isName(newName, wanted.symbol))
    return failed(
      `${JSON.stringify(newName.slice(0, 100))} is no name for a symbol: give one word. Nothing was changed.`,
    );
  const limit = limitOf(signal);
  const found = await locate(all, wanted, { signal: limit, can: "rename" });
  if (!found.ok) return failed(`${found.problem} Nothing was changed.`);
  const { server, language, path, at, note } = found.value;
  if (!(await showFilesWith(all, { language, server, name: nameOf(wanted) }, limit)))
    return failed(
      `${wanted.symbol} stands in more files than the language server ${language.name} can look through, so that some would keep the old name. Nothing was changed.`,
    );
  const parameters = { textDocument: { uri: uriOf(all.workspace, path) }, position: at, newName };
  const answer = await ask(server, "textDocument/rename", { parameters, signal: limit });
  if (!answer.ok)
    return failed(
      `The language server ${language.name} cannot rename it: ${answer.problem} Nothing was changed.`,
    );
  const changes = await changesIn(answer.value, {
    files: all.files,
    unit: server.can.unit,
    versionOf: (one) => server.documents.get(one)?.version,
  });
  if (!changes.ok) return failed(changes.problem);
  if (changes.value.length === 0)
    return failed("The language server has nothing to change for that. Nothing was changed.");
  const paths = changes.value.map((change) => change.path);
  const told = paths.length > 10 ? [...paths.slice(0, 10), `${paths.length - 10} others`] : paths;
  const words = `Renamed ${wanted.symbol} to ${newName} in ${told.join(", ")}.`;
  return { ...ok(withNote(words, note)), changes: changes.value };
}

const nameOf = ({ symbol }: SymbolPlace): string => lastName(symbol) ?? symbol;

const notAll = "[Not all files with that name could be looked through: there may be more.]";

/**
 * Some servers write whatever they are told. Marks that belong to names in a few languages are known from the old one.
 */
function isName(newName: string, old: string): boolean {
  const marks = newName.replaceAll(/[\p{L}\p{M}\p{N}_$]/gu, "");
  return (
    /^[^\p{N}\s]/u.test(newName) &&
    Array.from(marks).every((mark) => "-?!'@#".includes(mark) && old.includes(mark))
  );
}

const withNote = (words: string, note: string | undefined): string =>
  note === undefined ? words : `${words}\n${note}`;

type Located = { language: LanguageServer; server: RunningServer; path: string; at: Position; note?: string };
type Need = { signal: AbortSignal; can: Kind | "rename" };

async function locate(all: Languages, wanted: SymbolPlace, need: Need): Promise<Expected<Located>> {
  if (wanted.path === undefined) return locateByName(all, wanted, need);
  const ready = await readyFor(all, wanted.path, need.signal);
  if (!ready.ok) return ready;
  const { language, server, path, text } = ready.value;
  const lacking = lacks(language, server.can, need);
  if (lacking !== undefined) return refuse(lacking);
  const found = findSymbol(text, wanted, { path, unit: server.can.unit });
  if (!found.ok) return found;
  const { note, ...at } = found.value;
  return { ok: true, value: { language, server, path, at, ...(note === undefined ? {} : { note }) } };
}

const lacks = ({ name }: LanguageServer, can: Capabilities, need: Need): string | undefined =>
  can[need.can]
    ? undefined
    : `The language server ${name} has no ${need.can === "rename" ? "renaming" : need.can}.`;

/** By the symbols of the whole workspace, in each kind of project that is here. */
async function locateByName(all: Languages, wanted: SymbolPlace, need: Need): Promise<Expected<Located>> {
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
): Promise<Expected<Located>> {
  const ready = await started(language, need.signal);
  if (!ready.ok) return ready;
  const server = ready.value;
  const name = lastName(wanted.symbol);
  const lacking = lacks(language, server.can, need);
  if (lacking !== undefined) return refuse(lacking);
  if (!server.can.symbols || name === undefined)
    return refuse("Give the path of a file in which the symbol stands.");
  await lookAgain(server, all);
  // Servers know a project once a file of it was opened.
  const text = server.documents.paths().length > 0 ? undefined : await textAt(all.files, path);
  if (text !== undefined) server.documents.show(path, text);
  await showFilesWith(all, { language, server, name }, need.signal);
  const answer = await ask(server, "workspace/symbol", { parameters: { query: name }, signal: need.signal });
  if (!answer.ok) return refuse(`The language server ${language.name}: ${answer.problem}`);
  const symbols = (Array.isArray(answer.value) ? answer.value : []).filter(isObject);
  const same = symbols.filter((one) => typeof one["name"] === "string" && lastName(one["name"]) === name);
  const [place] = same
    .flatMap((one) => locationsIn(one["location"]))
    .filter(({ uri }) => pathOf(all.workspace, uri) !== undefined);
  const inside = place && pathOf(all.workspace, place.uri);
  if (!place || inside === undefined)
    return refuse(
      `The language server ${language.name} knows no symbol ${name} in the workspace; give the path of a file in which it stands.`,
    );
  // What it names is the whole definition: the name stands somewhere in its first lines.
  return locate(all, { path: inside, symbol: name, line: place.at.line + 1 }, need);
}

type Asked = { parameters: object; signal: AbortSignal };

async function ask(
  server: RunningServer,
  method: string,
  { parameters, signal }: Asked,
): Promise<Expected<unknown>> {
  try {
    const value = await server.conversation.request(method, parameters, {
      ms: bounds.languages.request.most,
      signal,
    });
    return { ok: true, value };
  } catch (error) {
    const words = errorMessage(error);
    const said = signal.aborted ? "it has not answered in time" : words.slice(0, bounds.languages.words.most);
    return refuse(/[.!?]$/.test(said) ? said : `${said}.`);
  }
}

type Location = { uri: string; at: Position };

/** `Location`, `Location[]` and `LocationLink[]`. */
function locationsIn(answer: unknown): Location[] {
  const list: unknown[] = Array.isArray(answer) ? answer : [answer];
  const found = list.flatMap((one): Location[] => {
    if (!isObject(one)) return [];
    const uri = one["uri"] ?? one["targetUri"];
    const range = rangeIn(one["range"] ?? one["targetSelectionRange"]);
    return typeof uri === "string" && range ? [{ uri, at: range.start }] : [];
  });
  return [...new Map(found.map((place) => [JSON.stringify(place), place])).values()];
}

/** Of files outside only the place is told: their content is none of the workspace's. */
async function placeLines(
  all: Languages,
  places: readonly Location[],
  { can }: RunningServer,
): Promise<string> {
  const texts = new Map<string, string[]>();
  const lines: string[] = [];
  for (const { uri, at } of places.slice(0, bounds.languages.places.most)) {
    const path = pathOf(all.workspace, uri);
    if (path !== undefined && !texts.has(path))
      texts.set(path, linesOf((await textAt(all.files, path)) ?? ""));
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
    ? uri.slice(0, 200)
    : join(basename(dirname(file)), basename(file)) + " (outside the workspace)";
}

const refuse = (problem: string): Expected<never> => ({ ok: false, problem });
