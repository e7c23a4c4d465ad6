/**
 * Puts off the regular expressions of a chunk that name Unicode properties (`\p{…}`) until one of them is used: V8
 * prepares a pattern when the code around it runs, and the sets of characters behind such a name take milliseconds.
 */

import { parseAst } from "rolldown/parseAst";
import { isObject } from "../src/base/json.ts";

type Node = Readonly<Record<string, unknown>> & { type: string; start: number; end: number };
type Edit = { name: string; at: number; end: number; text: string };

/** `code`: JavaScript in ASCII. Patterns that are constants of its top level become functions, which are called. */
export function withLatePatterns(code: string): string {
  if (!code.includes(String.raw`\p{`)) return code;
  const program: unknown = parseAst(code);
  if (!isNode(program)) return code;
  const patterns = topPatterns(program);
  const hidden = new Map<string, Node[]>();
  const uses: Edit[] = [];
  visit(program, { block: program, body: program }, (node, place) => {
    for (const { name, scope } of declaredBy(node, place))
      if (scope !== program) hidden.set(name, [...(hidden.get(name) ?? []), scope]);
    const name = nameOf(node);
    if (name === undefined || !patterns.has(name) || !isUse(node, place.parent)) return;
    const text = place.parent?.["shorthand"] === true ? `${name}:${name}()` : `${name}()`;
    uses.push({ name, at: node.start, end: node.end, text });
  });
  const isHidden = ({ name, at }: Edit): boolean =>
    hidden.get(name)?.some(({ start, end }) => start <= at && at < end) === true;
  const made = [...patterns].map(([name, { start, end }]) => {
    return { name, at: start, end, text: `()=>${name}.made??=${code.slice(start, end)}` };
  });
  return edited(code, [...made, ...uses.filter((use) => !isHidden(use))]);
}

function edited(code: string, edits: readonly Edit[]): string {
  const pieces: string[] = [];
  let from = 0;
  for (const { at, end, text } of edits.toSorted((one, other) => one.at - other.at)) {
    pieces.push(code.slice(from, at), text);
    from = end;
  }
  return pieces.join("") + code.slice(from);
}

/** The constants that are such a pattern, by name. */
function topPatterns(program: unknown): Map<string, Node> {
  const found = new Map<string, Node>();
  for (const statement of partsOf(isNode(program) ? program["body"] : undefined)) {
    if (statement["kind"] !== "const") continue;
    for (const { id, init } of partsOf(statement["declarations"])) {
      const name = isNode(id) ? nameOf(id) : undefined;
      if (name !== undefined && isNode(init) && isUnicodePattern(init)) found.set(name, init);
    }
  }
  return found;
}

const isUnicodePattern = ({ regex }: Node): boolean =>
  isObject(regex) && typeof regex["pattern"] === "string" && regex["pattern"].includes(String.raw`\p{`);

/** `block`: where `const` declares, `body`: where `var` does. */
type Place = { parent?: Node; block: Node; body: Node };

function visit(value: unknown, place: Place, see: (node: Node, place: Place) => void): void {
  if (Array.isArray(value)) return value.forEach((each) => visit(each, place, see));
  if (!isNode(value)) return;
  see(value, place);
  const isBody = /Function/u.test(value.type) || value.type === "StaticBlock";
  const block = isBody || /^(?:Block|For|Switch|While)|^CatchClause$/u.test(value.type) ? value : place.block;
  const inside = { parent: value, block, body: isBody ? value : place.body };
  for (const [key, part] of Object.entries(value)) {
    const isTwice = key === "key" && value["shorthand"] === true; // the same place as the value
    if (!isTwice && typeof part === "object") visit(part, inside, see);
  }
}

/** A name that stands for a variable, and neither declares it nor belongs to an object. */
function isUse(node: Node, parent: Node | undefined): boolean {
  const isNamed =
    parent?.["computed"] !== true && (parent?.["property"] === node || parent?.["key"] === node);
  return (
    !isNamed &&
    parent?.["label"] !== node &&
    !(parent?.type === "VariableDeclarator" && parent["id"] === node)
  );
}

/** The names that a node declares, and where each hides what is declared outside. */
function declaredBy(node: Node, { block, body }: Place): { name: string; scope: Node }[] {
  const within = (scope: Node, ...targets: unknown[]) =>
    targets.flatMap(namesIn).map((name) => ({ name, scope }));
  switch (node.type) {
    case "VariableDeclaration":
      return within(
        node["kind"] === "var" ? body : block,
        ...partsOf(node["declarations"]).map(({ id }) => id),
      );
    case "ClassDeclaration":
      return within(block, node["id"]);
    case "FunctionDeclaration":
      return [...within(block, node["id"]), ...within(node, ...partsOf(node["params"]))];
    case "ClassExpression":
      return within(node, node["id"]);
    case "FunctionExpression":
    case "ArrowFunctionExpression":
      return within(node, node["id"], ...partsOf(node["params"]));
    case "CatchClause":
      return within(node, node["param"]);
    default:
      return [];
  }
}

/** The names that a pattern of variables declares: `{ a, b: [c], ...rest }`. */
function namesIn(target: unknown): string[] {
  if (!isNode(target)) return [];
  const name = nameOf(target);
  if (name !== undefined) return [name];
  const inside = [target["left"], target["argument"], target["value"]].filter(isNode);
  return [...inside, ...partsOf(target["properties"]), ...partsOf(target["elements"])].flatMap(namesIn);
}

const nameOf = ({ type, name }: Node): string | undefined =>
  type === "Identifier" && typeof name === "string" ? name : undefined;

const partsOf = (list: unknown): Node[] => (Array.isArray(list) ? list.filter(isNode) : []);

const isNode = (value: unknown): value is Node => isObject(value) && typeof value["type"] === "string";
