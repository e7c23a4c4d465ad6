/** Definitions, references and renames by the editor's language support, for symbols that are named without a column. */

import * as vscode from "vscode";
import { type Expected, refuse } from "../../../../../src/base/expected.ts";
import { isObject } from "../../../../../src/base/json.ts";
import type { NamedSymbol, RenamedFile, SymbolUse } from "../../common/tools/editor-powers.ts";
import { wordIn } from "../../common/tools/word-place.ts";
import { pathOf, uriOf } from "./workspace-paths.ts";

type SymbolPosition = { uri: vscode.Uri; position: vscode.Position };

export const definitionOf = (of: NamedSymbol): Promise<Expected<SymbolUse[]>> =>
  usesBy("vscode.executeDefinitionProvider", of);

export const referencesOf = (of: NamedSymbol): Promise<Expected<SymbolUse[]>> =>
  usesBy("vscode.executeReferenceProvider", of);

async function usesBy(command: string, of: NamedSymbol): Promise<Expected<SymbolUse[]>> {
  const at = await positionOf(of);
  if (!at.ok) return at;
  const found: unknown = await vscode.commands.executeCommand(command, at.value.uri, at.value.position);
  const places = (Array.isArray(found) ? found : []).flatMap(placeIn);
  return { ok: true, value: (await Promise.all(places.map(useAt))).flat() };
}

/** The workspace edit is read, not applied. */
export async function planRename(of: NamedSymbol, newName: string): Promise<Expected<RenamedFile[]>> {
  const at = await positionOf(of);
  if (!at.ok) return at;
  const command = "vscode.executeDocumentRenameProvider";
  const edit: unknown = await vscode.commands.executeCommand(
    command,
    at.value.uri,
    at.value.position,
    newName,
  );
  if (!(edit instanceof vscode.WorkspaceEdit)) return refuse(`The editor cannot rename ${of.symbol}.`);
  const files: RenamedFile[] = [];
  for (const [uri, edits] of edit.entries()) {
    const path = pathOf(uri);
    if (path === undefined) return refuse(`The rename reaches ${uri.toString()}, which is no file.`);
    files.push(renamed(path, await vscode.workspace.openTextDocument(uri), edits));
  }
  return { ok: true, value: files };
}

function renamed(
  path: string,
  document: vscode.TextDocument,
  edits: readonly vscode.TextEdit[],
): RenamedFile {
  const before = document.getText();
  const fromTheEnd = edits.toSorted((one, other) => other.range.start.compareTo(one.range.start));
  const after = fromTheEnd.reduce((text, { range, newText }) => {
    const [start, end] = [document.offsetAt(range.start), document.offsetAt(range.end)];
    return text.slice(0, start) + newText + text.slice(end);
  }, before);
  return { path, before, after };
}

async function positionOf({ symbol, path, line }: NamedSymbol): Promise<Expected<SymbolPosition>> {
  if (path === undefined) return positionByName(symbol);
  const uri = uriOf(path);
  const document = await opened(uri);
  if (!document) return refuse(`The editor cannot open ${path}.`);
  const place = wordIn(document.getText(), symbol, line);
  if (!place)
    return refuse(`${symbol} does not stand in ${path}${line === undefined ? "" : `, line ${line}`}.`);
  return { ok: true, value: { uri, position: new vscode.Position(place.line, place.character) } };
}

async function positionByName(symbol: string): Promise<Expected<SymbolPosition>> {
  const found: unknown = await vscode.commands.executeCommand(
    "vscode.executeWorkspaceSymbolProvider",
    symbol,
  );
  const exact = (Array.isArray(found) ? found : []).filter((one) => isObject(one) && one["name"] === symbol);
  const [place] = exact.flatMap((one) => placeIn(one["location"]));
  if (!place) return refuse(`The editor knows no ${symbol}: name a file in which it stands.`);
  const document = await opened(place.uri);
  const within = document && wordIn(document.getText(place.range), symbol);
  const { start } = place.range;
  const position = within
    ? new vscode.Position(
        start.line + within.line,
        within.line === 0 ? start.character + within.character : within.character,
      )
    : start;
  return { ok: true, value: { uri: place.uri, position } };
}

async function opened(uri: vscode.Uri): Promise<vscode.TextDocument | undefined> {
  try {
    return await vscode.workspace.openTextDocument(uri);
  } catch {
    return undefined;
  }
}

type FoundPlace = { uri: vscode.Uri; range: vscode.Range };

/** Providers answer with locations or with links. */
function placeIn(found: unknown): FoundPlace[] {
  if (!isObject(found)) return [];
  const uri = found["targetUri"] ?? found["uri"];
  const range = found["targetSelectionRange"] ?? found["targetRange"] ?? found["range"];
  return uri instanceof vscode.Uri && range instanceof vscode.Range ? [{ uri, range }] : [];
}

async function useAt({ uri, range }: FoundPlace): Promise<SymbolUse[]> {
  const path = pathOf(uri);
  if (path === undefined) return [];
  const document = await opened(uri);
  const { line } = range.start;
  const text = document && line < document.lineCount ? document.lineAt(line).text : "";
  return [{ path, line: line + 1, text }];
}
