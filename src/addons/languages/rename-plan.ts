/** Plans the file changes of renaming a symbol; changes nothing itself. */

import type { Expected } from "../../base/expected.ts";
import { isObject } from "../../base/json.ts";
import { failedResult, ok, type ToolResult, type ToolContext } from "../../tools/tool.ts";
import { limitOf } from "./asking.ts";
import { textAt } from "./files.ts";
import type { Languages } from "./languages.ts";
import { locate } from "./locating.ts";
import { indexIn, linesOf } from "./positions.ts";
import { askAt, hasPlaces, type LocatedSymbol, locationsIn } from "./questions.ts";
import { showFilesWith } from "./shown-names.ts";
import { nameOf, type SymbolPlace } from "./symbols.ts";
import { pathOf } from "./uris.ts";
import { changesIn } from "./workspace-edit.ts";

export async function planRename(
  all: Languages,
  { newName, ...wanted }: SymbolPlace & { newName: string },
  context: ToolContext,
): Promise<ToolResult> {
  if (!isName(newName, wanted.symbol))
    return failedResult(
      `${JSON.stringify(newName.slice(0, 100))} is no name for a symbol: give one word. Nothing was changed.`,
    );
  const limit = limitOf(context.signal);
  await all.tellOfOthers(limit);
  const found = await locate(all, wanted, { signal: limit, can: "rename", context });
  if (!found.ok) return failedResult(`${found.problem} Nothing was changed.`);
  const { server, language, note } = found.value;
  if (!(await showFilesWith(all, { language, server, name: nameOf(wanted) }, limit)))
    return failedResult(
      `${wanted.symbol} stands in more files than the language server ${language.name} can look through, so that some would keep the old name. Nothing was changed.`,
    );
  const answer = await askRename(all, found.value, { name: nameOf(wanted), newName, signal: limit });
  if (!answer.ok)
    return failedResult(
      `The language server ${language.name} cannot rename it: ${answer.problem} Nothing was changed.`,
    );
  const changes = await changesIn(answer.value, {
    files: all.files,
    unit: server.can.unit,
    versionOf: (one) => server.documents.get(one)?.version,
  });
  if (!changes.ok) return failedResult(changes.problem);
  if (changes.value.length === 0)
    return failedResult("The language server has nothing to change for that. Nothing was changed.");
  const paths = changes.value.map((change) => change.path);
  const told = paths.length > 10 ? [...paths.slice(0, 10), `${paths.length - 10} others`] : paths;
  const words = `Renamed ${wanted.symbol} to ${newName} in ${told.join(", ")}.`;
  return { ...ok(note === undefined ? words : `${words}\n${note}`), changes: changes.value };
}

/**
 * Rejects invalid names, which some servers would insert as they are. Special characters are allowed if the old name
 * has them.
 */
function isName(newName: string, old: string): boolean {
  const marks = newName.replaceAll(/[\p{L}\p{M}\p{N}_$]/gu, "");
  return (
    /^[^\p{N}\s]/u.test(newName) &&
    Array.from(marks).every((mark) => "-?!'@#".includes(mark) && old.includes(mark))
  );
}

type Renaming = { name: string; newName: string; signal: AbortSignal };

/** Asks at the definition if it is in the workspace: asked at an import, some servers only add a local alias. */
async function askRename(
  all: Languages,
  found: LocatedSymbol,
  { name, newName, signal }: Renaming,
): Promise<Expected<unknown>> {
  const asked = { parameters: { newName }, signal, says: isObject, isEnough: () => false };
  const defined = await definitionOf(all, found, { name, signal });
  const answer = defined && (await askAt(all.workspace, defined, "textDocument/rename", asked));
  if (answer?.ok && isObject(answer.value)) return answer;
  return askAt(all.workspace, found, "textDocument/rename", asked);
}

async function definitionOf(
  all: Languages,
  found: LocatedSymbol,
  { name, signal }: { name: string; signal: AbortSignal },
): Promise<LocatedSymbol | undefined> {
  const { server, language } = found;
  if (!server.can.definition) return undefined;
  const how = { parameters: {}, signal, says: hasPlaces, isEnough: hasPlaces };
  const answer = await askAt(all.workspace, found, "textDocument/definition", how);
  const [place, ...others] = answer.ok ? locationsIn(answer.value) : [];
  const path = place && pathOf(all.workspace, place.uri);
  if (path === undefined || others.length > 0 || all.of(path) !== language) return undefined;
  const text = await textAt(all.files, path);
  const line = linesOf(text ?? "")[place?.at.line ?? 0] ?? "";
  if (!place || text === undefined) return undefined;
  if (!line.startsWith(name, indexIn(line, place.at.character, server.can.unit))) return undefined;
  server.documents.show(path, text);
  return { ...found, path, places: [place.at] };
}
