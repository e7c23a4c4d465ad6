/** Changes one value in the text of a configuration file; all comments and the rest of the text stay as they are. */

import type * as jsonc from "jsonc-parser";
import type { Node } from "jsonc-parser";
import { type Expected, refuse } from "../base/expected.ts";

type Edit = { offset: number; length: number; content: string };

const step = "  ";

/** The path to a value: `providers.work.baseUrl`; a part with dots stands in quotes, `autoApproveEdits.'**\/x.json'`. */
export function readKeyPath(written: string): Expected<string[]> {
  const parts = [...written.matchAll(/(?:^|(?<!^)\.)(?:'([^']*)'|([^.']+))/gu)];
  const read = parts.map(([, quoted, plain]) => quoted ?? plain ?? "");
  const isWhole = parts.map(([whole]) => whole).join("") === written;
  if (isWhole && read.length > 0 && read.every((part) => part !== "")) return { ok: true, value: read };
  return refuse(
    `${JSON.stringify(written)} is no key: write one such as model, providers.work.baseUrl or autoApproveEdits.'docs/**'.`,
  );
}

/** The text with the value at this path; objects on the way are made. The text must be valid, or empty. */
export async function withValue(
  text: string,
  path: readonly string[],
  value: unknown,
): Promise<Expected<string>> {
  const parser = await import("jsonc-parser");
  const root = rootOf(parser, text);
  if (!root)
    return {
      ok: true,
      value: `${text.trimEnd()}${text.trim() === "" ? "" : "\n"}${jsonText(objectAround(path, value), "")}\n`,
    };
  const { node, left } = deepest(parser, root, path);
  if (left.length === 0) return { ok: true, value: apply(text, [replacing(text, node, value)]) };
  if (node.type !== "object") {
    const there = path.slice(0, path.length - left.length).join(".");
    return refuse(
      `"${there}" is ${node.type === "array" ? "a list" : "no object"}, so it has no "${left[0]}": set it as a whole.`,
    );
  }
  const [name = "", ...below] = left;
  return {
    ok: true,
    value: apply(text, inserting(parser, text, { node, name, value: objectAround(below, value) })),
  };
}

/** The text without this path, or undefined if it is not there. */
export async function withoutValue(text: string, path: readonly string[]): Promise<string | undefined> {
  const parser = await import("jsonc-parser");
  const root = rootOf(parser, text);
  const found = root && deepest(parser, root, path);
  if (!found || found.left.length > 0) return undefined;
  const { node } = found;
  const whole = node.parent?.type === "property" ? node.parent : node;
  return apply(text, removing(parser, text, whole));
}

/** None of an empty file, and of one that is nested too deeply, which the check of the result tells. */
function rootOf(parser: typeof jsonc, text: string): Node | undefined {
  try {
    return parser.parseTree(text, [], { allowTrailingComma: true });
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** The node at the longest part of the path that is there, and what is left of the path. */
function deepest(
  parser: typeof jsonc,
  root: Node,
  path: readonly string[],
): { node: Node; left: readonly string[] } {
  let node = root;
  for (const [at, name] of path.entries()) {
    const key = node.type === "array" && /^\d+$/u.test(name) ? Number(name) : name;
    const next = parser.findNodeAtLocation(node, [key]);
    if (!next) return { node, left: path.slice(at) };
    node = next;
  }
  return { node, left: [] };
}

const objectAround = (path: readonly string[], value: unknown): unknown =>
  path.reduceRight((inner, name) => ({ [name]: inner }), value);

const jsonText = (value: unknown, margin: string): string =>
  JSON.stringify(value, undefined, step).replaceAll("\n", `\n${margin}`);

const replacing = (text: string, { offset, length }: Node, value: unknown): Edit => ({
  offset,
  length,
  content: jsonText(value, marginAt(text, offset)),
});

/** As the last member: behind the comma, and the comment on its line, of the one before. */
function inserting(
  parser: typeof jsonc,
  text: string,
  { node, name, value }: { node: Node; name: string; value: unknown },
): Edit[] {
  const last = node.children?.at(-1);
  const isInline = !text.slice(node.offset, node.offset + node.length).includes("\n");
  if (last && isInline) {
    const content = `, ${JSON.stringify(name)}: ${JSON.stringify(value)}`;
    return [{ offset: last.offset + last.length, length: 0, content }];
  }
  const margin = last ? marginAt(text, last.offset) : marginAt(text, node.offset) + step;
  const member = `\n${margin}${JSON.stringify(name)}: ${jsonText(value, margin)}`;
  if (!last) {
    const inside = text.slice(node.offset + 1, node.offset + node.length - 1);
    const isBare = inside.trim() === "";
    return [
      {
        offset: node.offset + 1 + inside.trimEnd().length,
        length: isBare ? inside.length : 0,
        content: isBare ? `${member}\n${marginAt(text, node.offset)}` : member,
      },
    ];
  }
  const end = last.offset + last.length;
  const { comma, offset } = endOfLine(parser, text, end);
  const needsComma: Edit[] = comma === undefined ? [{ offset: end, length: 0, content: "," }] : [];
  return [...needsComma, { offset, length: 0, content: comma === undefined ? member : `${member},` }];
}

/** Behind the comma and the comments that follow on the same line. */
function endOfLine(
  parser: typeof jsonc,
  text: string,
  from: number,
): { comma: number | undefined; offset: number } {
  const scanner = parser.createScanner(text);
  scanner.setPosition(from);
  let comma: number | undefined;
  let offset = from;
  for (;;) {
    const kind: number = scanner.scan();
    const start = scanner.getTokenOffset();
    const isComma = kind === tokens.comma && comma === undefined;
    if (kind === tokens.newLine && comma !== undefined) break;
    if (isComma) comma = start;
    else if (!passed.includes(kind)) break;
    if (isComma || (comments.includes(kind) && !text.slice(offset, start).includes("\n")))
      offset = start + scanner.getTokenLength();
  }
  return { comma, offset };
}

/** The numbers of jsonc-parser's `SyntaxKind`, an enumeration that is gone at run time. */
const tokens = { comma: 5, lineComment: 12, blockComment: 13, newLine: 14, space: 15 } as const;
const comments: readonly number[] = [tokens.lineComment, tokens.blockComment];
const passed: readonly number[] = [...comments, tokens.newLine, tokens.space];

/** With its comma, and its line if nothing else is on it. */
function removing(parser: typeof jsonc, text: string, { offset, length }: Node): Edit[] {
  const end = offset + length;
  const { comma = end } = endOfLine(parser, text, end);
  const behind = text[comma] === "," ? comma + 1 : end;
  const lineStart = text.lastIndexOf("\n", offset - 1) + 1;
  const isAlone =
    text.slice(lineStart, offset).trim() === "" &&
    comma === end &&
    /^[ \t\r]*(?:\n|$)/u.test(text.slice(behind));
  if (isAlone) {
    const next = text.indexOf("\n", behind);
    return [{ offset: lineStart, length: (next === -1 ? text.length : next + 1) - lineStart, content: "" }];
  }
  return [
    { offset, length, content: "" },
    { offset: comma, length: behind - comma, content: "" },
  ];
}

function marginAt(text: string, offset: number): string {
  const lineStart = text.lastIndexOf("\n", offset - 1) + 1;
  return /^[ \t]*/u.exec(text.slice(lineStart, offset))?.[0] ?? "";
}

/**
 * From the end of the text, and of those at one place the last first, so that no edit moves another. New lines end as
 * those of the text do.
 */
function apply(text: string, edits: readonly Edit[]): string {
  const lineEnd = text.includes("\r\n") ? "\r\n" : "\n";
  return edits
    .toReversed()
    .toSorted((one, other) => other.offset - one.offset)
    .reduce(
      (whole, { offset, length, content }) =>
        whole.slice(0, offset) + content.replaceAll("\n", lineEnd) + whole.slice(offset + length),
      text,
    );
}
