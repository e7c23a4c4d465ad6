/** Lists the package's exports by parsing the sources: names, signatures and comments. */

import { join, relative } from "node:path";
import ts from "typescript-6";
import { declarationFor, type ReExport, reExports, type Sources, sourceAt } from "./declarations.ts";

export type Exported = {
  name: string;
  /** The source file, from the project's root, with forward slashes. */
  path: string;
  kind: "function" | "class" | "value" | "type";
  /** The declaration without bodies, as a reader would have to write it. */
  declaration: string;
  /** The comment as written, without its tag; empty if there is none. */
  comment: string;
  /** By its tag: `@public` promises that it stays as it is, `@experimental` does not. */
  stability: "stable" | "experimental" | undefined;
  node: ts.Declaration;
};

export type Entrance = { name: string; path: string };

/**
 * Exports by entry, in the order in which they are exported. Parses without type checking, because public declarations
 * state their types.
 */
export function publicExports(root: string, entrances: readonly Entrance[]): Map<string, Exported[]> {
  const sources: Sources = new Map();
  return new Map(
    entrances.map(({ name, path }) => {
      const file = sourceAt(join(root, path), sources);
      return [name, reExports(file).map((one) => described(one, { root, sources }))];
    }),
  );
}

type Reading = { root: string; sources: Sources };

function described(exported: ReExport, { root, sources }: Reading): Exported {
  const declared = declarationFor(exported, sources);
  const source = declared.getSourceFile();
  const comment = commentOf(statementOf(declared), source);
  const tag = releaseTag.exec(comment)?.[1];
  return {
    name: exported.as,
    path: relative(root, source.fileName).replaceAll("\\", "/"),
    kind: kindOf(declared),
    declaration: declarationOf(exported.as, declared),
    comment: comment.replace(releaseTag, "").trim(),
    stability: tag === "public" ? "stable" : tag === "experimental" ? tag : undefined,
    node: declared,
  };
}

/** TSDoc's tags for what is promised. */
const releaseTag = /@(public|experimental)\b/u;

/** A value's comment precedes the whole statement. */
const statementOf = (node: ts.Node): ts.Node => (ts.isVariableDeclaration(node) ? node.parent.parent : node);

function kindOf(node: ts.Declaration): Exported["kind"] {
  if (ts.isFunctionDeclaration(node)) return "function";
  if (ts.isClassDeclaration(node)) return "class";
  if (ts.isVariableDeclaration(node)) {
    const made = node.initializer;
    return made && (ts.isArrowFunction(made) || ts.isFunctionExpression(made)) ? "function" : "value";
  }
  return "type";
}

function commentOf(node: ts.Node, source: ts.SourceFile): string {
  const text = source.getFullText();
  const ranges = ts.getLeadingCommentRanges(text, node.getFullStart()) ?? [];
  const [last] = ranges.toReversed().map(({ pos, end }) => text.slice(pos, end));
  if (!last?.startsWith("/**")) return "";
  const lines = last.slice(3, -2).split("\n");
  return lines
    .map((line) => line.replace(/^\s*\* ?/u, "").trim())
    .join(" ")
    .trim();
}

/** Types as written; for functions and classes their callable signatures, for values their type. */
export function declarationOf(name: string, node: ts.Declaration): string {
  const source = node.getSourceFile();
  if (ts.isTypeAliasDeclaration(node) || ts.isInterfaceDeclaration(node)) return asWritten(node, source);
  if (ts.isClassDeclaration(node)) return classOf(name, node, source);
  const head = parametersOf(node, source);
  if (head !== undefined) return `function ${name}${head};`;
  const annotated = ts.isVariableDeclaration(node) ? node.type?.getText(source) : undefined;
  if (annotated !== undefined) return `const ${name}: ${annotated};`;
  const made = ts.isVariableDeclaration(node) ? node.initializer?.getText(source) : undefined;
  if (made === undefined) throw new Error(`${name} in ${source.fileName} is public: write its type down`);
  return `const ${name} = ${made};`;
}

/** The declaration with its comments, without `export` and its indentation. */
function asWritten(node: ts.Node, source: ts.SourceFile): string {
  return node
    .getText(source)
    .replace(/^export /u, "")
    .trim();
}

/** A function's head as written, if it states its result type. */
function parametersOf(node: ts.Declaration, source: ts.SourceFile): string | undefined {
  const made = ts.isVariableDeclaration(node) ? node.initializer : node;
  if (!made || !(ts.isFunctionDeclaration(made) || ts.isArrowFunction(made)) || !made.type) return undefined;
  const text = source.getFullText();
  const first = made.typeParameters?.pos ?? made.parameters.pos;
  const head = text.slice(first - 1, made.parameters.end);
  const end = /\s*,?\s*\)/u.exec(text.slice(made.parameters.end))?.[0] ?? ")";
  return `${head}${end}: ${made.type.getText(source)}`;
}

function classOf(name: string, node: ts.ClassDeclaration, source: ts.SourceFile): string {
  const members = node.members.flatMap((member) => memberOf(member, source));
  const heritage = node.heritageClauses?.map((clause) => ` ${clause.getText(source)}`).join("") ?? "";
  return [`class ${name}${heritage} {`, ...members, "}"].join("\n");
}

/** Omits private members. */
function memberOf(member: ts.ClassElement, source: ts.SourceFile): string[] {
  const isHidden =
    (member.name && ts.isPrivateIdentifier(member.name)) ||
    (ts.canHaveModifiers(member) &&
      ts.getModifiers(member)?.some(({ kind }) => kind === ts.SyntaxKind.PrivateKeyword));
  if (isHidden) return [];
  const comment = commentOf(member, source);
  const said = comment === "" ? [] : [`  /** ${comment} */`];
  const body = "body" in member ? member.body : undefined;
  const end = isNode(body) ? body.getStart(source) : member.getEnd();
  const head = source.getFullText().slice(member.getStart(source), end).trim();
  return [...said, `  ${head.replace(/\s*=\s*new [^;]*;?$/u, ";").replace(/;?$/u, ";")}`];
}

const isNode = (value: unknown): value is ts.Node =>
  typeof value === "object" && value !== null && "getStart" in value;
