/** Converts a server's edits to file changes that can be shown, approved and undone as a whole. */

import { type Expected, refuse } from "../../base/expected.ts";
import { isObject } from "../../base/json.ts";
import { type Change, fileImage, type Image, modeOf } from "../../base/safe-fs/image.ts";
import type { Tree } from "../../base/safe-fs/tree.ts";
import { decodeText, encodeText } from "../../base/text.ts";
import { toolBounds } from "../../tools/bounds.ts";
import { languageServerBounds } from "./bounds.ts";
import { offsetIn, type Unit } from "./positions.ts";
import { rangeIn } from "./problems.ts";
import { fileOf, pathOf } from "./uris.ts";

type WorkspaceEditContext = {
  files: Tree;
  unit: Unit;
  /** The version of the document that the server has, if it is open. */
  versionOf(path: string): number | undefined;
};

/** A file before the edits, and after the operations so far. */
type FileDraft = { before: Image | null; text: string | null; bom: boolean; mode?: number };
type Drafts = Map<string, FileDraft>;

class EditRefusal extends Error {}

/** The problem says why nothing is changed. */
export async function changesIn(edit: unknown, context: WorkspaceEditContext): Promise<Expected<Change[]>> {
  const drafts: Drafts = new Map();
  try {
    for (const operation of operationsIn(edit)) await carryOut(operation, drafts, context);
  } catch (error) {
    if (error instanceof EditRefusal) return refuse(`${error.message} Nothing was changed.`);
    throw error;
  }
  return { ok: true, value: [...drafts].flatMap(([path, draft]) => changeOf(path, draft)) };
}

function changeOf(path: string, { before, text, bom, mode }: FileDraft): Change[] {
  if (text === null) return before === null ? [] : [{ path, before, after: null }];
  const after = fileImage(encodeText(text, { bom }), mode);
  const isSame =
    before?.kind === "file" && after.kind === "file" && before.content.hash === after.content.hash;
  return isSame ? [] : [{ path, before, after }];
}

type Operation = Record<string, unknown>;

/** `documentChanges` take precedence over `changes`. */
function operationsIn(edit: unknown): Operation[] {
  if (!isObject(edit)) throw new EditRefusal("The language server gave no edits.");
  const { documentChanges, changes } = edit;
  if (Array.isArray(documentChanges)) {
    if (documentChanges.length > languageServerBounds.renamed.most) throw new EditRefusal(tooMany);
    return documentChanges.map((one: unknown) => {
      if (!isObject(one)) throw new EditRefusal("The language server sent an edit that cannot be read.");
      return one;
    });
  }
  if (!isObject(changes)) return [];
  const files = Object.entries(changes);
  if (files.length > languageServerBounds.renamed.most) throw new EditRefusal(tooMany);
  return files.map(([uri, edits]) => ({ textDocument: { uri }, edits }));
}

const tooMany = `The language server would change more than ${languageServerBounds.renamed.most} files.`;

async function carryOut(operation: Operation, drafts: Drafts, context: WorkspaceEditContext): Promise<void> {
  switch (operation["kind"]) {
    case undefined:
      return editText(operation, drafts, context);
    case "create":
      return create(operation, drafts, context);
    case "rename":
      return rename(operation, drafts, context);
    case "delete":
      return remove(operation, drafts, context);
    default:
      throw new EditRefusal("The language server wants something that is not known here.");
  }
}

async function editText(
  { textDocument, edits }: Operation,
  drafts: Drafts,
  context: WorkspaceEditContext,
): Promise<void> {
  const document = isObject(textDocument) ? textDocument : {};
  const path = inside(document["uri"], context);
  const draft = await draftOf(path, drafts, context);
  if (draft.text === null)
    throw new EditRefusal(`The language server would edit ${path}, which is not there.`);
  const { version } = document;
  const told = context.versionOf(path);
  if (typeof version === "number" && told !== undefined && version !== told)
    throw new EditRefusal(`The language server speaks of another version of ${path}; try again.`);
  draft.text = applyEdits(draft.text, edits, { path, unit: context.unit });
}

/** All positions refer to the original text. Overlapping edits are refused: no order would be right. */
function applyEdits(text: string, edits: unknown, { path, unit }: { path: string; unit: Unit }): string {
  if (!Array.isArray(edits))
    throw new EditRefusal(`The language server sent edits of ${path} that cannot be read.`);
  const placed = edits.map((edit: unknown) => {
    const range = isObject(edit) ? rangeIn(edit["range"]) : undefined;
    const fresh = isObject(edit) ? edit["newText"] : undefined;
    const from = range && offsetIn(text, range.start, unit);
    const to = range && offsetIn(text, range.end, unit);
    if (from === undefined || to === undefined || to < from || typeof fresh !== "string")
      throw new EditRefusal(`The language server would edit ${path} at a place that is not in it.`);
    return { from, to, fresh };
  });
  const parts: string[] = [];
  let at = 0;
  for (const { from, to, fresh } of placed.toSorted(
    (one, other) => one.from - other.from || one.to - other.to,
  )) {
    if (from < at) throw new EditRefusal(`The language server sent edits of ${path} that overlap.`);
    parts.push(text.slice(at, from), fresh);
    at = to;
  }
  return [...parts, text.slice(at)].join("");
}

async function create(
  { uri, options }: Operation,
  drafts: Drafts,
  context: WorkspaceEditContext,
): Promise<void> {
  const path = inside(uri, context);
  const draft = await draftOf(path, drafts, context);
  if (draft.text === null) draft.text = "";
  else if (isOn(options, "overwrite")) draft.text = "";
  else if (!isOn(options, "ignoreIfExists"))
    throw new EditRefusal(`The language server would create ${path}, which is there.`);
}

async function rename(
  { oldUri, newUri, options }: Operation,
  drafts: Drafts,
  context: WorkspaceEditContext,
): Promise<void> {
  const from = inside(oldUri, context);
  const to = inside(newUri, context);
  const source = await draftOf(from, drafts, context);
  const target = await draftOf(to, drafts, context);
  if (source.text === null)
    throw new EditRefusal(`The language server would rename ${from}, which is not there.`);
  if (from === to) return;
  if (target.text !== null && !isOn(options, "overwrite")) {
    if (isOn(options, "ignoreIfExists")) return;
    throw new EditRefusal(`The language server would rename ${from} to ${to}, which is there.`);
  }
  const { text, bom, mode } = source;
  drafts.set(to, { before: target.before, text, bom, ...(mode === undefined ? {} : { mode }) });
  source.text = null;
}

async function remove(
  { uri, options }: Operation,
  drafts: Drafts,
  context: WorkspaceEditContext,
): Promise<void> {
  const path = inside(uri, context);
  const draft = await draftOf(path, drafts, context);
  if (draft.text === null && !isOn(options, "ignoreIfNotExists"))
    throw new EditRefusal(`The language server would delete ${path}, which is not there.`);
  draft.text = null;
}

const isOn = (options: unknown, name: string): boolean => isObject(options) && options[name] === true;

function inside(uri: unknown, { files }: WorkspaceEditContext): string {
  const path = pathOf(files.root, uri);
  if (path === undefined)
    throw new EditRefusal(
      `The language server would change ${JSON.stringify(fileOf(uri) ?? String(uri).slice(0, 200))}, which is outside the workspace.`,
    );
  return path;
}

async function draftOf(path: string, drafts: Drafts, { files }: WorkspaceEditContext): Promise<FileDraft> {
  const known = drafts.get(path);
  if (known) return known;
  const found = await files.image(path, { maxBytes: toolBounds.fileBytes.most });
  if (!found.ok) throw new EditRefusal(`The language server would change ${path}: ${found.problem.message}.`);
  const draft = await asDraft(path, found.value);
  drafts.set(path, draft);
  return draft;
}

async function asDraft(path: string, before: Image | null): Promise<FileDraft> {
  if (before === null) return { before, text: null, bom: false };
  if (before.kind !== "file")
    throw new EditRefusal(`The language server would change ${path}, which is no file.`);
  const decoded = decodeText(await before.content.read());
  if (decoded.kind !== "text")
    throw new EditRefusal(`The language server would change ${path}, which is no text.`);
  const mode = modeOf(before);
  return { before, text: decoded.text, bom: decoded.bom, ...(mode === undefined ? {} : { mode }) };
}
