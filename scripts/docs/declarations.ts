/** Finds the declaration of a name by parsing the sources, through any number of imports and re-exports. */

import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import ts from "typescript-6";

export type Sources = Map<string, ts.SourceFile>;
/** `name` from the file `from`, exported under the name `as`. */
export type ReExport = { name: string; as: string; from: string };

export function sourceAt(path: string, sources: Sources): ts.SourceFile {
  const known = sources.get(path);
  if (known) return known;
  const read = ts.createSourceFile(path, readFileSync(path, "utf8"), ts.ScriptTarget.ESNext, true);
  sources.set(path, read);
  return read;
}

export function reExports(file: ts.SourceFile): ReExport[] {
  return file.statements.flatMap((statement) => {
    if (!ts.isExportDeclaration(statement) || !statement.exportClause) return [];
    const from = statement.moduleSpecifier;
    if (!ts.isNamedExports(statement.exportClause) || !from || !ts.isStringLiteral(from)) return [];
    return statement.exportClause.elements.map(({ name, propertyName }) => ({
      name: (propertyName ?? name).text,
      as: name.text,
      from: join(dirname(file.fileName), from.text),
    }));
  });
}

/** Finds the declaration, following re-exports through any number of files. */
export function declarationFor({ name, from }: ReExport, sources: Sources): ts.Declaration {
  const file = sourceAt(from, sources);
  for (const statement of file.statements) {
    const found = declaredIn(statement).find(
      (one) => one.name && ts.isIdentifier(one.name) && one.name.text === name,
    );
    if (found) return found;
  }
  const passed =
    reExports(file).find((one) => one.as === name) ??
    imported(file).find((one) => one.as === name) ??
    passedWhole(file, name, sources);
  if (!passed) throw new Error(`${from} does not export ${name}`);
  return declarationFor(passed, sources);
}

/** Imported names, which a file may re-export by `export { … }` alone. */
export function imported(file: ts.SourceFile): ReExport[] {
  return file.statements.flatMap((statement) => {
    if (!ts.isImportDeclaration(statement) || !ts.isStringLiteral(statement.moduleSpecifier)) return [];
    const named = statement.importClause?.namedBindings;
    const from = statement.moduleSpecifier.text;
    if (!named || !ts.isNamedImports(named) || !from.startsWith(".")) return [];
    return named.elements.map(({ name, propertyName }) => ({
      name: (propertyName ?? name).text,
      as: name.text,
      from: join(dirname(file.fileName), from),
    }));
  });
}

/** A name re-exported by `export *`. */
function passedWhole(file: ts.SourceFile, name: string, sources: Sources): ReExport | undefined {
  for (const statement of file.statements) {
    if (!ts.isExportDeclaration(statement) || statement.exportClause) continue;
    const { moduleSpecifier } = statement;
    if (!moduleSpecifier || !ts.isStringLiteral(moduleSpecifier)) continue;
    const from = join(dirname(file.fileName), moduleSpecifier.text);
    const isThere = sourceAt(from, sources).statements.some((one) =>
      declaredIn(one).some((declared) => declared.name?.getText() === name),
    );
    if (isThere) return { name, as: name, from };
  }
  return undefined;
}

export function declaredIn(statement: ts.Statement): (ts.Declaration & { name?: ts.Node })[] {
  if (ts.isVariableStatement(statement)) return [...statement.declarationList.declarations];
  const isOne =
    ts.isFunctionDeclaration(statement) ||
    ts.isClassDeclaration(statement) ||
    ts.isTypeAliasDeclaration(statement) ||
    ts.isInterfaceDeclaration(statement);
  return isOne ? [statement] : [];
}
