/** Writes docs/api-report.md: the package's public surface as declarations alone, so that a review sees each change of it. */

import ts from "typescript-6";
import { entrances } from "./api-page.ts";
import { declarationFor, declaredIn, imported, type Sources } from "./declarations.ts";
import { declarationOf, type Exported, publicExports } from "./public-exports.ts";

export function apiReport(root: string): string {
  const all = publicExports(root, entrances);
  const exported = [...all.values()].flat();
  return `${[
    "# API report",
    "Written by `npm run docs` from the package's public entries: do not edit it. A change of this page is a change of what programs that use the package can rely on. [api.md](api.md) explains the names.",
    ...[...all].flatMap(([entry, names]) => [
      `## \`${entry}\``,
      ...stabilities.flatMap((one) => listed(one, names)),
    ]),
    "## What these types mention",
    "Not exported, so their names may change; their members belong to the types above.",
    fenced(
      mentioned(exported)
        .map((node) => shortened(declarationOf(nameOf(node), node)))
        .toSorted(),
    ),
  ].join("\n\n")}\n`;
}

const stabilities = ["stable", "experimental"] as const;

function listed(stability: (typeof stabilities)[number], names: readonly Exported[]): string[] {
  const some = names.filter((one) => one.stability === stability);
  if (some.length === 0) return [];
  return [`### ${stability}`, fenced(some.map(({ declaration }) => shortened(declaration)).toSorted())];
}

const fenced = (declarations: readonly string[]): string =>
  ["```typescript", ...declarations, "```"].join("\n");

/** Without comments and empty lines. */
const shortened = (declaration: string): string =>
  declaration
    .replaceAll(/\/\*\*(?:(?!\*\/)[^])*\*\//gu, "")
    .replaceAll(/^\s*\/\/.*$/gmu, "")
    .replaceAll(/[ \t]+$/gmu, "")
    .replaceAll(/\n{2,}/gu, "\n");

/** The declarations that the exported ones mention, and those that these mention, and so on. */
function mentioned(exported: readonly Exported[]): ts.Declaration[] {
  const sources: Sources = new Map(
    exported.map(({ node }) => [node.getSourceFile().fileName, node.getSourceFile()]),
  );
  const known = new Set(exported.map(({ node }) => node));
  const found: ts.Declaration[] = [];
  const waiting = exported.map(({ node }) => node);
  for (const node of waiting)
    for (const next of mentionedBy(node, sources)) {
      if (known.has(next)) continue;
      known.add(next);
      found.push(next);
      waiting.push(next);
    }
  return found;
}

function mentionedBy(node: ts.Declaration, sources: Sources): ts.Declaration[] {
  const file = node.getSourceFile();
  const declared = new Map(file.statements.flatMap(declaredIn).map((one) => [one.name?.getText(file), one]));
  const imports = new Map(imported(file).map((one) => [one.as, one]));
  return [...new Set(shownParts(node).flatMap(identifiers))].flatMap((name) => {
    const here = declared.get(name);
    if (here) return here === node ? [] : [here];
    const from = imports.get(name);
    return from ? [declarationFor(from, sources)] : [];
  });
}

/** What of a declaration its users see. */
function shownParts(node: ts.Node): ts.Node[] {
  if (ts.isClassDeclaration(node))
    return [
      ...(node.heritageClauses ?? []),
      ...node.members.filter((one) => !isPrivate(one)).flatMap(shownParts),
    ];
  if (ts.isFunctionLike(node))
    return [
      ...node.parameters.flatMap(shownParts),
      ...(node.type ? [node.type] : []),
      ...(node.typeParameters ?? []),
    ];
  if (ts.isParameter(node)) return node.type ? [node.type] : [];
  if (ts.isVariableDeclaration(node) || ts.isPropertyDeclaration(node)) {
    if (node.type) return [node.type];
    return node.initializer ? shownParts(node.initializer) : [];
  }
  return [node];
}

const isPrivate = (member: ts.ClassElement): boolean =>
  member.name !== undefined && ts.isPrivateIdentifier(member.name);

/** The names that a node refers to, not those that it gives to its members. */
function identifiers(node: ts.Node): string[] {
  if (ts.isIdentifier(node)) return [node.text];
  if (ts.isPropertyAccessExpression(node)) return identifiers(node.expression);
  const names: string[] = [];
  ts.forEachChild(node, (child) => {
    if (!(isMember(node) && child === node.name)) names.push(...identifiers(child));
  });
  return names;
}

const isMember = (node: ts.Node): node is ts.NamedDeclaration =>
  ts.isPropertySignature(node) ||
  ts.isMethodSignature(node) ||
  ts.isPropertyAssignment(node) ||
  ts.isParameter(node);

const nameOf = (node: ts.Declaration & { name?: ts.Node }): string => node.name?.getText() ?? "";
