/** Parses the project's TypeScript files into the form that the rules check: imports, functions, strings and calls. */

import { readFile, readdir } from "node:fs/promises";
import { join, posix } from "node:path";
import { parseAst } from "rolldown/parseAst";

export type Import = {
  /** For relative imports a path from the project's root, else the package or builtin as written. */
  target: string;
  line: number;
  onlyTypes: boolean;
  /** The imported names; "all" for a namespace import, or if the names cannot be determined. */
  names: readonly string[] | "all";
};

/** At the top level of a file, exported or not. */
export type Declaration = { kind: "type" | "function"; name: string; line: number };

export type SourceFile = {
  /** From the project's root, with forward slashes. */
  path: string;
  text: string;
  lines: number;
  isTest: boolean;
  imports: Import[];
  functions: { name: string; line: number; lines: number }[];
  /** Every string literal in the file, whether value or type. */
  texts: Set<string>;
  /** Names of the functions called; `test` also stands for `test.each(…)(…)` and similar. */
  calls: Set<string>;
  /** Exports declared in this file, without re-exports. */
  exports: { name: string; line: number }[];
  declarations: Declaration[];
  /** Every identifier but keys of objects, with its first line. */
  identifiers: Map<string, number>;
  /** The `name` of each exported value, such as a tool, a wire, or a row of the catalog. */
  declaredNames: string[];
};

type Node = { type: string; start: number; end: number; [key: string]: unknown };

const folders = ["src", "scripts", "bench", "examples", "test", "editors"];
const notOurs = new Set(["fixtures", "node_modules", "dist"]);

export async function readSourceTree(root: string): Promise<SourceFile[]> {
  const lists = await Promise.all(folders.map((folder) => typescriptFiles(root, folder)));
  return Promise.all(
    lists
      .flat()
      .toSorted()
      .map(async (path) => parse(path, await readFile(join(root, path), "utf8"))),
  );
}

/**
 * True for tests, the testing room, `testing` folders, and modules that only tests can load: contract suites,
 * generators.
 */
export function isForTests({ path, isTest, imports }: SourceFile): boolean {
  const loads = imports.some(({ target }) => target === "vitest" || target === "fast-check");
  return isTest || loads || /(?:^|\/)testing\//u.test(path);
}

async function typescriptFiles(root: string, folder: string): Promise<string[]> {
  const entries = await readdir(join(root, folder), { withFileTypes: true }).catch(() => []);
  const files = entries
    .filter((entry) => entry.isFile() && /\.tsx?$/u.test(entry.name))
    .map(({ name }) => name);
  const folders = entries.filter((entry) => entry.isDirectory() && !notOurs.has(entry.name));
  const deeper = await Promise.all(folders.map(({ name }) => typescriptFiles(root, `${folder}/${name}`)));
  return [...files.map((name) => `${folder}/${name}`), ...deeper.flat()];
}

function parse(path: string, text: string): SourceFile {
  const file: SourceFile = {
    path,
    text,
    lines: text.split("\n").length - (text.endsWith("\n") ? 1 : 0),
    isTest: path.endsWith(".test.ts"),
    imports: [],
    functions: [],
    texts: new Set(),
    calls: new Set(),
    exports: [],
    declarations: [],
    identifiers: new Map(),
    declaredNames: [],
  };
  const lineAt = lineFinder(text);
  const program: unknown = parseAst(text, { lang: path.endsWith(".tsx") ? "tsx" : "ts" }, path);
  walk(program, undefined, (node, parent) => {
    collectImport(file, node, lineAt(node.start));
    collectExports(file, node, lineAt(node.start));
    collectFunction(file, node, parent, lineAt);
    collectIdentifier(file, node, parent, lineAt);
    if (node.type === "Literal" && typeof node["value"] === "string") file.texts.add(node["value"]);
    if (node.type === "TemplateElement") file.texts.add(cookedText(node));
    if (node.type === "CallExpression") file.calls.add(calledName(node["callee"]));
  });
  file.declaredNames = declaredNames(program);
  file.declarations = declarationsIn(program, lineAt);
  return file;
}

function walk(
  value: unknown,
  parent: Node | undefined,
  visit: (node: Node, parent: Node | undefined) => void,
): void {
  if (Array.isArray(value)) return value.forEach((item) => walk(item, parent, visit));
  if (!isNode(value)) return;
  visit(value, parent);
  for (const child of Object.values(value)) if (typeof child === "object") walk(child, value, visit);
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && "type" in value && typeof value.type === "string";
}

const nodesOf = (value: unknown): Node[] =>
  Array.isArray(value) ? value.filter(isNode) : isNode(value) ? [value] : [];

const importers = new Set([
  "ImportDeclaration",
  "ExportNamedDeclaration",
  "ExportAllDeclaration",
  "ImportExpression",
  "TSImportType",
]);

function collectImport(file: SourceFile, node: Node, line: number): void {
  const source = node["source"];
  if (!importers.has(node.type) || !isNode(source) || typeof source["value"] !== "string") return;
  const written = source["value"];
  const target = written.startsWith(".") ? posix.join(posix.dirname(file.path), written) : written;
  const onlyTypes =
    node.type === "TSImportType" || node["importKind"] === "type" || node["exportKind"] === "type";
  file.imports.push({ target, line, onlyTypes, names: namesIn(node) });
}

function namesIn(node: Node): Import["names"] {
  if (node.type !== "ImportDeclaration" && node.type !== "ExportNamedDeclaration") return "all";
  const specifiers = nodesOf(node["specifiers"]);
  if (specifiers.some(({ type }) => type === "ImportNamespaceSpecifier")) return "all";
  const isExport = node.type === "ExportNamedDeclaration";
  return specifiers.map((specifier) => nameOf(specifier[isExport ? "local" : "imported"]) ?? "default");
}

function collectExports(file: SourceFile, node: Node, line: number): void {
  const declaration = node["declaration"];
  if (node.type !== "ExportNamedDeclaration" || !isNode(declaration)) return;
  const declared = "declarations" in declaration ? nodesOf(declaration["declarations"]) : [declaration];
  const places = declared.flatMap(({ id }) =>
    isNode(id) && id.type === "ObjectPattern" ? nodesOf(id["properties"]).map(({ value }) => value) : [id],
  );
  for (const name of places.map(nameOf)) if (name !== undefined) file.exports.push({ name, line });
}

function collectIdentifier(
  { identifiers }: SourceFile,
  node: Node,
  parent: Node | undefined,
  lineAt: (offset: number) => number,
): void {
  const name = node.type === "Identifier" ? nameOf(node) : undefined;
  if (name === undefined || identifiers.has(name)) return;
  const isKey = parent?.type === "Property" && parent["key"] === node && parent["shorthand"] !== true;
  if (!isKey) identifiers.set(name, lineAt(node.start));
}

const functionTypes = new Set(["FunctionDeclaration", "FunctionExpression", "ArrowFunctionExpression"]);

function collectFunction(
  file: SourceFile,
  node: Node,
  parent: Node | undefined,
  lineAt: (offset: number) => number,
): void {
  if (!functionTypes.has(node.type)) return;
  const line = lineAt(node.start);
  const name = nameOf(node["id"]) ?? nameOf(parent?.["id"]) ?? nameOf(parent?.["key"]) ?? "a function";
  file.functions.push({ name, line, lines: lineAt(node.end) - line + 1 });
}

const nameOf = (node: unknown): string | undefined =>
  isNode(node) && typeof node["name"] === "string" ? node["name"] : undefined;

function cookedText(node: Node): string {
  const value = node["value"];
  return typeof value === "object" && value !== null && "cooked" in value ? String(value.cooked) : "";
}

const typeDeclarations = new Set(["TSTypeAliasDeclaration", "TSInterfaceDeclaration", "ClassDeclaration"]);

function declarationsIn(program: unknown, lineAt: (offset: number) => number): Declaration[] {
  const statements = isNode(program) ? nodesOf(program["body"]) : [];
  return statements.flatMap((statement): Declaration[] => {
    const inner = statement.type === "ExportNamedDeclaration" ? statement["declaration"] : statement;
    if (!isNode(inner)) return [];
    const line = lineAt(statement.start);
    const named = (kind: Declaration["kind"], node: Node): Declaration[] => {
      const name = nameOf(node["id"]);
      return name === undefined ? [] : [{ kind, name, line }];
    };
    if (typeDeclarations.has(inner.type)) return named("type", inner);
    if (inner.type === "FunctionDeclaration") return named("function", inner);
    return nodesOf(inner["declarations"]).flatMap((node) =>
      nodesOf(node["init"]).some(({ type }) => functionTypes.has(type)) ? named("function", node) : [],
    );
  });
}

/** The root name of the callee in `test(…)`, `test.each(…)(…)`, `test.prop(…)`. */
function calledName(callee: unknown): string {
  if (!isNode(callee)) return "";
  return nameOf(callee) ?? calledName(callee["object"] ?? callee["callee"] ?? callee["tag"]);
}

/** The `name` strings in `export const x = {…}`, `= make({…})`, `= [{…}, make({…})]`. */
function declaredNames(program: unknown): string[] {
  const statements = isNode(program) ? nodesOf(program["body"]) : [];
  const variables = statements.flatMap((statement) => {
    const inner = statement.type === "ExportNamedDeclaration" ? statement["declaration"] : statement;
    return isNode(inner)
      ? nodesOf(inner["declarations"]).map((node) => ({ node, exported: inner !== statement }))
      : [];
  });
  const constants = new Map(variables.map(({ node }) => [nameOf(node["id"]), stringOf(node["init"])]));
  return variables
    .filter(({ exported }) => exported)
    .flatMap(({ node }) => objectsIn(node["init"]))
    .flatMap((object) => {
      const property = nodesOf(object["properties"]).find(({ key }) => nameOf(key) === "name")?.["value"];
      const name = stringOf(property) ?? constants.get(nameOf(property));
      return name === undefined ? [] : [name];
    });
}

function objectsIn(value: unknown): Node[] {
  return nodesOf(value).flatMap((node) => {
    if (node.type === "ObjectExpression") return [node];
    if (node.type === "CallExpression") return nodesOf(node["arguments"]).flatMap(objectsIn);
    if (node.type === "ArrayExpression") return nodesOf(node["elements"]).flatMap(objectsIn);
    if (node.type === "TSAsExpression" || node.type === "TSSatisfiesExpression")
      return objectsIn(node["expression"]);
    return [];
  });
}

const stringOf = (node: unknown): string | undefined =>
  isNode(node) && node.type === "Literal" && typeof node["value"] === "string" ? node["value"] : undefined;

function lineFinder(text: string): (offset: number) => number {
  const starts = [0, ...[...text.matchAll(/\n/gu)].map(({ index }) => index + 1)];
  return (offset) => {
    let low = 0;
    let high = starts.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle;
    }
    return low + 1;
  };
}
